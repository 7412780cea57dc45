package scenario

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Bounds of a file.
const (
	maxDuration = 600_000     // ms
	maxMicros   = 600_000_000 // of one operation
	maxTasks    = 1000
	maxOps      = 64
	maxChannels = 64
	maxChildren = 1000
	maxName     = 15 // of a task: what the kernel keeps of it
)

// Load reads a scenario file for a machine with that many CPUs. The scenario has
// the file's name.
func Load(path string, cpus int) (*Scenario, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("scenario: %w", err)
	}
	defer f.Close()
	sc, err := Parse(f, path, cpus)
	if err != nil {
		return nil, err
	}
	sc.Name = filepath.Base(path)
	return sc, nil
}

// Parse reads a scenario for a machine with that many CPUs. Errors name file and
// line and what would be right.
func Parse(r io.Reader, file string, cpus int) (*Scenario, error) {
	p := parser{sc: &Scenario{Name: file, Duration: time.Second}, cpus: cpus}
	in := bufio.NewScanner(r)
	line, header := 0, true
	for in.Scan() {
		line++
		text := strings.TrimSpace(in.Text())
		switch {
		case text == "":
			continue
		case text[0] == '#':
			if header {
				p.sc.Comment = strings.TrimSpace(p.sc.Comment + " " + strings.TrimSpace(text[1:]))
			}
			continue
		}
		header = false
		var err error
		if words := strings.Fields(text); words[0][0] == '@' {
			err = p.directive(words)
		} else {
			err = p.task(words)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, line, err)
		}
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", file, line+1, err)
	}
	if len(p.sc.Tasks) == 0 {
		return nil, fmt.Errorf("%s:%d: no task, give lines of NAME NICE CPUS START OP", file, line+1)
	}
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", file, line+1, err)
	}
	return p.sc, nil
}

type parser struct {
	sc   *Scenario
	cpus int
}

func (p *parser) directive(words []string) error {
	args := words[1:]
	need := func(n int, form string) error {
		if len(args) != n {
			return fmt.Errorf("%s has %d arguments, write %s", words[0], len(args), form)
		}
		return nil
	}
	switch words[0] {
	case "@duration":
		if err := need(1, "@duration MS"); err != nil {
			return err
		}
		ms, err := number(args[0], "a duration in ms", 1, maxDuration)
		p.sc.Duration = time.Duration(ms) * time.Millisecond
		return err
	case "@group":
		if err := need(2, "@group NAME WEIGHT"); err != nil {
			return err
		}
		if p.group(args[0]) >= 0 {
			return fmt.Errorf("group %s is there already", args[0])
		}
		weight, err := number(args[1], "a weight", 1, 10000)
		p.sc.Groups = append(p.sc.Groups, Group{Name: args[0], Weight: int64(weight)})
		return err
	case "@bandwidth":
		if err := need(3, "@bandwidth GROUP QUOTA PERIOD"); err != nil {
			return err
		}
		g := p.group(args[0])
		if g < 0 {
			return p.noGroup(args[0])
		}
		quota, err := number(args[1], "a quota in us", 1000, 1_000_000_000)
		if err != nil {
			return err
		}
		period, err := number(args[2], "a period in us", 1000, 1_000_000)
		p.sc.Groups[g].Quota = time.Duration(quota) * time.Microsecond
		p.sc.Groups[g].Period = time.Duration(period) * time.Microsecond
		return err
	case "@autogroup":
		if err := need(1, "@autogroup on"); err != nil {
			return err
		}
		if args[0] != "on" && args[0] != "off" {
			return fmt.Errorf("@autogroup is %q, write on or off", args[0])
		}
		p.sc.Autogroup = args[0] == "on"
		return nil
	}
	return fmt.Errorf("unknown directive %s, known are @duration, @group, @bandwidth and @autogroup", words[0])
}

func (p *parser) task(words []string) error {
	if len(words) < 5 {
		return fmt.Errorf("a task has %d words, write NAME NICE CPUS START OP", len(words))
	}
	if len(p.sc.Tasks) == maxTasks {
		return fmt.Errorf("more than %d tasks", maxTasks)
	}
	t := Task{Name: words[0]}
	if len(t.Name) > maxName {
		return fmt.Errorf("the name %s is longer than the %d bytes that a kernel keeps", t.Name, maxName)
	}
	if slices.ContainsFunc(p.sc.Tasks, func(o Task) bool { return o.Name == t.Name }) {
		return fmt.Errorf("task %s is there already", t.Name)
	}
	var err error
	if t.Nice, err = number(words[1], "a nice value", -20, 19); err != nil {
		return err
	}
	if t.CPUs, err = p.cpuList(words[2]); err != nil {
		return err
	}
	start, err := number(words[3], "a start in ms", 0, maxDuration)
	if err != nil {
		return err
	}
	t.Start = time.Duration(start) * time.Millisecond
	for _, w := range words[4:] {
		if len(t.Ops) == maxOps {
			return fmt.Errorf("task %s has more than %d operations", t.Name, maxOps)
		}
		if w == "once" {
			t.Once = len(t.Ops)
			continue
		}
		op, err := p.op(w)
		if err != nil {
			return err
		}
		t.Ops = append(t.Ops, op)
	}
	if t.Once == len(t.Ops) {
		return fmt.Errorf("task %s has nothing to repeat, give an operation after once", t.Name)
	}
	if err := checkLoop(&t); err != nil {
		return err
	}
	p.sc.Tasks = append(p.sc.Tasks, t)
	return nil
}

// checkLoop refuses a loop that takes no time: the scenario would not end.
func checkLoop(t *Task) error {
	forks := false
	for _, op := range t.Ops {
		forks = forks || op.Kind == Fork
	}
	if forks && loopTime(t) < time.Millisecond {
		return fmt.Errorf("task %s forks and runs or sleeps for less than 1 ms a turn, give it more", t.Name)
	}
	for _, op := range t.Ops[t.Once:] {
		switch op.Kind {
		case Run, Hog, Sleep, Send, Recv, Wake, Wait, Barrier, Fork, Yield:
			return nil
		}
	}
	return fmt.Errorf("task %s repeats nothing that takes time, give a run, hog or sleep", t.Name)
}

// loopTime is the least that one turn takes.
func loopTime(t *Task) (d time.Duration) {
	for _, op := range t.Ops[t.Once:] {
		switch op.Kind {
		case Run, Sleep:
			d += op.D
		case Hog:
			return maxDuration * time.Millisecond
		}
	}
	return d
}

// check looks at what only the whole file shows.
func (p *parser) check() error {
	meets := map[int]int{}
	for i := range p.sc.Tasks {
		for _, op := range p.sc.Tasks[i].Ops {
			if op.Kind != Barrier {
				continue
			}
			if m, ok := meets[op.N]; ok && m != op.M {
				return fmt.Errorf("barrier %d is for %d tasks in one line and for %d in another", op.N, m, op.M)
			}
			meets[op.N] = op.M
		}
	}
	return nil
}

func (p *parser) group(name string) int {
	return slices.IndexFunc(p.sc.Groups, func(g Group) bool { return g.Name == name })
}

func (p *parser) noGroup(name string) error {
	var names []string
	for _, g := range p.sc.Groups {
		names = append(names, g.Name)
	}
	if names == nil {
		return fmt.Errorf("group %s is not declared, write @group %s WEIGHT before", name, name)
	}
	return fmt.Errorf("group %s is not declared, declared are %s", name, strings.Join(names, ", "))
}

// cpuList reads a list such as 0-3,6, or - for all.
func (p *parser) cpuList(s string) ([]int, error) {
	if s == "-" {
		return nil, nil
	}
	var cpus []int
	for _, part := range strings.Split(s, ",") {
		from, to, ranged := strings.Cut(part, "-")
		a, err := p.cpu(from)
		if err != nil {
			return nil, err
		}
		b := a
		if ranged {
			if b, err = p.cpu(to); err != nil {
				return nil, err
			}
		}
		if b < a {
			return nil, fmt.Errorf("CPU list %q runs backwards", s)
		}
		for ; a <= b; a++ {
			cpus = append(cpus, a)
		}
	}
	slices.Sort(cpus)
	return slices.Compact(cpus), nil
}

func (p *parser) cpu(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%q is no CPU, write - for any or a list such as 0-3,6", s)
	}
	if n >= p.cpus {
		return 0, fmt.Errorf("CPU %d is beyond the machine, which has CPUs 0-%d", n, p.cpus-1)
	}
	return n, nil
}

func number(s, what string, lo, hi int) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil {
		if errors.Is(err, strconv.ErrRange) {
			return 0, fmt.Errorf("%s is out of range as %s, give %d to %d", s, what, lo, hi)
		}
		return 0, fmt.Errorf("%q is not %s, give %d to %d", s, what, lo, hi)
	}
	if n < lo || n > hi {
		return 0, fmt.Errorf("%d is out of range as %s, give %d to %d", n, what, lo, hi)
	}
	return n, nil
}
