package workload

import "github.com/schedlab/schedlab/schedsim"

func init() {
	d := DefaultCgroupStress()
	const fj = "LTP's cgroup_fj of 2012 to 2013"
	register(Spec{
		Name: "cgroupstress",
		Doc:  "LTP's cgroup_fj: a shell that makes groups and moves processes through them, one command after another",
		Params: append([]Param{
			{Name: "commands", Default: d.Commands, High: 1e9, Kind: "assumed", Source: fj + ": hundreds a case, thousands where groups are many; studies fit it",
				Doc: "commands of the whole test"},
			{Name: "sleeps", Default: d.Sleeps, High: 1e6, Kind: "derived",
				Doc:    "sleeps of one second of the whole test",
				Source: fj + ": its cases of function, function2 and stress for the controllers that a 3.10 kernel has, with 3, 2 and 3"},
			{Name: "groups", Default: float64(d.Groups), Low: 1, High: 1000, Kind: "derived", Source: fj + ": 100 where they are many",
				Doc: "subgroups"},
			{Name: "per_sleep", Default: float64(d.PerSleep), Low: 1, High: 1e6, Kind: "assumed", Source: "fewer than in the test, so that a short run has sleeps",
				Doc: "commands simulated from one sleep to the next"},
			{Name: "exec_share", Unit: "ratio", Default: d.ExecShare, High: 1, Kind: "assumed", Source: fj + ": mkdir, rmdir, cat, seq, sed and wc, against subshells that echo",
				Doc: "share of commands that exec a program"},
			{Name: "tool_ns", Unit: "ns", Default: d.ToolNS, High: 1e9, Kind: "assumed", Source: "making or removing a group is a few hundred microseconds on many CPUs",
				Doc: "work of a program between its start and its exit"},
			{Name: "write_ns", Unit: "ns", Default: d.WriteNS, High: 1e9, Kind: "assumed", Source: "attaching a task takes tens of microseconds",
				Doc: "work of a subshell"},
			{Name: "shell_ns", Unit: "ns", Default: d.ShellNS, High: 1e9, Kind: "assumed", Source: "a shell's function calls and expansions",
				Doc: "work of the shell between two commands"},
			{Name: "attach", Default: d.Attach, High: 1, Kind: "derived", Source: fj + ": a third of its stress cases move all processes",
				Doc: "1 if the shell moves into each subgroup in turn, 0 if it stays where it is"},
			{Name: "max_commands", Default: float64(d.MaxCommands), Low: 1, High: 1e6,
				Doc: "how many commands a run may simulate; one that needs more has no result"},
		}, localityParams(-1, d.RefillLines, d.SMTThroughput)...),
		New: func(v Values) (schedsim.Workload, error) {
			return NewCgroupStress(CgroupStressParams{
				Commands: v.Number("commands"), Sleeps: v.Number("sleeps"), Groups: v.Int("groups"), PerSleep: v.Int("per_sleep"),
				ExecShare: v.Number("exec_share"), ToolNS: v.Number("tool_ns"), WriteNS: v.Number("write_ns"), ShellNS: v.Number("shell_ns"),
				Attach: v.Number("attach"), MaxCommands: v.Int("max_commands"),
				RefillLines: v.Number("refill_lines"), SMTThroughput: v.Number("smt_throughput"),
			})
		},
	})
}
