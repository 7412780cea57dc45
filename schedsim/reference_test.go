package schedsim

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/schedlab/schedlab/topology"
)

// observed is what a real kernel did with one task, one value a boot.
type observed struct {
	share       []float64 // of a CPU
	voluntary   []float64 // switches a second
	involuntary []float64
	util        []float64 // util_avg at the end
}

func readReference(t *testing.T) map[string]*observed {
	return readReferenceFile(t, "testdata/reference-6.1.csv")
}

func readReferenceFile(t *testing.T, name string) map[string]*observed {
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment = '#'
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*observed{}
	for _, row := range rows[1:] {
		v := make([]float64, len(row))
		for i := 4; i < len(row); i++ {
			if v[i], err = strconv.ParseFloat(row[i], 64); err != nil {
				t.Fatal(err)
			}
		}
		key := row[0] + "/" + row[3]
		o := out[key]
		if o == nil {
			o = &observed{}
			out[key] = o
		}
		seconds := v[5] / 1e6
		o.share = append(o.share, v[4]/v[5])
		o.voluntary = append(o.voluntary, v[6]/seconds)
		o.involuntary = append(o.involuntary, v[7]/seconds)
		o.util = append(o.util, v[8])
	}
	return out
}

// within reports whether v lies in the spread over the boots, widened by slack
// on both sides: three boots do not show the whole spread, and the virtual CPUs
// that they ran on shared two real ones.
func within(v float64, boots []float64, slack float64) bool {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, b := range boots {
		lo, hi = min(lo, b), max(hi, b)
	}
	return v >= lo-slack && v <= hi+slack
}

// smtGuest is two sockets of one core with two threads in one NUMA node, with
// siblings numbered side by side, as QEMU builds it.
func smtGuest() *topology.Machine {
	m := testMachine(2, 1, 2)
	for i := range m.CPUs {
		c := &m.CPUs[i]
		c.Core, c.L2, c.LLC, c.Socket, c.Node, c.Thread = i/2, i/2, i/2, i/2, 0, i%2
	}
	m.Distances = [][]int{{10}}
	m.Transfer.Remote = map[int]topology.Quantity{10: m.Transfer.SameLLC} // one die, whatever QEMU calls it
	return m
}

// TestReferenceKernel runs the scenarios that real 6.1 kernels ran, and
// compares each task's share of a CPU and its switches. 5.10 schedules these
// cases alike.
func TestReferenceKernel(t *testing.T) {
	const ms = time.Millisecond
	one := func(ops ...Op) scripted { return scripted{ops: ops, cpus: pinned(0)} }
	nice5 := one(hog())
	nice5.nice = 5
	late := one(hog())
	late.start = 200 * ms
	// Born on the CPU that nothing runs on, as the reference says.
	lightLate := scripted{ops: []Op{run(200 * time.Microsecond), sleep(3 * ms)}, start: 50 * ms, cpu: 3}
	at := func(cpu int, st scripted) scripted { st.cpu = cpu; return st }
	onto := func(cpu int) scripted { return scripted{ops: []Op{hog()}, cpus: pinned(cpu), cpu: cpu} }
	const any = -1 // not compared
	// Four busy virtual CPUs on two real ones lose ticks, and with them the
	// ends of slices: up to a quarter of them.
	const lostTicks = 8

	for _, tc := range []struct {
		name    string
		machine *topology.Machine
		tasks   []scripted
		names   []string
		length  time.Duration
		// Slack beyond the spread of the boots.
		share, switches, util float64
	}{
		{"slice-two", testMachine(1, 2, 1), repeat(2, one(hog())), []string{"t_a", "t_b"}, 2000 * ms, .01, 1, any},
		{"slice-eight", testMachine(1, 2, 1), repeat(8, one(hog())),
			[]string{"t_1", "t_2", "t_3", "t_4", "t_5", "t_6", "t_7", "t_8"}, 3000 * ms, .005, 1, any},
		{"nice-shares", testMachine(1, 2, 1), []scripted{one(hog()), one(hog()), nice5}, []string{"t_a", "t_b", "t_c"}, 3000 * ms, .01, 3, any},
		{"wakeup-preempt", testMachine(1, 2, 1), []scripted{one(hog()), one(sleep(9*ms), run(ms))}, []string{"t_hog", "t_light"}, 3000 * ms, .02, 4, any},
		{"wakeup-heavy", testMachine(1, 2, 1), []scripted{one(hog()), one(sleep(6*ms), run(4*ms))}, []string{"t_hog", "t_half"}, 3000 * ms, .02, 6, any},
		{"pelt-ramp", testMachine(1, 2, 1), []scripted{late}, []string{"t_a"}, 300 * ms, .01, any, 4},
		{"pelt-periodic", testMachine(1, 2, 1), []scripted{one(run(2*ms), sleep(8*ms))}, []string{"t_a"}, 2000 * ms, .04, any, 15},
		{"pingpong-pinned", testMachine(1, 2, 1), []scripted{
			one(send(0), recv(1), run(100*time.Microsecond)), one(recv(0), run(100*time.Microsecond), send(1))},
			[]string{"t_a", "t_b"}, 1500 * ms, .01, any, any},
		{"hogs-sixteen", testMachine(1, 4, 1), repeat(16, scripted{ops: []Op{hog()}}),
			[]string{"t_1", "t_2", "t_3", "t_4", "t_5", "t_6", "t_7", "t_8"}, 3000 * ms, .025, lostTicks, any},
		{"hogs-five", testMachine(1, 4, 1), repeat(5, scripted{ops: []Op{hog()}}),
			[]string{"t_1", "t_2", "t_3", "t_4", "t_5"}, 4000 * ms, .05, lostTicks, any},
		{"pingpong", testMachine(1, 4, 1), []scripted{
			{ops: []Op{send(0), recv(1), run(100 * time.Microsecond)}}, at(1, scripted{ops: []Op{recv(0), run(100 * time.Microsecond), send(1)}})},
			[]string{"t_a", "t_b"}, 1500 * ms, .05, any, any},
		{"wake-to-idle", testMachine(1, 4, 1), []scripted{onto(0), onto(1), onto(2), lightLate},
			[]string{"t_h0", "t_h1", "t_h2", "t_light"}, 2000 * ms, .03, any, any},
		{"smt-two", smtGuest(), hogs(2), []string{"t_a", "t_b"}, 2000 * ms, .01, 3, any},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			reference := readReference(t)
			for _, kernel := range []func(int) Kernel{V510, V61} {
				w := &script{tasks: tc.tasks, channels: 2}
				s := newKernelSched(t, kernel(len(tc.machine.CPUs)), tc.machine, w, true)
				simulate(t, s, tc.length)
				for i, name := range tc.names {
					o := reference[tc.name+"/"+name]
					if o == nil {
						t.Fatalf("no reference for %s", name)
					}
					task := &s.tasks[i]
					seconds := (tc.length - w.tasks[i].start).Seconds()
					if tc.name == "pelt-ramp" {
						seconds = tc.length.Seconds() // the reference counts its sleep too
					}
					compare := func(what string, got float64, want []float64, slack float64) {
						if slack != any && !within(got, want, slack) {
							t.Errorf("%s, %s: %s %.3f, real kernels %s", s.k.Version, name, what, got, spread(want))
						}
					}
					compare("share of a CPU", float64(s.ran(int32(i)))/1e9/seconds, o.share, tc.share)
					compare("involuntary switches a second", float64(task.nivcsw)/seconds, o.involuntary, tc.switches)
					compare("voluntary switches a second", float64(task.nvcsw)/seconds, o.voluntary, tc.switches)
					compare("util_avg", float64(s.ents[task.se].avg.util), o.util, tc.util)
				}
			}
		})
	}
}

func spread(v []float64) string { return fmt.Sprintf("%.3f", v) }
