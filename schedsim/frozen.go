package schedsim

// frozen510 reports whether the kernel is v5.10, the model of which is that of
// ModelVersion 1 until there is another: what has been found out since is left out
// of it alone.
//
//   - Idle tasks count no flips: a timer on an idle CPU says nothing to wake_wide.
//   - A child begins with no flips instead of its parent's.
//   - select_idle_sibling does not keep the wakee of a kthread on its CPU.
func (s *Sched) frozen510() bool { return s.version == 5010 }
