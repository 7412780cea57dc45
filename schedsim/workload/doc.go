// Package workload has the programs that the simulated kernel runs: the
// benchmarks of the posts, as their real programs block and wake.
package workload
