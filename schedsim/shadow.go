package schedsim

import (
	"reflect"
	"unsafe"
)

// A shadow kernel is asked at the decisions that it takes by another function
// than the acting one. It is asked first and dry: it pays nothing and changes
// nothing, so a run is the same with and without it. What is counted is how
// often the two functions' values differ at the same state, and how often the
// wakeup would have gone to another CPU.
type shadow struct {
	k *Kernel
	// core: the kernels differ in SelectIdleCore and in nothing else, which
	// needs asking only there; whole: they differ elsewhere.
	core, whole bool
	// updateCurr: they differ in UpdateCurrAlone, whatever else.
	updateCurr bool
	// scan: they differ in UpdateScanPeriod, which is asked where it acts.
	scan bool
}

func newShadow(k, other *Kernel) shadow {
	if other == nil {
		return shadow{}
	}
	sh := shadow{k: other}
	a, b := reflect.ValueOf(k).Elem(), reflect.ValueOf(other).Elem()
	for i := range a.NumField() {
		f := a.Type().Field(i)
		if f.Type.Kind() != reflect.Func || sameFunc(a.Field(i), b.Field(i)) {
			continue
		}
		switch f.Name {
		case "SelectIdleCore":
			sh.core = true
		case "UpdateScanPeriod":
			sh.scan = true
		case "NUMAMigrateScanReset": // asked nowhere
		case "UpdateCurrAlone":
			sh.updateCurr = !a.Field(i).IsNil() && !b.Field(i).IsNil()
		default:
			sh.whole = true
		}
	}
	if k.Features != other.Features || k.Tunables != other.Tunables {
		sh.whole = true
	}
	if sh.whole {
		sh.core = false
	}
	return sh
}

// sameFunc reports whether two fields hold the same function value. Two closures
// of one literal are two values: they may have captured different things, which
// their code, that reflect compares, does not tell.
func sameFunc(a, b reflect.Value) bool {
	value := func(f reflect.Value) unsafe.Pointer {
		return *(*unsafe.Pointer)(f.Addr().UnsafePointer())
	}
	return value(a) == value(b)
}

// shadowUpdateCurr asks the shadow kernel what update_curr would have done on a
// cfs_rq, alone being what the acting one said. If only the acting one
// reschedules, the next pick shows whether that makes a difference.
func (s *Sched) shadowUpdateCurr(ci, cfsRQ int32, alone bool) {
	s.count.ShadowDecisions++
	if s.shadow.k.UpdateCurrAlone(s, int(cfsRQ)) == alone {
		return
	}
	s.count.ShadowDiffers++
	if c := &s.cpus[ci]; !alone && !c.needResched {
		c.shadowResched = true
	}
}

// shadowPick counts a switch that only the acting kernel asked for.
func (s *Sched) shadowPick(c *cpu, next TaskID) {
	if c.shadowResched && c.curr != none && c.curr != next && s.tasks[c.curr].state == taskRunning {
		s.count.ShadowOther++
	}
	c.shadowResched = false
}

// selectWhole asks both kernels for the whole decision and acts on the first.
func (s *Sched) selectWhole(t *Task, sync bool) int {
	active := s.k
	// record_wakee comes before the decision and is part of it, so the shadow does it
	// as well, and it is taken back.
	waker := s.waker(s.This())
	flips, decay, last := waker.wakeeFlips, waker.wakeeFlipDecay, waker.lastWakee
	s.dry, s.k = true, s.shadow.k
	other := s.k.SelectTaskRQFair(s, t, s.prevCPU(t), sync)
	s.dry, s.k = false, active
	waker.wakeeFlips, waker.wakeeFlipDecay, waker.lastWakee = flips, decay, last
	cpu := s.k.SelectTaskRQFair(s, t, s.prevCPU(t), sync)
	s.count.ShadowDecisions++
	if other != cpu {
		s.count.ShadowDiffers++
		s.count.ShadowOther++
	}
	return cpu
}

// bothIdleCores calls select_idle_core and returns its answer. A shadow kernel
// that differs there is asked before, dry; if its answer is another one, other
// is the CPU that select_idle_sibling would make of it, else -1.
func (s *Sched) bothIdleCores(t *Task, target int) (core, other int) {
	asked := s.shadow.core && !s.dry
	active, shadowCore := s.k, 0
	if asked {
		s.dry, s.k = true, s.shadow.k
		shadowCore = s.k.SelectIdleCore(s, t, target)
		s.dry, s.k = false, active
	}

	had := s.TestIdleCores(target)
	core = s.k.SelectIdleCore(s, t, target)
	if had && !s.dry {
		s.count.IdleCoreSearches++
		if !s.TestIdleCores(target) {
			s.count.IdleCoreFailed++
		}
	}
	if !asked {
		return core, -1
	}
	s.count.ShadowDecisions++
	if shadowCore == core {
		return core, -1
	}
	s.count.ShadowDiffers++
	s.dry, s.k = true, s.shadow.k
	other = s.afterIdleCore(t, target, shadowCore)
	s.dry, s.k = false, active
	return core, other
}
