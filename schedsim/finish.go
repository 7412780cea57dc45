package schedsim

import "fmt"

// This file is workloads that end by themselves: a fixed amount of work, whose
// figure is the time that it took.

// EndsItself says that the workload will call Finish: a run that is measured for
// Config.Measure without that is an error. It is for Workload.Start.
func (s *Sched) EndsItself() { s.endsItself = true }

// Finish ends the measured time now: the workload is done. Config.Measure is then
// a limit.
func (s *Sched) Finish() {
	s.finished = true
}

// checkFinished is called at the end of a part of the run, measured or not.
func (s *Sched) checkFinished(measured bool, limit int64) error {
	switch {
	case s.finished && !measured:
		return fmt.Errorf("schedsim: workload %s finished before it was measured, shorten Config.Age and Warmup", s.w.Name())
	case s.endsItself && measured && !s.finished:
		return fmt.Errorf("schedsim: workload %s did not finish within %g s, raise Config.Measure", s.w.Name(), float64(limit)/1e9)
	}
	return nil
}
