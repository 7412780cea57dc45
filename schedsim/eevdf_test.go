package schedsim

import (
	"cmp"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// A fairQueue is EEVDF's queue by the definitions of the paper (I. Stoica, H.
// Abdel-Wahab, "Earliest Eligible Virtual Deadline First", 1995), with fractions:
// an entity's lag is its weight times V - v, V is where the lags sum to nothing,
// an entity is eligible if its lag is not negative, and of the eligible that with
// the earliest deadline is served.
type fairQueue struct {
	ids                []int32
	v, deadline, weigh map[int32]*big.Rat
	average            *big.Rat // V
}

func (s *Sched) fairQueue(q *cfsRQ) *fairQueue {
	f := &fairQueue{v: map[int32]*big.Rat{}, deadline: map[int32]*big.Rat{}, weigh: map[int32]*big.Rat{}}
	add := func(se int32) {
		e := &s.ents[se]
		f.ids = append(f.ids, se)
		f.v[se] = big.NewRat(e.vruntime, 1)
		f.deadline[se] = big.NewRat(e.deadline, 1)
		f.weigh[se] = big.NewRat(scaleDown(e.load.weight), 1)
	}
	for _, n := range q.timeline {
		add(n.se)
	}
	if q.curr != none && s.ents[q.curr].onRQ {
		add(q.curr) // last: with equal deadlines the others go first
	}
	sum, weight := new(big.Rat), new(big.Rat)
	for _, id := range f.ids {
		sum.Add(sum, new(big.Rat).Mul(f.weigh[id], f.v[id]))
		weight.Add(weight, f.weigh[id])
	}
	f.average = sum.Quo(sum, weight)
	return f
}

// lag is the entity's lag, by its weight.
func (f *fairQueue) lag(id int32) *big.Rat {
	d := new(big.Rat).Sub(f.average, f.v[id])
	return d.Mul(d, f.weigh[id])
}

func (f *fairQueue) serve() int32 {
	best := none
	for _, id := range f.ids {
		if f.lag(id).Sign() >= 0 && (best == none || f.deadline[id].Cmp(f.deadline[best]) < 0) {
			best = id
		}
	}
	return best
}

func floor(r *big.Rat) int64 {
	return new(big.Int).Div(r.Num(), r.Denom()).Int64() // rounds down for positive divisors
}

// TestEEVDFDefinitions: on random queues V, eligibility, the lags and the choice
// are those of the definitions, while entities come, go, run and get other
// weights.
func TestEEVDFDefinitions(t *testing.T) {
	const entities = 20
	for seed := range uint64(10) {
		rnd := rand.New(rand.NewPCG(seed, 2))
		k := V612(8)
		k.RunToParity = seed%2 == 0
		s := newUnit(t, k, entities, false)
		q := &s.cfs[0]
		q.minVruntime = 1e12
		for i := range entities {
			e := &s.ents[s.tasks[i].se]
			e.load.set(prioToWeight[rnd.IntN(40)] << fixedShift)
			e.slice, e.customSlice = 100e3+rnd.Int64N(10e6), true
		}
		for range 300 {
			se := s.tasks[rnd.IntN(entities)].se
			e := &s.ents[se]
			switch {
			case !e.onRQ:
				e.vlag = rnd.Int64N(2e6) - 1e6
				s.placeEEVDF(q, se, 0)
				s.accountEnqueue(q, e)
				s.insertTimeline(q, se)
				e.onRQ = true
			case q.curr == se:
				e.vruntime += s.calcDeltaFair(rnd.Int64N(4e6), &e.load)
				s.updateDeadline(e)
			case rnd.IntN(4) == 0:
				s.removeTimeline(q, se)
				e.onRQ = false
				s.accountDequeue(q, e)
			case rnd.IntN(3) == 0:
				s.removeTimeline(q, se)
				if q.curr != none {
					s.insertTimeline(q, q.curr)
				}
				q.curr = se
				e.vlag = e.deadline
				e.execStart = s.now
			default:
				s.reweightEntity(q, se, prioToWeight[rnd.IntN(40)]<<fixedShift)
			}
			s.updateMinVruntimeEEVDF(q)
			if q.nrRunning == 0 {
				continue
			}
			if err := s.verifyTimeline(q); err != nil {
				t.Fatal(err)
			}
			s.compareDefinitions(t, q)
			if t.Failed() {
				return
			}
		}
	}
}

func (s *Sched) compareDefinitions(t *testing.T, q *cfsRQ) {
	t.Helper()
	f := s.fairQueue(q)
	v := s.averageVruntime(q)
	if want := floor(f.average); v != want {
		t.Errorf("V is %d, want %d", v, want)
	}
	sum, bound := int64(0), int64(0)
	for _, id := range f.ids {
		w := scaleDown(s.ents[id].load.weight)
		sum += w * (v - s.ents[id].vruntime)
		bound += w
		if got, want := s.eligible(q, s.ents[id].vruntime), f.lag(id).Sign() >= 0; got != want {
			t.Errorf("entity %d: eligible %v, want %v", id, got, want)
		}
	}
	// V is rounded down by less than 1, each lag by that times its weight.
	if sum > 0 || sum <= -bound {
		t.Errorf("the lags sum to %d, want 0 to %d", sum, -bound)
	}
	want := f.serve()
	if c := q.curr; c != none && s.k.RunToParity && s.ents[c].vlag == s.ents[c].deadline && f.lag(c).Sign() >= 0 {
		want = c // protected
	}
	if got := s.pickEEVDF(q); got != want {
		t.Errorf("picked %d, want %d of %v", got, want, f.ids)
	}
}

// TestTimelineOrder: entities leave in the order of their deadlines, and with
// equal deadlines in that of their arrival.
func TestTimelineOrder(t *testing.T) {
	const entities = 300
	s := newUnit(t, V612(8), entities, false)
	q := &s.cfs[0]
	rnd := rand.New(rand.NewPCG(1, 2))
	want := make([]int32, entities)
	for i := range want {
		se := s.tasks[i].se
		s.ents[se].deadline = rnd.Int64N(50)
		want[i] = se
		s.insertTimeline(q, se)
	}
	slices.SortStableFunc(want, func(a, b int32) int { return cmp.Compare(s.ents[a].deadline, s.ents[b].deadline) })
	for i, n := range q.timeline {
		if n.se != want[i] {
			t.Fatalf("entity %d at %d, want %d", n.se, i, want[i])
		}
	}
	for _, i := range rnd.Perm(entities) {
		s.removeTimeline(q, s.tasks[i].se)
	}
	if q.avgLoad != 0 || q.avgVruntime != 0 || len(q.timeline) != 0 {
		t.Errorf("sums %d and %d of no entity", q.avgVruntime, q.avgLoad)
	}
}

// TestReweightKeepsLag: what an entity is owed in CPU time and how much of it
// until its deadline does not change with its weight, and V does not move.
func TestReweightKeepsLag(t *testing.T) {
	for _, tc := range []struct {
		name     string
		from, to int64
	}{
		{"half", 1024, 512}, {"double", 1024, 2048}, {"tenth", 1000, 100}, {"same-but-one", 1024, 1025},
	} {
		for _, current := range []bool{false, true} {
			s := newUnit(t, V612(8), 2, false)
			q := &s.cfs[0]
			a, b := s.queueTask(0), s.queueTask(1)
			s.reweightEntity(q, a.se, tc.from<<fixedShift)
			e := &s.ents[a.se]
			if s.pick() != a.ID {
				s.putPrevEntity(b.se)
				s.setNextEntity(a.se)
			}
			s.pass(2e6)
			if !current {
				s.putPrevEntity(a.se)
				s.setNextEntity(b.se)
			}
			v := s.averageVruntime(q)
			lag, left := (v-e.vruntime)*tc.from, (e.deadline-v)*tc.from
			s.reweightEntity(q, a.se, tc.to<<fixedShift)
			moved := s.averageVruntime(q)
			gotLag, gotLeft := (moved-e.vruntime)*tc.to, (e.deadline-moved)*tc.to
			near := func(a, b, by int64) bool { return max(a-b, b-a) <= by }
			if !near(moved, v, 1) || !near(gotLag, lag, 3*max(tc.from, tc.to)) || !near(gotLeft, left, 3*max(tc.from, tc.to)) {
				t.Errorf("%s, current %v: V %d, lag %d, deadline in %d; before %d, %d, %d", tc.name, current, moved, gotLag, gotLeft, v, lag, left)
			}
			if current && e.vlag == e.deadline {
				t.Errorf("%s: the running task is still protected", tc.name)
			}
		}
	}
}
