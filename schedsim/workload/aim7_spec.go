package workload

import (
	"math"

	"github.com/schedlab/schedlab/schedsim"
)

func init() {
	d := DefaultAim7(1)
	const mix = "AIM7's shared mix: mostly arithmetic and memory, a tenth storage, a tenth processes"
	register(Spec{
		Name: "aim7",
		Doc:  "AIM7: users that compute, make processes and write to storage, one job after another",
		Params: append([]Param{
			{Name: "users", Doc: "simulated users, a process each", Default: math.NaN(), Low: 1, High: 8192},
			{Name: "job_ns", Unit: "ns", Default: d.JobNS, Low: aimSlice, High: 1e11, Kind: "assumed",
				Doc: "mean work of a job that computes, drawn evenly from 0.5 to 1.5 of it", Source: "cut from 0.1 to 1 s, so that a short run has all kinds"},
			{Name: "fork_share", Unit: "ratio", Default: d.ForkShare, High: 1, Kind: "assumed", Source: mix, Doc: "share of jobs that fork"},
			{Name: "exec_share", Unit: "ratio", Default: d.ExecShare, High: 1, Kind: "assumed", Source: mix, Doc: "share of jobs that fork and exec"},
			{Name: "disk_share", Unit: "ratio", Default: d.DiskShare, High: 1, Kind: "assumed", Source: mix, Doc: "share of jobs that write to storage"},
			{Name: "forks", Default: float64(d.Forks), Low: 1, High: 1e4, Kind: "assumed", Source: "about as long as the others", Doc: "processes of a job that forks"},
			{Name: "execs", Default: float64(d.Execs), Low: 1, High: 1e4, Kind: "assumed", Source: "about as long as the others", Doc: "processes of a job that execs"},
			{Name: "writes", Default: float64(d.Writes), Low: 1, High: 1e4, Kind: "assumed", Source: "about as long as the others", Doc: "writes of a job that writes"},
			{Name: "write_ns", Unit: "ns", Default: d.WriteNS, High: 1e10, Kind: "assumed", Source: "a controller's write cache: 50 to 300 us", Doc: "wait for the storage"},
			{Name: "max_forks", Default: float64(d.MaxForks), Low: 1, High: 1e6,
				Doc: "how many processes a run may make; one that needs more has no result"},
		}, localityParams(-1, d.RefillLines, d.SMTThroughput)...),
		New: func(v Values) (schedsim.Workload, error) {
			return NewAim7(Aim7Params{
				Users: v.Int("users"), JobNS: v.Number("job_ns"),
				ForkShare: v.Number("fork_share"), ExecShare: v.Number("exec_share"), DiskShare: v.Number("disk_share"),
				Forks: v.Int("forks"), Execs: v.Int("execs"), Writes: v.Int("writes"),
				WriteNS: v.Number("write_ns"), MaxForks: v.Int("max_forks"),
				RefillLines: v.Number("refill_lines"), SMTThroughput: v.Number("smt_throughput"),
			})
		},
	})
}
