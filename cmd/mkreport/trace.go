package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/google/renameio/v2"
	"github.com/spf13/cobra"

	"github.com/schedlab/schedlab/reports/trace"
	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/study"
)

// traceFlags are the flags of trace.
type traceFlags struct {
	format, out string
	patched     bool
	seed        uint64
	warmup      time.Duration
	length      time.Duration
	from, to    time.Duration
}

// traceFormats are the forms of a trace, the first the default.
var traceFormats = []struct {
	name, doc string
	write     func(*trace.Trace, io.Writer) error
}{
	{"ftrace", "the text of /sys/kernel/tracing/trace", (*trace.Trace).WriteFtrace},
	{"perfetto", "protobuf for ui.perfetto.dev", (*trace.Trace).WritePerfetto},
	{"timehist", "as perf sched timehist", (*trace.Trace).WriteTimehist},
	{"latency", "as perf sched latency", (*trace.Trace).WriteLatency},
	{"map", "as perf sched map", (*trace.Trace).WriteMap},
}

func (a *app) traceCommand() *cobra.Command {
	var f traceFlags
	var names, docs []string
	for _, t := range traceFormats {
		names = append(names, t.name)
		docs = append(docs, fmt.Sprintf("  %-9s %s", t.name, t.doc))
	}
	cmd := &cobra.Command{
		Use:   "trace STUDY/ROW",
		Short: "Write the scheduling decisions of a run",
		Long: `Simulate one run of a study's row, with the study's own constants, and write the
switches, wakeups, forks and moves of a stretch of it:

` + strings.Join(docs, "\n") + `

The stretch begins after --warmup and is --length long; --from and --to cut it
down, counted from its begin. A long stretch is refused: a decision takes some 150
bytes as text, and a busy machine makes millions a second.`,
		Example: `  mkreport trace gorman2020-idle-candidate/64 --length 2ms | less
  mkreport trace gorman2020-idle-candidate/64 --patched --format perfetto -o patched.pftrace`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || !strings.Contains(args[0], "/") {
				return errors.New("name a study and a row of it: STUDY/ROW, or STUDY/TABLE/ROW")
			}
			return nil
		},
		ValidArgsFunction: completeStudies,
	}
	flags := cmd.Flags()
	flags.StringVar(&f.format, "format", names[0], "one of "+strings.Join(names, ", "))
	flags.StringVarP(&f.out, "out", "o", "", "`FILE` to write (default the standard output)")
	flags.BoolVar(&f.patched, "patched", false, "the patched kernel instead of the base")
	flags.Uint64Var(&f.seed, "seed", 1, "seed of the run")
	flags.DurationVar(&f.warmup, "warmup", 200*time.Millisecond, "simulated time before the stretch")
	flags.DurationVar(&f.length, "length", 5*time.Millisecond, "simulated time of the stretch")
	flags.DurationVar(&f.from, "from", 0, "leave out what is before this time in the stretch")
	flags.DurationVar(&f.to, "to", 0, "leave out what is after this time in the stretch")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
	cmd.RunE = a.work(func(ctx context.Context, args []string) error { return a.trace(ctx, args[0], &f) })
	return cmd
}

func (a *app) trace(ctx context.Context, name string, f *traceFlags) error {
	var write func(*trace.Trace, io.Writer) error
	for _, t := range traceFormats {
		if t.name == f.format {
			write = t.write
		}
	}
	switch {
	case write == nil:
		return usageError{fmt.Errorf("no format %q; see 'mkreport trace --help'", f.format)}
	case f.length <= 0 || f.warmup < 0 || f.from < 0 || f.to < 0 || f.to > 0 && f.to <= f.from:
		return usageError{errors.New("want a --length above 0, and --from before --to")}
	}
	id, row, _ := strings.Cut(name, "/")
	s, err := study.Load(id)
	if err != nil {
		return usageError{err}
	}
	arm := study.ArmBase
	if f.patched {
		arm = study.ArmPatched
	}
	cfg, err := s.ConfigOf(row, arm)
	if err != nil {
		return usageError{err}
	}
	cfg.Seed, cfg.Age, cfg.Warmup, cfg.Measure = f.seed, 0, f.warmup, f.length
	t, err := capture(ctx, cfg)
	if err != nil {
		return err
	}
	end := t.Events[len(t.Events)-1].Time
	begin := end - int64(f.length)
	last := end
	if f.to > 0 {
		last = begin + int64(f.to)
	}
	t = t.Window(begin+int64(f.from), last)
	if f.out == "" {
		b := bufio.NewWriter(a.stdout)
		if err := write(t, b); err != nil {
			return err
		}
		return b.Flush()
	}
	var b bytes.Buffer
	if err := write(t, &b); err != nil {
		return err
	}
	if err := renameio.WriteFile(f.out, b.Bytes(), 0o644); err != nil {
		return err
	}
	_, err = fmt.Fprintln(a.stdout, f.out)
	return err
}

// capture keeps all decisions of the stretch: it is refused if there are more than
// a trace takes.
func capture(ctx context.Context, cfg schedsim.Config) (*trace.Trace, error) {
	cfg.TraceEvents = trace.MaxEvents
	t, err := trace.Capture(ctx, cfg)
	if err != nil {
		return nil, err
	}
	if len(t.Events) == 0 {
		return nil, errors.New("nothing happened in the stretch; give a longer one")
	}
	first, last := t.Events[0].Time, t.Events[len(t.Events)-1].Time
	if len(t.Events) == trace.MaxEvents && last-first < int64(cfg.Measure) {
		return nil, fmt.Errorf("more than %d decisions in %v; give a shorter --length", trace.MaxEvents, cfg.Measure)
	}
	return t, nil
}
