package scenario

import (
	"fmt"
	"strings"
	"time"
)

// operations are those that a file can name, in the order of the format's
// description, with the form of what follows the colon.
var operations = []struct {
	name string
	kind Kind
	form string // of the argument, "" for none
}{
	{"run", Run, "US"}, {"hog", Hog, ""}, {"sleep", Sleep, "US"},
	{"send", Send, "N"}, {"recv", Recv, "N"}, {"wake", Wake, "N"}, {"wait", Wait, "N"},
	{"barrier", Barrier, "N,M"}, {"fork", Fork, "N,US"}, {"yield", Yield, ""},
	{"nice", Nice, "N"}, {"fifo", FIFO, "P"}, {"rr", RR, "P"},
	{"batch", Batch, ""}, {"idle", Idle, ""}, {"other", Other, ""},
	{"group", JoinGroup, "NAME"}, {"session", Session, ""},
}

// op reads one operation.
func (p *parser) op(s string) (Op, error) {
	name, arg, has := strings.Cut(s, ":")
	for _, o := range operations {
		if o.name != name {
			continue
		}
		switch {
		case o.form == "" && has:
			return Op{}, fmt.Errorf("%s takes no argument, write %s", name, name)
		case o.form != "" && !has:
			return Op{}, fmt.Errorf("%s lacks its argument, write %s:%s", name, name, o.form)
		}
		return p.argument(Op{Kind: o.kind}, arg)
	}
	var known []string
	for _, o := range operations {
		known = append(known, o.name)
	}
	return Op{}, fmt.Errorf("unknown operation %q, known are %s and once", name, strings.Join(known, ", "))
}

// argument reads what follows the colon.
func (p *parser) argument(op Op, arg string) (_ Op, err error) {
	us := func(s string) time.Duration {
		n := 0
		n, err = number(s, "a time in us", 1, maxMicros)
		return time.Duration(n) * time.Microsecond
	}
	switch op.Kind {
	case Run, Sleep:
		op.D = us(arg)
	case Send, Recv:
		op.N, err = number(arg, "the number of a pipe", 0, maxChannels-1)
	case Wake, Wait:
		op.N, err = number(arg, "the number of a futex", 0, maxChannels-1)
	case Nice:
		op.N, err = number(arg, "a nice value", -20, 19)
	case FIFO, RR:
		op.N, err = number(arg, "a real-time priority", 1, 99)
	case JoinGroup:
		if op.N = p.group(arg); op.N < 0 {
			err = p.noGroup(arg)
		}
	case Barrier:
		n, m, two := strings.Cut(arg, ",")
		if !two {
			return op, fmt.Errorf("barrier:%s lacks how many tasks meet, write barrier:N,M", arg)
		}
		if op.N, err = number(n, "the number of a barrier", 0, maxChannels-1); err == nil {
			op.M, err = number(m, "a number of tasks", 2, maxTasks)
		}
	case Fork:
		n, d, two := strings.Cut(arg, ",")
		if !two {
			return op, fmt.Errorf("fork:%s lacks how long a child runs, write fork:N,US", arg)
		}
		if op.N, err = number(n, "a number of children", 1, maxChildren); err == nil {
			op.D = us(d)
		}
	}
	return op, err
}
