package workload

import "github.com/schedlab/schedlab/schedsim"

// backgroundParams are the parameters of the system beside a workload, for its Spec.
func backgroundParams() []Param {
	d := DefaultBackground()
	return []Param{
		{Name: "daemons", Default: float64(d.Daemons), High: 4096, Kind: "assumed",
			Doc:    "services that wake up now and then, each in an autogroup of its own",
			Source: "some tens of services run on a server, of which about ten wake up by themselves"},
		{Name: "daemon_period_ns", Unit: "ns", Default: d.DaemonPeriodNS, Low: 1e5, High: 1e12, Kind: "assumed",
			Doc:    "mean time between the wakeups of a daemon, exponential",
			Source: "timers of services are of 10 ms to seconds"},
		{Name: "daemon_work_ns", Unit: "ns", Default: d.DaemonWorkNS, High: 1e9, Kind: "assumed",
			Doc:    "mean work of a daemon each time, exponential",
			Source: "some system calls and a look at /proc"},
		{Name: "vmstat_period_ns", Unit: "ns", Default: d.VMStatPeriodNS, High: 1e12, Kind: "vendor",
			Doc:    "how often a kworker of each CPU runs vmstat_update and the like; 0 for never",
			Source: "mm/vmstat.c: sysctl_stat_interval is HZ, a second"},
		{Name: "vmstat_work_ns", Unit: "ns", Default: d.VMStatWorkNS, High: 1e9, Kind: "assumed",
			Doc:    "work of one run of that kworker",
			Source: "per-CPU counters of all zones and nodes are folded, some lines of each are remote"},
	}
}

// backgroundOf reads these parameters.
func backgroundOf(v Values) BackgroundParams {
	return BackgroundParams{
		Daemons:        v.Int("daemons"),
		DaemonPeriodNS: v.Number("daemon_period_ns"), DaemonWorkNS: v.Number("daemon_work_ns"),
		VMStatPeriodNS: v.Number("vmstat_period_ns"), VMStatWorkNS: v.Number("vmstat_work_ns"),
	}
}

// beside returns a workload that New gave with the system beside it.
func beside(w schedsim.Workload, err error, v Values, cpus int) (schedsim.Workload, error) {
	if err != nil {
		return nil, err
	}
	return WithBackground(w, backgroundOf(v), cpus)
}
