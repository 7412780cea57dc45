package workload

import (
	"math"

	"github.com/schedlab/schedlab/schedsim"
)

// What the threads of a JVM do: launcher, VM thread, collectors and warehouses.

// nextLauncher starts the JVM's threads, and those of one point after another.
func (w *SPECjbb) nextLauncher(t *schedsim.Task) schedsim.Op {
	j := w.jvmOf(t)
	first := t.Arg * w.perJVM
	others := int32(w.gcThreads + w.ServiceThreads)
	if t.PC <= others {
		t.PC++
		return schedsim.Op{Kind: schedsim.OpFork, Arg: first + t.PC - 1, Work: jbbThreadWork}
	}
	// The threads of the points up to this one.
	want := int32(0)
	for i := range j.point + 1 {
		want += w.warehousesAt(i)
	}
	switch {
	case j.born < want:
		j.born++
		j.active++
		return schedsim.Op{Kind: schedsim.OpFork, Arg: first + others + j.born, Work: jbbThreadWork}
	case int(j.point) == w.Points-1:
		return schedsim.Op{Kind: schedsim.OpSleep, Arg64: 1e12}
	case t.PC == others+1:
		t.PC++
		return schedsim.Op{Kind: schedsim.OpSleep, Arg64: int64(w.PointSeconds * 1e9)}
	}
	// The threads of the last point end when they next look.
	t.PC--
	j.point++
	return schedsim.Op{Kind: schedsim.OpSleep, Arg64: 1e9}
}

// nextVMThread waits until all warehouse threads stand still, lets the collector
// work, and lets them go.
func (w *SPECjbb) nextVMThread(s *schedsim.Sched, t *schedsim.Task) schedsim.Op {
	j := w.jvmOf(t)
	id := t.Arg / w.perJVM
	switch t.PC {
	case 0:
		t.PC++
		return schedsim.Op{Kind: schedsim.OpFutexWait, Arg: w.vmChannel(id)}
	case 1:
		j.release = int32(w.gcThreads)
		j.pool, j.done = w.gcWork, 0
		t.PC++
		fallthrough
	case 2:
		if j.release--; j.release >= 0 {
			return schedsim.Op{Kind: schedsim.OpFutexWake, Arg: w.collectorChannel(id), Work: 1000}
		}
		t.PC++
		return schedsim.Op{Kind: schedsim.OpFutexWait, Arg: w.vmChannel(id)}
	case 3:
		w.gcs++
		w.gcNS += s.Now() - max(j.stoppedAt, w.startedAt)
		j.wanted, j.collecting = false, false
		j.eden = w.youngOps
		j.release, j.parked = j.parked, 0
		t.PC++
	}
	if j.release--; j.release >= 0 {
		return schedsim.Op{Kind: schedsim.OpFutexWake, Arg: w.safepointChannel(id), Work: 1000}
	}
	t.PC = 1
	return schedsim.Op{Kind: schedsim.OpFutexWait, Arg: w.vmChannel(id)}
}

// nextCollector takes of the work of a collection until there is none.
func (w *SPECjbb) nextCollector(t *schedsim.Task) schedsim.Op {
	j := w.jvmOf(t)
	id := t.Arg / w.perJVM
	switch {
	case t.PC == 1 && j.pool > 0:
		chunk := min(max(j.pool/float64(2*w.gcThreads), jbbGCMinChunk), j.pool)
		j.pool -= chunk
		return schedsim.Op{Kind: schedsim.OpCompute, Work: int64(chunk)}
	case t.PC == 1:
		t.PC = 0
		if j.done++; j.done == int32(w.gcThreads) {
			return schedsim.Op{Kind: schedsim.OpFutexWake, Arg: w.vmChannel(id)}
		}
	}
	t.PC = 1
	return schedsim.Op{Kind: schedsim.OpFutexWait, Arg: w.collectorChannel(id)}
}

// nextWarehouse does some operations, or stops for a collection.
func (w *SPECjbb) nextWarehouse(s *schedsim.Sched, t *schedsim.Task) schedsim.Op {
	j := w.jvmOf(t)
	id := t.Arg / w.perJVM
	switch t.PC {
	case 1: // exit
		return schedsim.Op{Kind: schedsim.OpExit}
	case 2: // the last one at the safepoint told the VM thread
		t.PC = 0
		return schedsim.Op{Kind: schedsim.OpFutexWait, Arg: w.safepointChannel(id)}
	}
	if w.overdue(j, t) {
		t.PC = 1
		w.leaveLLC(t)
		j.active--
		if w.worldStands(s, j) {
			return schedsim.Op{Kind: schedsim.OpFutexWake, Arg: w.vmChannel(id)}
		}
		return schedsim.Op{Kind: schedsim.OpExit}
	}
	if j.wanted {
		w.leaveLLC(t)
		j.parked++
		if w.worldStands(s, j) {
			t.PC = 2
			return schedsim.Op{Kind: schedsim.OpFutexWake, Arg: w.vmChannel(id), Work: 1000}
		}
		return schedsim.Op{Kind: schedsim.OpFutexWait, Arg: w.safepointChannel(id)}
	}
	n := min(max(j.eden/float64(2*j.active), jbbMinChunk/w.workNS), jbbMaxChunk/w.workNS)
	if j.eden -= n; j.eden <= 0 {
		j.wanted = true
	}
	w.ops += n
	work := n * w.workNS * w.cacheFactor(t) * (1 + float64(w.Crowd*min(1, float64(w.atWork)/w.cores)))
	op := schedsim.Op{Kind: schedsim.OpCompute, Work: int64(work)}
	if t.Rand.Float64() < w.BlocksPerSecond*work/1e9 {
		op.Kind = schedsim.OpSleep
		op.Arg64 = exponential(t, w.BlockNS)
	}
	return op
}

// overdue reports whether a thread is of a point that is over.
func (w *SPECjbb) overdue(j *jvm, t *schedsim.Task) bool {
	number := t.Arg%w.perJVM - int32(w.gcThreads+w.ServiceThreads) - 1
	for i := range j.point {
		if number -= w.warehousesAt(i); number < 0 {
			return true
		}
	}
	return false
}

// worldStands reports, once a collection, whether it may begin.
func (w *SPECjbb) worldStands(s *schedsim.Sched, j *jvm) bool {
	if !j.wanted || j.collecting || j.parked < j.active {
		return false
	}
	if j.active == 0 { // between two points: who comes next finds an empty heap
		j.wanted, j.eden = false, w.youngOps
		return false
	}
	j.collecting, j.stoppedAt = true, s.Now()
	return true
}

// cacheFactor is how much longer a thread's work takes for what the others leave
// it of the cache that it runs on.
func (w *SPECjbb) cacheFactor(t *schedsim.Task) float64 {
	if llc := w.llcOf[t.CPU()]; w.onLLC[t.ID] != llc {
		w.leaveLLC(t)
		w.onLLC[t.ID] = llc
		w.running[llc]++
		w.atWork++
	}
	n := float64(w.running[w.onLLC[t.ID]])
	return 1 + float64(w.Intensity*(math.Pow(w.CacheMiB*n/w.llcMiB, w.CacheExponent)-1))
}

func (w *SPECjbb) leaveLLC(t *schedsim.Task) {
	if llc := w.onLLC[t.ID]; llc >= 0 {
		w.running[llc]--
		w.atWork--
		w.onLLC[t.ID] = -1
	}
}
