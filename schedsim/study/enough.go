package study

import (
	"context"
	"math"
	"time"

	"gonum.org/v1/gonum/stat"

	"github.com/schedlab/schedlab/schedsim"
)

// WidthWanted is how wide, in percentage points, the 95 % interval of an effect may
// be as far as single runs go for no more of them to be needed, where the published
// effect has no noise that is larger than ten times this; see widthWanted.
const WidthWanted = 1.0

// widthWanted is a tenth of the noise of a published effect, but not below
// WidthWanted: runs to the point tell nothing more of a counter that is published to
// the half of itself.
func widthWanted(n Noise) float64 { return max(WidthWanted, n.Pct/10) }

// RunWidth is the width of the 95 % interval that the effect would have if the
// constant sets were certain: that of the paired differences about the mean of
// their set, pooled over the sets. More runs narrow it, unlike that of Overall,
// which is also as wide as the sets differ. It is NaN without two runs of one set.
func (g PairedGroups) RunWidth() (width float64, runs int) {
	squares, df := 0.0, 0
	for s := range g.Base {
		u, v := g.quantities(s)
		runs += len(u)
		if len(u) < 2 {
			continue
		}
		squares += float64(len(u)-1) * stat.Variance(linearised(u, v, Mean(u), Mean(v)), nil)
		df += len(u) - 1
	}
	return 2 * halfWidth(squares/float64(df), runs, df), runs
}

// moreRuns is about how many paired runs it takes beyond those that there are for a
// width to come down to what is wanted.
func moreRuns(width, wanted float64, runs int) int {
	if !(width > wanted) {
		return 0
	}
	return int(math.Ceil(float64(runs) * (width*width/(wanted*wanted) - 1)))
}

// mostRuns is how many runs of each kind a plan may have.
func (p *Plan) mostRuns() int { return max(p.N, p.MaxN) }

// extend does further runs, beyond the plan's N, of the rows whose interval is too
// wide, one of each arm and set at a time, until none is, MaxN is reached or the
// budget is spent.
func extend(ctx context.Context, s *Study, plan Plan, runner Runner, store *Store, opt Options, begin time.Time) error {
	for run := plan.N; run < plan.mostRuns(); run++ {
		if plan.Budget > 0 && time.Since(begin) > plan.Budget {
			return nil
		}
		runs, err := readRuns(s, plan, store, opt.Identity)
		if err != nil {
			return err
		}
		var jobs []Job
		for _, j := range runs.next {
			if j.Run == run {
				jobs = append(jobs, j)
			}
		}
		if len(jobs) == 0 {
			return nil
		}
		if err := runAll(ctx, jobs, runner, store, opt); err != nil {
			return err
		}
	}
	return nil
}

// planRuns is what a store has of a plan: by point, the runs that count.
type planRuns struct {
	points     []point
	by         []*pointRuns
	have, want int
	// next are the jobs of one more run of the points that need more.
	next []Job
}

// readRuns reads the runs of a plan: N of each kind, and of the points whose
// interval is too wide with these further ones, as long as it stays so and the store
// has them whole. What counts is thus decided by what runs gave, not by when they
// were made.
func readRuns(s *Study, plan Plan, store *Store, ident Identity) (*planRuns, error) {
	points, err := s.points(plan)
	if err != nil {
		return nil, err
	}
	out := &planRuns{points: points, by: make([]*pointRuns, len(points))}
	sets := len(s.constantSets(plan.Sets))
	for i := range out.by {
		out.by[i] = newPointRuns(sets, max(plan.mostRuns(), plan.Histories))
	}
	first, err := Jobs(s, plan, ident)
	if err != nil {
		return nil, err
	}
	out.want = len(first)
	err = store.getAll(first, func(j Job, r schedsim.Result, ok bool) {
		if ok {
			out.have++
			out.by[j.point].put(j, r)
		}
	})
	if err != nil {
		return nil, err
	}
	open := make([]bool, len(points))
	for i := range points {
		open[i] = points[i].published()
	}
	for run := plan.N; run < plan.mostRuns(); run++ {
		for i := range points {
			if open[i] {
				if open[i], err = s.tooWide(&points[i], out.by[i]); err != nil {
					return nil, err
				}
			}
		}
		jobs, err := s.jobsOf(plan, ident, points, run, func(i int) bool { return open[i] })
		if err != nil {
			return nil, err
		}
		whole := make([]bool, len(points))
		copy(whole, open)
		type found struct {
			job    Job
			result schedsim.Result
		}
		var got []found
		err = store.getAll(jobs, func(j Job, r schedsim.Result, ok bool) {
			if ok {
				got = append(got, found{j, r})
			} else {
				whole[j.point] = false
			}
		})
		if err != nil {
			return nil, err
		}
		for _, j := range jobs {
			if !whole[j.point] {
				out.next = append(out.next, j)
			}
		}
		for _, f := range got {
			if whole[f.job.point] {
				out.by[f.job.point].put(f.job, f.result)
				out.have++
				out.want++
			}
		}
		for i := range open {
			open[i] = open[i] && whole[i]
		}
	}
	return out, nil
}

// tooWide reports whether the interval of some cell of the point is.
func (s *Study) tooWide(p *point, runs *pointRuns) (bool, error) {
	for _, ref := range p.cells {
		t := &s.Tables[ref.table]
		r := &t.Rows[ref.row]
		g, err := runs.pairs(ArmBase, runs, ArmPatched).groups(t.Statistic, figure{t.MetricOf(r), t.UnitOf(r)})
		if err != nil {
			return false, err
		}
		if width, _ := g.RunWidth(); width > widthWanted(r.Noise) {
			return true, nil
		}
	}
	return false, nil
}
