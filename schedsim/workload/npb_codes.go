package workload

// The parallel regions and loops of the programs, from the sources of NPB3.3-OMP.
// Which loops there are, over what, and where a barrier ends them is theirs ("derived");
// the shares of a step's work are assumed, after the profiles that the programs
// print with timer.flag.
//
// Loops are scheduled statically, over one direction of the grid: with 162 points
// and 160 threads a loop over all of them gives two threads twice the work, while one
// over inner points gives each thread the same.

// npbKind is what a segment of a program is.
type npbKind uint8

const (
	npbFork  npbKind = iota // the master begins a parallel region
	npbJoin                 // a barrier: of a loop without nowait, or the end of a region
	npbLoop                 // iterations, each the same work
	npbSweep                // one of lu's, plane by plane from thread to thread
)

// npbSegment is a piece of a program that all threads go through.
type npbSegment struct {
	kind  npbKind
	rows  int     // iterations of the loop, or rows of a plane
	share float64 // work, by all threads
	// A sweep's planes, and how much of its work is on Jacobians, which do not
	// depend on what the thread before has done.
	planes   int
	jacobian float64
	// irregular is the half-width of the spread of the threads' work, where
	// elements are not alike.
	irregular float64
}

func (g *npbSegment) scale(by float64) { g.share *= by }

// npbShared is the part of the accesses that go to all of the data alike: z_solve of
// bt and sp runs along the direction by which the data are spread, lu's sweeps and
// half of its right-hand side go through all planes, ua's elements find their
// neighbours anywhere. Assumed from the shares of these loops.
var npbShared = map[string]float64{"bt": 0.3, "lu": 0.8, "sp": 0.3, "ua": 0.3}

// region is a parallel region with loops that each end with a barrier.
func region(segments []npbSegment, loops ...npbSegment) []npbSegment {
	segments = append(segments, npbSegment{kind: npbFork})
	for _, l := range loops {
		segments = append(segments, l)
		if l.kind == npbLoop || l.kind == npbSweep {
			segments = append(segments, npbSegment{kind: npbJoin})
		}
	}
	return segments
}

func loop(rows int, share float64) npbSegment {
	return npbSegment{kind: npbLoop, rows: rows, share: share}
}

// irregular is a loop in which threads differ in their work.
func irregular(rows int, share, spread float64) npbSegment {
	return npbSegment{kind: npbLoop, rows: rows, share: share, irregular: spread}
}

// collapse makes the loops those of NPB3.4, which have collapse(2): each thread gets a
// share of the rows of all planes, so that few are left over.
func collapse(p []npbSegment) {
	for i := range p {
		if p[i].kind == npbLoop {
			p[i].rows *= p[i].rows
		}
	}
}

// npbProgram returns the segments between two states that are alike, and how many
// time steps these are.
func npbProgram(code string, size npbSize) ([]npbSegment, float64) {
	n, inner := size.points, size.points-2
	var p []npbSegment
	switch code {
	case "bt":
		// compute_rhs, x_solve, y_solve, z_solve, add.
		p = region(p, loop(n, .03), loop(inner, .06), loop(inner, .03), loop(inner, .03), loop(inner, .01))
		for _, share := range []float64{.27, .27, .28, .02} {
			p = region(p, loop(inner, share))
		}
	case "sp":
		// compute_rhs, txinvr, x_solve, ninvr, y_solve, pinvr, z_solve, tzetar, add.
		p = region(p, loop(n, .06), loop(inner, .12), loop(inner, .06), loop(inner, .06), loop(inner, .03))
		for _, share := range []float64{.04, .14, .03, .15, .03, .18, .05, .05} {
			p = region(p, loop(inner, share))
		}
	case "lu":
		// ssor: scaling, the lower and the upper sweep, update; then rhs.
		sweep := func(share, jacobian float64) npbSegment {
			return npbSegment{kind: npbSweep, rows: inner, share: share, planes: inner, jacobian: jacobian}
		}
		p = region(p, loop(inner, .02), sweep(.35, .48), sweep(.36, .47), loop(inner, .03))
		p = region(p, loop(n, .04), loop(inner, .14), loop(inner, .06))
	case "ua":
		return uaProgram(size.elements)
	}
	return p, 1
}

// Of ua: every fifth step the mesh is adapted (fre). Assumed: what that takes, in
// steps, and how far threads' work differs in it, as elements are refined where the
// heat source is.
const (
	uaAdaptEvery     = 5
	uaAdaptation     = 0.6
	uaAdaptSpread    = 0.3
	uaAdaptLoops     = 12
	uaCGIterations   = 10
	uaTransferSpread = 0.05 // by locks and mortars of refined neighbours
)

// uaProgram is five time steps and an adaptation.
func uaProgram(elements int) ([]npbSegment, float64) {
	var p []npbSegment
	each := func(share float64) npbSegment { return loop(elements, share) }
	transfer := func(share float64) npbSegment { return irregular(elements, share, uaTransferSpread) }
	for range uaAdaptEvery {
		// convect: the elements, transfb_c, the mean.
		p = region(p, each(.08))
		p = region(p, each(.01), transfer(.02))
		p = region(p, each(.01))
		// transf, the residual, transfb, boundary conditions.
		p = region(p, each(.01))
		p = region(p, transfer(.02))
		p = region(p, each(.02), each(.005))
		p = region(p, each(.005), transfer(.02))
		p = region(p, each(.005))
		p = region(p, each(.005))
		// diffusion: a conjugate gradient solver.
		p = region(p, each(.01))
		p = region(p, each(.01))
		for range uaCGIterations {
			p = region(p, each(.004))
			p = region(p, each(.003))
			p = region(p, each(.003))
			p = region(p, each(.003))
			p = region(p, transfer(.012))
			p = region(p, each(.018))
			p = region(p, each(.003), transfer(.012))
			p = region(p, each(.003))
			p = region(p, each(.004))
			p = region(p, each(.008))
		}
		p = region(p, transfer(.015))
		p = region(p, each(.01))
	}
	for range uaAdaptLoops {
		p = region(p, irregular(elements, uaAdaptation/uaAdaptLoops, uaAdaptSpread))
	}
	return p, uaAdaptEvery
}
