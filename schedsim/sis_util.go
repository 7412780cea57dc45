package schedsim

// How far to search an LLC, by how busy it is: SIS_UTIL, since 6.0.

// idleScanLimit is nr_idle_scan of update_idle_cpu_scan: of the CPUs of an LLC
// whose utilisations sum up to sum, how many a search may look at. It falls with
// the square of the mean, to none at 100/pct of the capacity, where pct is the
// domain's imbalance_pct.
func idleScanLimit(sum int64, weight, pct int) int32 {
	x := sum / int64(weight)
	busy := min(x*x*int64(pct*pct)/(10000*capacityScale), capacityScale)
	return int32((capacityScale - busy) * int64(weight) / capacityScale)
}

// updateIdleCPUScan is update_idle_cpu_scan: the limit is renewed at each periodic
// balance of a domain that is as large as the LLC; until the first one it is that
// of an idle LLC, as on a machine that has been up for a while.
func (s *Sched) updateIdleCPUScan(env *lbEnv, sumUtil int64) {
	if !s.k.SISUtil || env.idle == cpuNewlyIdle {
		return
	}
	l := &s.llcs[s.cpus[env.dst].llc]
	if len(env.d.span) != int(l.cpus) || s.llcDomain(env.dst) == nil {
		return
	}
	l.nrIdleScan = idleScanLimit(sumUtil, int(l.cpus), env.d.imbalancePct)
}
