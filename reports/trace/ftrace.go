package trace

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/schedlab/schedlab/schedsim"
)

// prio is what every task of a trace has: those of other nice levels and classes
// are not told apart in what was recorded.
const prio = 120

// WriteFtrace writes the text of /sys/kernel/tracing/trace: sched_switch,
// sched_wakeup, sched_wakeup_new and sched_migrate_task.
func (t *Trace) WriteFtrace(w io.Writer) error {
	b := bufio.NewWriter(w)
	steps := t.steps()
	n := len(steps)
	fmt.Fprintf(b, "# tracer: nop\n#\n# entries-in-buffer/entries-written: %d/%d   #P:%d\n#\n", n, n, t.CPUs)
	b.WriteString(ftraceLegend)
	for _, s := range steps {
		comm := t.comm(s.prev, s.CPU)
		if s.prev == idle {
			comm = "<idle>"
		}
		fmt.Fprintf(b, "%16s-%-7d [%03d] d..2. %d.%06d: ", comm, pid(s.prev), s.CPU, s.Time/1e9, s.Time%1e9/1e3)
		switch s.Kind {
		case schedsim.TraceSwitch:
			state := "S"
			if s.runnable || s.prev == idle {
				state = "R"
			}
			fmt.Fprintf(b, "sched_switch: prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s ==> next_comm=%s next_pid=%d next_prio=%d\n",
				t.comm(s.prev, s.CPU), pid(s.prev), prio, state, t.comm(s.Task, s.CPU), pid(s.Task), prio)
		case schedsim.TraceMigrate:
			fmt.Fprintf(b, "sched_migrate_task: comm=%s pid=%d prio=%d orig_cpu=%d dest_cpu=%d\n", t.comm(s.Task, s.CPU), pid(s.Task), prio, max(s.from, 0), s.CPU)
		default:
			name := "sched_wakeup"
			if s.Kind == schedsim.TraceFork {
				name = "sched_wakeup_new"
			}
			fmt.Fprintf(b, "%s: comm=%s pid=%d prio=%d target_cpu=%03d\n", name, t.comm(s.Task, s.CPU), pid(s.Task), prio, s.CPU)
		}
	}
	return b.Flush()
}

const ftraceLegend = `#                                _-----=> irqs-off/BH-disabled
#                               / _----=> need-resched
#                              | / _---=> hardirq/softirq
#                              || / _--=> preempt-depth
#                              ||| / _-=> migrate-disable
#                              |||| /     delay
#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
#              | |         |   |||||     |         |
`

var (
	ftraceLine   = regexp.MustCompile(`^\s*(.+)-(\d+)\s+(?:\(\s*[-\d]+\)\s+)?\[(\d+)\]\s+(?:[a-zA-Z.0-9]{4,5}\s+)?(\d+)\.(\d{6,9}):\s+(\w+):\s*(.*)$`)
	switchFields = regexp.MustCompile(`^prev_comm=(.*) prev_pid=(\d+) prev_prio=-?\d+ prev_state=(\S+) (?:==> )?next_comm=(.*) next_pid=(\d+) next_prio=-?\d+`)
	wakeFields   = regexp.MustCompile(`^comm=(.*) pid=(\d+) prio=-?\d+ (?:success=\d )?target_cpu=(\d+)`)
	moveFields   = regexp.MustCompile(`^comm=(.*) pid=(\d+) prio=-?\d+ orig_cpu=(\d+) dest_cpu=(\d+)`)
)

// ParseFtrace reads the scheduling events of ftrace's text, this package's or a
// kernel's, with the columns of any era; other events, comments and stacks are
// passed over. Errors have filename and line.
func ParseFtrace(r io.Reader, filename string) (*Trace, error) {
	t := &Trace{Names: make(map[schedsim.TaskID]string)}
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, 1<<20)
	n := 0
	name := func(id int, comm string) error {
		if id < 0 || id > 1<<22 {
			return fmt.Errorf("pid %d", id)
		}
		t.Names[schedsim.TaskID(id-1)] = comm
		return nil
	}
	for scanner.Scan() {
		n++
		m := ftraceLine.FindStringSubmatch(scanner.Text())
		if m == nil {
			continue
		}
		e, id, comm, ok := scanEvent(m[6], m[7])
		if !ok {
			continue
		}
		seconds, err1 := strconv.ParseInt(m[4], 10, 64)
		fraction, err2 := strconv.ParseInt((m[5] + "000")[:9], 10, 64)
		cpu, err3 := strconv.Atoi(m[3])
		if err1 != nil || err2 != nil || err3 != nil || seconds > 1<<32 || cpu > 1<<16 {
			return nil, fmt.Errorf("trace: %s:%d: time %s.%s or CPU %s is out of range", filename, n, m[4], m[5], m[3])
		}
		e.Time = seconds*1e9 + fraction
		if e.Kind == schedsim.TraceSwitch {
			e.CPU = int32(cpu)
		}
		e.Task = schedsim.TaskID(id - 1)
		if err := name(id, comm); err != nil {
			return nil, fmt.Errorf("trace: %s:%d: %v is out of range", filename, n, err)
		}
		t.CPUs = max(t.CPUs, cpu+1, int(e.CPU)+1)
		t.Events = append(t.Events, e)
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("trace: %s:%d: %w", filename, n+1, err)
	}
	if len(t.Events) == 0 {
		return nil, fmt.Errorf("trace: %s:%d: no scheduling event in it, want lines such as \"... [003] d..2. 12.345678: sched_switch: prev_comm=...\"", filename, max(n, 1))
	}
	return t, nil
}

// scanEvent reads the fields of one event.
func scanEvent(event, fields string) (e schedsim.TraceEvent, id int, comm string, ok bool) {
	number := func(s string) int {
		n, err := strconv.Atoi(s)
		if err != nil || n > 1<<22 {
			ok = false
		}
		return n
	}
	ok = true
	switch event {
	case "sched_switch":
		m := switchFields.FindStringSubmatch(fields)
		if m == nil {
			return e, 0, "", false
		}
		e.Kind, comm, id = schedsim.TraceSwitch, m[4], number(m[5])
	case "sched_wakeup", "sched_wakeup_new":
		m := wakeFields.FindStringSubmatch(fields)
		if m == nil {
			return e, 0, "", false
		}
		e.Kind, comm, id = schedsim.TraceWakeup, m[1], number(m[2])
		if strings.HasSuffix(event, "_new") {
			e.Kind = schedsim.TraceFork
		}
		e.CPU = int32(number(m[3]))
	case "sched_migrate_task":
		m := moveFields.FindStringSubmatch(fields)
		if m == nil {
			return e, 0, "", false
		}
		e.Kind, comm, id = schedsim.TraceMigrate, m[1], number(m[2])
		e.CPU = int32(number(m[4]))
	default:
		return e, 0, "", false
	}
	return e, id, comm, ok && e.CPU < 1<<16
}
