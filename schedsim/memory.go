package schedsim

import "fmt"

// Memory: address spaces of regions, the node that each page is on, and which
// task touches what.
//
// A program that declares none has none: it runs at the same speed everywhere,
// is never scanned, and costs nothing. A workload declares memory with NewMM,
// AddRegion, SetMM and SetAccess in Workload.Start and Workload.Born.
//
// Pages are kept in blocks, up to maxBlocks of them a region, that are exact
// where a region has no more pages than that. A block behaves like one page of
// the weight of all its pages: they are on one node, were touched last by one
// task, and fault together. What that loses is said in doc.go.

// MM is an address space (struct mm_struct) of a simulation.
type MM int32

// RegionID is a region of memory of a simulation.
type RegionID int32

// Region describes memory that its users touch uniformly: each page as likely as
// each other one.
type Region struct {
	Name  string
	Bytes int64
	// PageBytes is the size of its pages: 0 for the architecture's (64 KiB on
	// ppc64, 4 KiB elsewhere), a larger one for transparent huge pages (2 MiB;
	// 16 MiB on POWER8 and before), which fault and move as a whole.
	PageBytes int64
	// HugeTLB is memory of hugetlbfs: not in the resident set, never scanned,
	// never moved.
	HugeTLB bool
	// ReadOnly pages are not writable: a fault on one groups no tasks
	// (TNF_NO_GROUP).
	ReadOnly bool
	// Shared is a shared mapping: tasks of different address spaces that touch
	// the same page are grouped too (TNF_SHARED).
	Shared bool
	// Unmovable is the share of pages whose migration always fails, as it does
	// for pinned ones. 0 to 1.
	Unmovable float64
	// Nodes is the share of the region on each node from the start, by index of
	// the node; nil leaves the region to the first touch.
	Nodes []float64
}

// Access is a part of what a task touches.
type Access struct {
	Region RegionID
	// Weight is the share of the task's memory accesses that go to the region,
	// in any unit.
	Weight float64
	// PagesPerSecond is how many pages of the region, of its own page size, the
	// task touches in a second of its CPU time, counting a page again that it
	// touches again. It decides how soon a protected or missing page faults.
	PagesPerSecond float64
}

// maxBlocks is how many blocks a region has at most. Assumed to be fine enough:
// 256 MB, what a pass of the scanner covers, are 43 of them in 24 GB.
const maxBlocks = 4096

// memory is all state of memory and NUMA balancing; nil in a simulation whose
// workload declares none.
type memory struct {
	nodes    int
	basePage int64
	nodeOf   []int32 // by CPU
	nodeCPUs [][]int32
	ratio    []float64 // by node and node: latency, relative to local
	topology numaTopology
	distance []int32 // by node and node
	maxDist  int32

	mms     []mm
	regions []region

	tasks       []numaTask // by task
	faults      []int64    // by task, statistic, node and kind: see faultsOf
	groups      []numaGroup
	groupFaults []int64 // by group, statistic, node and kind
	cpu         []numaCPU
	limit       []migrateLimit // by node
}

type region struct {
	Region
	units int64 // pages of its own size
	span  int64 // base pages in one of them
	group int64 // units in a block
	block []block
	on    []int64 // units by node
	free  []int32 // blocks that nobody touched yet
	users []mapRef
	// Costs on the CPU that does it, work in ns for a unit.
	touchWork, moveWork, scanWork int64
}

// block is what a page frame remembers.
type block struct {
	last      TaskID // page_cpupid_last: task and CPU, none if unset
	lastCPU   int32
	node      int32 // or none
	unmovable bool
}

type mapRef struct {
	mm MM
	at int32
}

// pageState is a block's entry in the page table of one address space.
type pageState uint8

const (
	pagePresent   pageState = iota
	pageProtected           // PROT_NONE
	pageFaulting            // PROT_NONE, and a task is about to fault on it
)

// mapping is a region in an address space.
type mapping struct {
	region    RegionID
	gone      bool
	state     []pageState
	protected []int32 // blocks in pageProtected
	users     []mapUser
	sum       []float64 // of the users' touches, running
	// What is left of an expected number of blocks after whole ones were taken.
	faultRest, touchRest float64
}

type mapUser struct {
	task TaskID
	rate float64 // pages a ns of CPU time
}

// mm is struct mm_struct.
type mm struct {
	maps  []mapping
	tasks []TaskID
	rss   int64 // base pages
	rand  Rand

	nextScan  int64 // numa_next_scan, jiffies
	scanSeq   int32 // numa_scan_seq
	scanMap   int32 // numa_scan_offset: mapping and block
	scanBlock int32

	version   uint32 // of where its pages are
	touchable int64  // blocks that a touch changes
	touched   int64  // jiffy of the last touch
}

func (m *memory) mm(t *Task) *mm {
	if id := m.tasks[t.ID].mm; id != MM(none) {
		return &m.mms[id]
	}
	return nil
}

// unitsOf is how many pages a block has; the last one may have fewer.
func (r *region) unitsOf(b int32) int64 { return min(r.group, r.units-int64(b)*r.group) }

// memoryNeeded makes the state of memory when a workload first declares some.
func (s *Sched) memoryNeeded() *memory {
	if s.mem != nil {
		return s.mem
	}
	n := s.m.Nodes()
	m := &memory{
		nodes:       n,
		basePage:    4 << 10,
		nodeOf:      make([]int32, len(s.cpus)),
		tasks:       make([]numaTask, len(s.tasks)),
		faults:      make([]int64, len(s.tasks)*faultStats*n*2),
		groups:      make([]numaGroup, len(s.tasks)),
		groupFaults: make([]int64, len(s.tasks)*groupFaultStats*n*2),
		cpu:         make([]numaCPU, len(s.cpus)),
		limit:       make([]migrateLimit, n),
	}
	if s.m.Arch == "ppc64" || s.m.Arch == "ppc64le" {
		m.basePage = 64 << 10
	}
	for i := range s.m.CPUs {
		m.nodeOf[i] = int32(s.m.CPUs[i].Node)
		m.cpu[i] = numaCPU{speed: 1 << 16}
	}
	for i := range m.tasks {
		m.tasks[i] = newNUMATask()
	}
	for i := range m.limit {
		m.limit[i].window = s.jiffies
	}
	m.buildDistances(s)
	m.nodeCPUs = make([][]int32, n)
	for _, ci := range s.online {
		m.nodeCPUs[m.nodeOf[ci]] = append(m.nodeCPUs[m.nodeOf[ci]], ci)
	}
	s.mem = m
	return m
}

// NewMM creates an address space.
func (s *Sched) NewMM() MM {
	m := s.memoryNeeded()
	id := MM(len(m.mms))
	m.mms = append(m.mms, mm{rand: StreamFor(s.seed, -2, int32(id)), touched: -1})
	return id
}

// AddRegion adds memory to an address space. What is wrong with it ends Run with
// an error.
func (s *Sched) AddRegion(id MM, spec Region) RegionID {
	m := s.memoryNeeded()
	if spec.PageBytes == 0 {
		spec.PageBytes = m.basePage
	}
	if err := checkRegion(&spec, m); err != nil {
		s.failStart(fmt.Errorf("schedsim: workload %s: region %q: %w", s.w.Name(), spec.Name, err))
		spec = Region{Name: spec.Name, Bytes: m.basePage, PageBytes: m.basePage}
	}
	r := region{Region: spec, on: make([]int64, m.nodes)}
	r.units = (spec.Bytes + spec.PageBytes - 1) / spec.PageBytes
	r.span = spec.PageBytes / m.basePage
	r.group = (r.units + maxBlocks - 1) / maxBlocks
	s.regionCosts(&r)
	n := int((r.units + r.group - 1) / r.group)
	r.block = make([]block, n)
	for i := range r.block {
		// Spread evenly: block i is one of the first Unmovable*n.
		fixed := int(float64(i+1)*spec.Unmovable) > int(float64(i)*spec.Unmovable)
		r.block[i] = block{last: none, node: none, unmovable: fixed}
	}
	if spec.Nodes == nil {
		r.free = make([]int32, n)
		for i := range r.free {
			r.free[i] = int32(n - 1 - i)
		}
	} else {
		r.place()
	}
	rid := RegionID(len(m.regions))
	m.regions = append(m.regions, r)
	s.MapRegion(id, rid)
	return rid
}

// place puts the blocks on the nodes that the region asks for, interleaved, so
// that each stretch of it has the same shares.
func (r *region) place() {
	sum := 0.0
	for _, v := range r.Nodes {
		sum += v
	}
	for i := range r.block {
		best, most := 0, -1.0
		for n, v := range r.Nodes {
			if d := v/sum*float64(i+1)*float64(r.group) - float64(r.on[n]); v > 0 && d > most {
				best, most = n, d
			}
		}
		r.block[i].node = int32(best)
		r.on[best] += r.unitsOf(int32(i))
	}
}

func checkRegion(r *Region, m *memory) error {
	switch {
	case r.Bytes <= 0 || r.Bytes > 1<<50:
		return fmt.Errorf("it has %d bytes, give 1 to 2^50", r.Bytes)
	case r.PageBytes < m.basePage || r.PageBytes%m.basePage != 0:
		return fmt.Errorf("its pages have %d bytes, give a multiple of %d", r.PageBytes, m.basePage)
	case !(r.Unmovable >= 0 && r.Unmovable <= 1):
		return fmt.Errorf("%v of it is unmovable, give 0 to 1", r.Unmovable)
	case len(r.Nodes) > m.nodes:
		return fmt.Errorf("it has shares for %d nodes, the machine has %d", len(r.Nodes), m.nodes)
	}
	if r.Nodes == nil {
		return nil
	}
	sum := 0.0
	for _, v := range r.Nodes {
		if !(v >= 0 && v <= maxLines) {
			return fmt.Errorf("a node's share is %v, give 0 or more", v)
		}
		sum += v
	}
	if sum <= 0 {
		return fmt.Errorf("its shares %v add up to nothing", r.Nodes)
	}
	return nil
}

// MapRegion maps a region of another address space into this one as well.
func (s *Sched) MapRegion(id MM, rid RegionID) {
	m := s.mem
	r, space := &m.regions[rid], &m.mms[id]
	r.users = append(r.users, mapRef{id, int32(len(space.maps))})
	space.maps = append(space.maps, mapping{
		region:    rid,
		state:     make([]pageState, len(r.block)),
		protected: make([]int32, 0, len(r.block)),
	})
	if !r.HugeTLB {
		space.rss += (r.units - r.freeUnits()) * r.span
	}
	space.touchable += int64(len(r.free))
	space.version++
}

// freeUnits is how many pages nobody touched yet.
func (r *region) freeUnits() int64 {
	n := r.units
	for _, v := range r.on {
		n -= v
	}
	return n
}

// Unmap takes a region out of an address space, as munmap does.
func (s *Sched) Unmap(id MM, rid RegionID) {
	m := s.mem
	r, space := &m.regions[rid], &m.mms[id]
	for i := range r.users {
		if r.users[i].mm != id {
			continue
		}
		mp := &space.maps[r.users[i].at]
		mp.gone = true
		space.touchable -= int64(len(mp.protected) + len(r.free))
		mp.protected, mp.users = mp.protected[:0], mp.users[:0]
		if !r.HugeTLB {
			space.rss -= (r.units - r.freeUnits()) * r.span
		}
		r.users = append(r.users[:i], r.users[i+1:]...)
		space.version++
		return
	}
}

// SetMM gives a task of Spawn its address space. The first task of one is its
// process, the others are threads of it (init_numa_balancing).
func (s *Sched) SetMM(t *Task, id MM) { s.initNUMABalancing(nil, t, id) }

// CloneVM makes a forked child a thread of its parent: it shares the address
// space and inherits the preferred node. For use in Workload.Born; what the child
// touches is for SetAccess to say.
func (s *Sched) CloneVM(parent, child *Task) {
	if s.mem == nil || s.mem.tasks[parent.ID].mm == MM(none) {
		return
	}
	s.initNUMABalancing(parent, child, s.mem.tasks[parent.ID].mm)
}

// SetAccess says what a task touches from now on, and how much of its time it
// waits for memory: intensity is the share of its time, 0 to 1, when all that it
// touches is on its own node.
func (s *Sched) SetAccess(t *Task, intensity float64, access ...Access) {
	m := s.memoryNeeded()
	nt := &m.tasks[t.ID]
	if nt.mm == MM(none) {
		s.failStart(fmt.Errorf("schedsim: workload %s: %s touches memory and has none, use SetMM first", s.w.Name(), t.Name))
		return
	}
	if !(intensity >= 0 && intensity <= 1) {
		s.failStart(fmt.Errorf("schedsim: workload %s: %s waits %v of its time for memory, give 0 to 1", s.w.Name(), t.Name, intensity))
		return
	}
	if err := s.checkLatencies(); err != nil {
		s.failStart(err)
		return
	}
	s.dropAccess(t)
	nt.intensity = intensity
	nt.access = append(nt.access[:0], access...)
	sum := 0.0
	for _, a := range access {
		if !(a.Weight >= 0 && a.Weight <= maxLines && a.PagesPerSecond >= 0 && a.PagesPerSecond <= 1e12) {
			s.failStart(fmt.Errorf("schedsim: workload %s: %s has an access of weight %v and %v pages a second, give 0 or more",
				s.w.Name(), t.Name, a.Weight, a.PagesPerSecond))
			return
		}
		sum += a.Weight
	}
	space := &m.mms[nt.mm]
	for i, a := range access {
		if sum > 0 {
			nt.access[i].Weight = a.Weight / sum
		}
		mp := space.mappingOf(a.Region)
		if mp == nil {
			s.failStart(fmt.Errorf("schedsim: workload %s: %s touches region %d, which its address space has not, use MapRegion",
				s.w.Name(), t.Name, a.Region))
			return
		}
		if a.PagesPerSecond > 0 {
			mp.users = append(mp.users, mapUser{t.ID, a.PagesPerSecond / 1e9})
			mp.sum = append(mp.sum[:0], make([]float64, len(mp.users))...)
		}
	}
	nt.settled = s.ranSoFar(t)
	nt.speedVersion = 0
	space.version++
}

func (space *mm) mappingOf(id RegionID) *mapping {
	for i := range space.maps {
		if mp := &space.maps[i]; mp.region == id && !mp.gone {
			return mp
		}
	}
	return nil
}

// dropAccess takes a task out of its regions' users.
func (s *Sched) dropAccess(t *Task) {
	space := s.mem.mm(t)
	for i := range space.maps {
		mp := &space.maps[i]
		for j := range mp.users {
			if mp.users[j].task == t.ID {
				mp.users = append(mp.users[:j], mp.users[j+1:]...)
				break
			}
		}
	}
}

// NodePages returns how many pages of a region are on each node. The caller must
// not change it.
func (s *Sched) NodePages(id RegionID) []int64 { return s.mem.regions[id].on }
