package schedsim

import (
	"testing"
	"time"
)

// TestReferenceClasses runs scenarios with a real-time task that real kernels
// ran, and compares shares and switches.
//
// A turn of the real-time task is as long as its CPU time was there: polling a
// clock of a virtual CPU makes it up to a half longer than the scenario says.
// A real CPU wakes it a little late, so that its turns are fewer by 5 %.
func TestReferenceClasses(t *testing.T) {
	const ms = time.Millisecond
	rt := func(pause, work time.Duration) scripted {
		return scripted{ops: []Op{sleep(pause), run(work)}, cpus: pinned(0), attr: SchedAttr{Policy: PolicyFIFO, Priority: 10}}
	}
	fair := scripted{ops: []Op{hog()}, cpus: pinned(0)}
	for _, tc := range []struct {
		name     string
		version  string
		kernel   func(cpus int) Kernel
		tasks    []scripted
		names    []string
		switches float64 // slack, a second
	}{
		{"fifo-and-fair", "6.1", V61, []scripted{rt(9*ms, 1200*time.Microsecond), fair}, []string{"t_rt", "t_hog"}, 5},
		{"fifo-half", "6.1", V61, []scripted{rt(5*ms, 5200*time.Microsecond), fair}, []string{"t_rt", "t_hog"}, 5},
		{"group-fifo-nivcsw", "6.1", V61, []scripted{rt(2*ms, 240*time.Microsecond), fair, fair}, []string{"t_rt", "t_a1", "t_a2"}, 20},
		{"fifo-and-fair", "6.12", V612, []scripted{rt(9*ms, 1200*time.Microsecond), fair}, []string{"t_rt", "t_hog"}, 5},
		{"fifo-half", "6.12", V612, []scripted{rt(5*ms, 5200*time.Microsecond), fair}, []string{"t_rt", "t_hog"}, 5},
	} {
		t.Run(tc.version+"/"+tc.name, func(t *testing.T) {
			t.Parallel()
			reference := readReferenceFile(t, "testdata/reference-classes-"+tc.version+".csv")
			m := testMachine(1, 2, 1)
			w := &script{tasks: tc.tasks}
			s := newKernelSched(t, tc.kernel(len(m.CPUs)), m, w, false)
			const length = 3 * time.Second
			simulate(t, s, length)
			for i, name := range tc.names {
				o, task := reference[tc.name+"/"+name], &s.tasks[i]
				compare := func(what string, got float64, want []float64, slack float64) {
					if !within(got, want, slack) {
						t.Errorf("%s: %s %.3f, real kernels %s", name, what, got, spread(want))
					}
				}
				compare("share of a CPU", float64(s.ran(int32(i)))/1e9/length.Seconds(), o.share, .02)
				compare("involuntary switches a second", float64(task.nivcsw)/length.Seconds(), o.involuntary, tc.switches)
				compare("voluntary switches a second", float64(task.nvcsw)/length.Seconds(), o.voluntary, tc.switches)
			}
		})
	}
}
