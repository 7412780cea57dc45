package schedsim

import (
	"math"
	"time"
)

// CPUFreq says how the kernel sets the clock of the cores.
//
// The zero value models no governor: every core runs at the turbo bin of its
// socket's active cores at any time, as under the governor performance, and
// nothing is counted of clocks.
type CPUFreq struct {
	// Governor is "performance", "powersave", "schedutil" or "ondemand".
	Governor string
	// Driver is the scaling driver, "" for the machine's own. "intel_pstate"
	// is that driver in active mode, with governors of its own;
	// "intel_cpufreq" is its passive mode (intel_pstate=passive).
	Driver string
	// HWP, "on" or "off", says whether the hardware moves between P-states by
	// itself; "" is as the machine has it. Drivers other than Intel's have it
	// off.
	HWP string
	// SamplingRate is ondemand's sampling_rate; 0 is the kernel's default,
	// two ticks or the driver's transition delay, whichever is longer.
	SamplingRate time.Duration
}

// policy is struct cpufreq_policy and the governor's data for it.
type policy struct {
	cpus []int32
	cur  int64 // kHz

	// schedutil: sugov_policy.
	next, raw  int64 // next_freq and cached_raw_freq, kHz
	lastUpdate int64 // ns

	// ondemand: policy_dbs_info.
	lastSample int64 // ns
	busy       bool  // work_in_progress
}

// cpufreq is the frequency scaling of a run; a run of the zero CPUFreq has none.
type cpufreq struct {
	scaling
	// updateUtil is the hook that the scheduler calls when the utilisation of
	// a CPU may have changed, nil if the governor has none.
	updateUtil func(s *Sched, ci int32)

	minMHz, maxMHz int64 // of the hardware
	stepKHz        int64
	minKHz, maxKHz int64 // of cpuinfo
	transition     int64 // ns
	delay          int64 // rate limit of schedutil or sampling rate of ondemand, ns
	upThreshold    int64 // of ondemand, percent

	cpu      []cpuClock
	policies []policy
	policyOf []int32 // by CPU

	clocks  []clock
	clockOf []int32 // by core
	// moving are the clocks on their way, in order of arrival.
	moving ring

	// Totals at the start of the measured time.
	c0, cycles, kworkerNS int64
}

// Constants of v5.10, ns.
const (
	intelCPUFreqDelay    = 500e3 // INTEL_CPUFREQ_TRANSITION_DELAY
	intelCPUFreqDelayHWP = 5e6   // INTEL_CPUFREQ_TRANSITION_DELAY_HWP
	latencyMultiplier    = 1000  // LATENCY_MULTIPLIER
	maxTransitionDelay   = 10e6  // cpufreq_policy_transition_delay_us caps at it
	noLatencyDelay       = 1e6   // and gives this to a driver without a latency
	dbsMinSamplingTicks  = 2     // CPUFREQ_DBS_MIN_SAMPLING_INTERVAL
)

// transitionDelay is cpufreq_policy_transition_delay_us, in ns.
func (s scaling) transitionDelay(latency int64) int64 {
	delay := int64(0)
	switch s.driver.name {
	case "intel_cpufreq":
		if s.hwp {
			return intelCPUFreqDelayHWP
		}
		return intelCPUFreqDelay
	case "acpi-cpufreq":
		delay = min(latency*latencyMultiplier, maxTransitionDelay)
	case "cppc_cpufreq":
		delay = latency // its transition_delay_us is the latency itself
	}
	if delay == 0 {
		return noLatencyDelay
	}
	return delay
}

// buildFrequency sets the governor up. cfg is checked.
func (s *Sched) buildFrequency(cfg *CPUFreq) {
	if *cfg == (CPUFreq{}) {
		return
	}
	sc, err := cfg.resolve(s.m)
	if err != nil {
		panic(err) // Config.check lets none through
	}
	m := &s.m.Frequency
	f := &cpufreq{
		scaling:    sc,
		minMHz:     int64(m.MinMHz.Value),
		maxMHz:     int64(m.MaxMHz.Value),
		stepKHz:    int64(math.Round(m.Control.Step.Value * 1000)),
		transition: int64(m.Control.Transition.Value),
		cpu:        make([]cpuClock, len(s.cpus)),
		policyOf:   make([]int32, len(s.cpus)),
	}
	s.freq = f
	f.minKHz, f.maxKHz = f.minMHz*1000, f.maxMHz*1000
	if base := int64(m.BaseMHz.Value); sc.driver.nominal && base >= f.minMHz && base < f.maxMHz {
		f.maxKHz = base * 1000
	}
	f.delay = sc.transitionDelay(f.transition)
	switch {
	case sc.governor == governorOndemand:
		f.delay = max(f.delay, dbsMinSamplingTicks*s.tickNS)
		f.upThreshold = microUpThreshold
		f.updateUtil = dbsUpdateUtil
		if cfg.SamplingRate > 0 {
			f.delay = int64(cfg.SamplingRate)
		}
	case sc.governor == governorSchedutil:
		f.updateUtil = sugovUpdate
	case sc.driver.active && sc.governor == governorPowersave && !sc.hwp:
		f.updateUtil = intelPstateUpdateUtil
	}
	s.buildClocks(m.Control.PerCore)
	s.buildPolicies()
}

// buildPolicies groups the CPUs and makes the first request of each policy.
func (s *Sched) buildPolicies() {
	f := s.freq
	index := map[int32]int32{}
	for _, ci := range s.online {
		key := ci
		switch f.driver.shared {
		case policyCore:
			key = s.cpus[ci].core
		case policyClock:
			key = f.clockOf[s.cpus[ci].core]
		}
		i, ok := index[key]
		if !ok {
			i = int32(len(f.policies))
			index[key] = i
			f.policies = append(f.policies, policy{})
		}
		f.policyOf[ci] = i
		f.policies[i].cpus = append(f.policies[i].cpus, ci)
		f.cpu[ci].since = s.now
	}
	first := f.minMHz
	if f.governor == governorPerformance {
		first = f.maxKHz / 1000
	}
	for i := range f.policies {
		p := &f.policies[i]
		s.target(p, first)
		for _, ci := range p.cpus {
			f.cpu[ci].now = f.cpu[ci].ask
		}
		p.lastUpdate, p.lastSample = 0, 0
	}
	f.moving.drop()
	s.q.clear(s.clockSlot)
	for i := range f.clocks {
		c := &f.clocks[i]
		c.moving = false
		for _, ci := range c.cpus {
			c.mhz = max(c.mhz, min(f.cpu[ci].wanted(f), s.mhzAt[0]))
		}
		for _, core := range c.cores {
			s.cores[core].speed = s.speedOf(c.mhz)
			s.retimeCore(core)
		}
	}
}

// cpufreqUpdateUtil is cpufreq_update_util on the runqueue of ci.
func (s *Sched) cpufreqUpdateUtil(ci int32) {
	if f := s.freq; f != nil && f.updateUtil != nil {
		f.updateUtil(s, ci)
	}
}

// policyHere is the policy of ci if the CPU that runs this code may change it
// (cpufreq_this_cpu_can_update), else nil.
func (s *Sched) policyHere(ci int32) *policy {
	f := s.freq
	if f.policyOf[s.smp] != f.policyOf[ci] {
		return nil
	}
	return &f.policies[f.policyOf[ci]]
}

// relation says which P-state to take for a frequency between two
// (CPUFREQ_RELATION_).
type relation uint8

const (
	relationL relation = iota // the lowest at or above
	relationH                 // the highest at or below
	relationC                 // the closest
)

// pstate is the P-state for a frequency, MHz.
func (f *cpufreq) pstate(kHz int64, r relation) int64 {
	kHz = min(max(kHz, f.minKHz), f.maxKHz)
	below := f.minKHz + (kHz-f.minKHz)/f.stepKHz*f.stepKHz
	above := min(below+f.stepKHz, f.maxKHz)
	switch {
	case kHz == below || r == relationH && kHz < f.maxKHz:
		return below / 1000
	case kHz == f.maxKHz || r == relationL || above-kHz <= kHz-below:
		return above / 1000
	}
	return below / 1000
}

// target is the driver's: it writes a P-state for all CPUs of a policy.
//
// With HWP it sets the floor; the hardware may go up to the maximum, unless the
// governor is to have exactly what it asks for (CPUFREQ_GOV_STRICT_TARGET).
func (s *Sched) target(p *policy, mhz int64) {
	f := s.freq
	p.cur = mhz * 1000
	r := limits{mhz, mhz}
	if f.driver.boost && p.cur == f.maxKHz {
		r = limits{f.maxMHz, f.maxMHz}
	}
	switch {
	case !f.hwp || f.governor == governorPerformance:
	case f.driver.active:
		r = limits{f.minMHz, f.maxMHz} // powersave: the whole range, by EPP
	case f.governor != governorPowersave:
		r.hi = f.maxMHz
	}
	for _, ci := range p.cpus {
		s.request(ci, r)
	}
}
