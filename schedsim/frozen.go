package schedsim

// frozen510 reports whether the kernel is v5.10, the model of which is that of
// ModelVersion 1 until there is another: what has been found out since is left out
// of it alone.
//
//   - Idle tasks count no flips: a timer on an idle CPU says nothing to wake_wide.
//   - A child begins with no flips instead of its parent's.
//   - select_idle_sibling does not keep the wakee of a kthread on its CPU.
//   - Balancing knows nothing of affinity but that a task cannot move: no
//     LBF_SOME_PINNED, no pass without the CPU whose tasks are all bound, no
//     group_imbalanced. Nor does it know SD_ASYM_PACKING.
//   - It leaves a task that is being switched out, where the kernel waits for the lock of
//     the runqueue until it is off. Ticks are simultaneous, so that a pass can find one
//     again and again.
//   - Tasks are attached in the order in which they were detached, instead of in the
//     opposite one.
//   - The nohz kick is decided after the softirq of the tick, instead of before.
//   - Each sleep is a sample of util_est, also if the averages did not change, and
//     what it falls by is rounded down instead of up.
func (s *Sched) frozen510() bool { return s.version == 5010 }
