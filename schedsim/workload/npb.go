package workload

import (
	"fmt"
	"math"

	"github.com/schedlab/schedlab/schedsim"
)

// NPBParams are the constants of NPB. Work is ns at the machine's reference clock
// with the core to itself, by one thread.
type NPBParams struct {
	// Code is "bt", "lu", "sp" or "ua"; Class is "A", "B" or "C".
	Code, Class string
	// Version is "3.3", or "3.4" of 2019, in which the loops of bt and sp, and lu's
	// outside of the sweeps, are over two directions of the grid at once.
	Version string
	// Threads is OMP_NUM_THREADS, the number of CPUs unless it is set.
	Threads int
	// OpNS is the work of one floating-point operation of bt and lu, ns, as the
	// programs count operations when they print Mop/s.
	OpNS float64
	// SPFactor is how much longer one of sp takes, which has less work between
	// accesses to memory.
	SPFactor float64
	// UAPointNS is the work of one collocation point of ua in one advancement, the
	// unit of its Mop/s, ns.
	UAPointNS float64
	// SpinNS is for how long libgomp spins at a barrier before it sleeps, ns.
	SpinNS float64
	// SiblingShare is the speed of a hardware thread beside one that spins,
	// relative to one that has the core to itself.
	SiblingShare float64
	// MemoryShare is the part of the time that a thread waits for memory, when all
	// that it touches is on its own node.
	MemoryShare float64
	// Jitter is the half-width of the uniform spread of a thread's work in a loop.
	Jitter float64
	// RefillLines: see schedsim.Locality.
	RefillLines float64
	// HandoverShare is the part of the lines of a row of a plane that a thread of
	// lu's pipeline waits for when it reads the row before its own, which another
	// core has just written: the others come over meanwhile.
	HandoverShare float64
}

// DefaultNPB are the constants of class C with as many threads as the machine of
// the idle-prev post has CPUs; memory shares differ by code.
func DefaultNPB(code, class string) NPBParams {
	return NPBParams{
		Code: code, Class: class, Version: "3.3", Threads: 160,
		OpNS: 0.8, SPFactor: 2.4, UAPointNS: 280,
		SpinNS: 1.5e6, SiblingShare: 0.9, MemoryShare: npbMemoryShare[code],
		Jitter: 0.02, RefillLines: 270, HandoverShare: 0.15,
	}
}

// npbMemoryShare is assumed: bt has dense 5x5 blocks to work on in cache, sp and lu
// stream through all of the grid for little work, ua follows indices.
var npbMemoryShare = map[string]float64{"bt": 0.2, "lu": 0.3, "sp": 0.45, "ua": 0.3}

// npbSize is a problem: the points of the grid in each direction, or the elements
// of ua, and the time steps (NPB3.3 sys/setparams.c). ua refines and coarsens its
// mesh as it goes, up to so many elements; all are taken to be there.
type npbSize struct{ points, elements, steps int }

var npbSizes = map[string]npbSize{
	"bt.A": {64, 0, 200}, "bt.B": {102, 0, 200}, "bt.C": {162, 0, 200},
	"lu.A": {64, 0, 250}, "lu.B": {102, 0, 250}, "lu.C": {162, 0, 250},
	"sp.A": {64, 0, 400}, "sp.B": {102, 0, 400}, "sp.C": {162, 0, 400},
	"ua.A": {0, 2400, 200}, "ua.B": {0, 8800, 200}, "ua.C": {0, 33500, 200},
}

// The polynomials by which the programs count the operations of a step, for a grid
// of n points in each direction (bt.f, lu.f, sp.f).
func npbOperations(code string, n float64) float64 {
	switch code {
	case "bt":
		return 3478.8*n*n*n - 17655.7*n*n + 28023.7*n
	case "lu":
		return 1984.77*n*n*n - 10923.3*n*n + 27770.9*n - 144010
	}
	return 881.174*n*n*n - 4683.91*n*n + 11484.5*n - 19272.4
}

// Of ua: an element has 5 points in each direction, and a step advances each 10
// times in the conjugate gradient solver (nmxh) and once in convection.
const (
	uaPoints       = 125
	uaAdvancements = 11
)

// A row of a plane has 5 values of 8 bytes a point; a cache line 64.
const (
	rowBytes  = 40
	lineBytes = 64
)

// Bytes of a grid point, from the arrays that the programs declare in bt's and sp's
// header.h and lu's applu.incl, and of an element of ua (assumed).
var npbBytes = map[string]float64{"bt": 168, "lu": 144, "sp": 192, "ua": 20e3}

// Assumed constants of starting.
const (
	npbForkWork  = 20e3  // pthread_create, work in the master, ns
	npbStartWork = 30e3  // a thread's first instructions and page faults, ns
	npbInitWork  = 8e6   // initialisation of a thread's part of the data, ns
	npbStart     = 1e6   // the program starts within so much of the run's start, ns
	npbTouchRate = 1000. // how often in a second initialisation touches all of it
	npbPasses    = 3.    // how often a thread comes by a page of its data in a time step
	npbHugePage  = 2 << 20
)

// Roles of NPB's tasks.
const (
	RoleNPBMaster int32 = iota
	RoleNPBThread
)

// NPB is a program of the NAS Parallel Benchmarks 3.3 in its OpenMP form, run by
// GCC's libgomp with OMP_WAIT_POLICY unset. It has one thread a CPU; threads are not
// bound. The structure of its parallel regions and loops is in npb_codes.go.
//
// A parallel region begins when the master arrives at the barrier at which the
// threads of the pool wait (threads_dock), and ends with a barrier of the team. At
// both a thread spins for a while, and then sleeps on a futex; the last one wakes
// those that sleep, one after another in the order in which they went to sleep.
//
// Each thread first touches its part of the data, which so is on the node where it
// runs then. In the loops over another direction of the grid it works on the parts of
// all threads: as much of the data as these loops have of the accesses is a region of
// its own, whose pages are each first touched by one of the threads, and used by all
// of them from then on.
//
// A run measures a piece of the time steps. The figure is the time of all of them at
// the speed of that piece, without initialisation and verification.
type NPB struct {
	NPBParams
	size     npbSize
	step     []npbSegment // of one step, or of as many as an adaptation of ua is apart
	steps    float64      // how many steps that is
	total    float64      // work of it, all threads
	threads  []npbThread
	tasks    []*schedsim.Task
	mm       schedsim.MM
	shared   npbData // what all threads use alike
	progress float64 // work done

	// From the start of the measured time.
	began   int64
	done    float64
	waits   schedsim.SpinStats
	samples float64
	// Sums over samples, one a step.
	displaced, stacked float64
	crowd              []uint8 // by CPU, for counting
}

// npbThread is where a thread is in its program.
type npbThread struct {
	segment int32
	plane   int32
	part    int32   // of a plane
	started int32   // of the way to the first step
	credit  float64 // work of the operation in progress
	swept   int64   // planes of all sweeps so far
	home    int     // node of its data
	own     npbData
}

// NewNPB returns the workload; one value serves one run.
func NewNPB(p NPBParams) (*NPB, error) {
	size, ok := npbSizes[p.Code+"."+p.Class]
	switch {
	case !ok:
		return nil, fmt.Errorf("workload: npb: no program %s of class %s, use bt, lu, sp or ua of class A, B or C", p.Code, p.Class)
	case p.Version != "3.3" && p.Version != "3.4":
		return nil, fmt.Errorf("workload: npb: no version %q, use 3.3 or 3.4", p.Version)
	case p.Threads < 2 || p.Threads > 4096:
		return nil, fmt.Errorf("workload: npb: %d threads, give 2 to 4096", p.Threads)
	}
	for _, v := range []float64{p.OpNS, p.SPFactor, p.UAPointNS, p.SpinNS, p.SiblingShare, p.MemoryShare, p.Jitter, p.RefillLines, p.HandoverShare} {
		if !(v >= 0 && v <= math.MaxInt32*1e6) {
			return nil, fmt.Errorf("workload: npb: a constant is negative or too large: %+v", p)
		}
	}
	if p.SiblingShare > 1 || p.MemoryShare > 1 || p.Jitter >= 1 {
		return nil, fmt.Errorf("workload: npb: a share is above 1: %+v", p)
	}
	w := &NPB{NPBParams: p, size: size, threads: make([]npbThread, p.Threads), tasks: make([]*schedsim.Task, p.Threads)}
	w.step, w.steps = npbProgram(p.Code, size)
	if p.Version == "3.4" && p.Code != "ua" {
		collapse(w.step)
	}
	for i := range w.step {
		w.total += w.step[i].share
	}
	// Shares are of one step; work follows.
	work := w.stepWork()
	scale := work / (w.total / w.steps)
	for i := range w.step {
		w.step[i].scale(scale)
	}
	w.total *= scale
	return w, nil
}

// stepWork is the work of a time step, ns, by all threads together.
func (p *NPBParams) stepWork() float64 {
	size := npbSizes[p.Code+"."+p.Class]
	if p.Code == "ua" {
		return float64(size.elements) * uaPoints * uaAdvancements * p.UAPointNS
	}
	work := npbOperations(p.Code, float64(size.points)) * p.OpNS
	if p.Code == "sp" {
		work *= p.SPFactor
	}
	return work
}

// Name implements schedsim.Workload.
func (w *NPB) Name() string { return fmt.Sprintf("%s.%s.%d", w.Code, w.Class, w.Threads) }

// MaxTasks implements schedsim.Workload.
func (w *NPB) MaxTasks() int { return w.Threads }

// Channels implements schedsim.Workload.
func (w *NPB) Channels() int { return 0 }

// Locality implements schedsim.Workload.
func (w *NPB) Locality() schedsim.Locality {
	return schedsim.Locality{
		RefillLines:   w.RefillLines,
		TransferLines: w.HandoverShare * float64(w.size.points) * rowBytes / lineBytes,
	}
}

// The words: the barrier, and for each thread but the last of lu's pipeline how many
// planes it has done and how many of them the next one has taken.
const (
	npbBarrier   = 0
	wordsPerLink = 2
)

func (w *NPB) doneWord(i int32) int32  { return 1 + wordsPerLink*i }
func (w *NPB) takenWord(i int32) int32 { return 2 + wordsPerLink*i }

// Spin implements schedsim.Spinner.
func (w *NPB) Spin() schedsim.SpinParams {
	return schedsim.SpinParams{
		Words: 1 + wordsPerLink*w.Threads, Limit: int64(w.SpinNS), SiblingShare: w.SiblingShare,
	}
}

// Start implements schedsim.Workload: the program is started from a shell, on a CPU
// drawn from the run's seed.
func (w *NPB) Start(s *schedsim.Sched) {
	r := s.Rand()
	cpus := s.Machine().OnlineCPUs()
	w.crowd = make([]uint8, len(s.Machine().CPUs))
	w.mm = s.NewMM()
	bytes := max(int64(w.bytes()*npbShared[w.Code]), 1)
	w.shared = w.addData(s, "all", bytes)
	t := s.Spawn(w.Code, RoleNPBMaster, cpus[r.IntN(len(cpus))], int64(r.IntN(npbStart)))
	t.Rand = schedsim.StreamFor(s.Seed(), RoleNPBThread, 0)
	w.tasks[0] = t
	s.SetMM(t, w.mm)
	w.addPart(s, t)
}

// bytes is the size of all data.
func (w *NPB) bytes() float64 {
	n := float64(w.size.points)
	return (n*n*n + float64(w.size.elements)) * npbBytes[w.Code]
}

// pageFor is what pages memory of so many bytes has, with transparent huge pages.
func pageFor(bytes int64) int64 {
	if bytes >= npbHugePage {
		return npbHugePage
	}
	return 0
}

// npbData is a region of the data.
type npbData struct {
	region schedsim.RegionID
	pages  float64
}

func (w *NPB) addData(s *schedsim.Sched, name string, bytes int64) npbData {
	page := pageFor(bytes)
	return npbData{
		region: s.AddRegion(w.mm, schedsim.Region{Name: name, Bytes: bytes, PageBytes: page}),
		pages:  float64(bytes)/float64(max(page, 4096)) + 1,
	}
}

// addPart gives a thread its part of the data, which it is about to initialise.
func (w *NPB) addPart(s *schedsim.Sched, t *schedsim.Task) {
	w.threads[t.Arg].own = w.addData(s, "part", max(int64(w.bytes()*(1-npbShared[w.Code]))/int64(w.Threads), 1))
	w.setAccess(s, t, npbTouchRate)
}

// setAccess lets a thread come by each page of its part, and of what all use alike, so
// many times in a second.
func (w *NPB) setAccess(s *schedsim.Sched, t *schedsim.Task, rate float64) {
	own, share := &w.threads[t.Arg].own, npbShared[w.Code]
	s.SetAccess(t, w.MemoryShare,
		schedsim.Access{Region: own.region, Weight: 1 - share, PagesPerSecond: own.pages * rate},
		schedsim.Access{Region: w.shared.region, Weight: share, PagesPerSecond: w.shared.pages * rate})
}

// Born implements schedsim.Workload.
func (w *NPB) Born(s *schedsim.Sched, parent, child *schedsim.Task, arg int32) {
	child.Name, child.Role, child.Arg = w.Code, RoleNPBThread, arg
	// What a thread draws must not depend on when it was created.
	child.Rand = schedsim.StreamFor(s.Seed(), RoleNPBThread, arg)
	w.tasks[arg] = child
	s.CloneVM(parent, child)
	w.addPart(s, child)
}

// Measured implements schedsim.Workload: the seconds of all time steps.
func (w *NPB) Measured(s *schedsim.Sched, end bool) (float64, string) {
	if !end {
		w.began, w.done, w.waits = s.Now(), w.progress, s.SpinStats()
		w.displaced, w.stacked, w.samples = 0, 0, 0
		return 0, "s"
	}
	steps := w.measuredSteps()
	if steps == 0 {
		// Nothing was done in all of the time: as if it had been next to nothing.
		steps = 1e-6
	}
	return float64(s.Now()-w.began) / 1e9 * float64(w.size.steps) / steps, "s"
}

// measuredSteps is how many time steps were done while it was measured.
func (w *NPB) measuredSteps() float64 { return (w.progress - w.done) / w.total * w.steps }

// Metrics implements schedsim.Meter.
func (w *NPB) Metrics(s *schedsim.Sched) []schedsim.Metric {
	steps := w.measuredSteps()
	if steps == 0 || w.samples == 0 {
		return nil
	}
	waits := s.SpinStats()
	return []schedsim.Metric{
		{Name: "time/step", Unit: "ms", Value: float64(s.Now()-w.began) / 1e6 / steps},
		{Name: "barriers/step", Unit: "1", Value: float64(waits.Barriers-w.waits.Barriers) / steps},
		{Name: "futex-sleeps/step", Unit: "1", Value: float64(waits.Sleeps-w.waits.Sleeps) / steps},
		{Name: "displaced-threads", Unit: "1", Value: w.displaced / w.samples},
		{Name: "stacked-threads", Unit: "1", Value: w.stacked / w.samples},
	}
}

// sample counts the threads that are away from their data, and those that are on the
// same CPU as another one.
func (w *NPB) sample(s *schedsim.Sched) {
	clear(w.crowd)
	cpus := s.Machine().CPUs
	for i, t := range w.tasks {
		if cpus[t.CPU()].Node != w.threads[i].home {
			w.displaced++
		}
		if w.crowd[t.CPU()] > 0 {
			w.stacked++
		}
		w.crowd[t.CPU()] = 1
	}
	w.samples++
}
