package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/google/renameio/v2"
	"github.com/spf13/cobra"

	"github.com/schedlab/schedlab/topology"
	"github.com/schedlab/schedlab/topology/complete"
	"github.com/schedlab/schedlab/topology/dump"
)

// importFlags are the flags of import.
type importFlags struct {
	out, id, name, arch string
	dialect             string
}

// importMemory is what an import may have, garbage included, before the collector runs
// for every bit more, bytes. What inputs may have is bounded by internal/input.
const importMemory = 64 << 20

func (a *app) importCommand() *cobra.Command {
	var f importFlags
	cmd := &cobra.Command{
		Use:   "import FILE...",
		Short: "Read a machine (lscpu, lstopo, ...) or results (hyperfine, tbench, ...)",
		Long: `Make a machine of the output of one or several tools on it: lscpu in any of its
forms, lstopo --of xml, numactl -H, /proc/cpuinfo, or a copy of
/sys/devices/system (a directory or a tar archive); '-' is the standard input.
All of them have to be of one machine; where two disagree, that is said, and
the one that knows best is taken.

What no tool tells, such as latencies, is carried over from the nearest machine
of the catalogue and marked assumed. The machine is written as YAML, to be
reviewed, and taken by every command that takes a machine.

Or read results of benchmarks on a real machine: hyperfine (JSON or CSV), tables
of mmtests and of the 0-day robot, schbench, sysbench, hackbench, perf bench
sched, tbench, perf stat (text, -x, or -j). They are written as CSV with all
digits, one line a figure; outputs of the same command are its runs. With --dialect
the results of two kernels, base and patched, are a table to post instead.`,
		Example: `  lscpu -J > lscpu.json; numactl -H > numactl.txt
  mkreport import lscpu.json numactl.txt -o my.yaml
  mkreport machine my.yaml
  mkreport run --machine my.yaml
  mkreport import tbench-64.*.log perf-stat.csv -o measured.csv
  mkreport import base.json patched.json --dialect mean+-stddev`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("name the outputs of lscpu -J, lstopo --of xml, numactl -H or a copy of /sys")
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&f.out, "out", "o", "", "`FILE` to write (default the standard output)")
	cmd.Flags().StringVar(&f.id, "id", "", "id of the machine (default from the name of the file to write)")
	cmd.Flags().StringVar(&f.name, "name", "", "name of the machine (default its CPU model)")
	cmd.Flags().StringVar(&f.arch, "arch", "", "architecture where no input tells it: x86_64, arm64 or ppc64")
	registerDialect(cmd, &f.dialect)
	cmd.Flags().Lookup("dialect").Usage = "write results of two files, base and patched, as a table in this `STYLE`"
	cmd.RunE = a.work(func(_ context.Context, files []string) error {
		// Garbage of a large input is collected before it piles up.
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(importMemory))
		if f.dialect != "" {
			return a.importTable(files, f.dialect)
		}
		results, err := a.results(files)
		if err != nil {
			return err
		}
		if results != nil {
			return a.importResults(results, f)
		}
		return a.importMachine(files, f)
	})
	return cmd
}

// importMachine makes one machine of all files.
func (a *app) importMachine(files []string, f importFlags) error {
	facts, err := a.facts(files)
	if err != nil {
		return err
	}
	id := f.id
	if id == "" {
		id = complete.ID(facts.Model)
		if f.out != "" {
			id = complete.ID(strings.TrimSuffix(filepath.Base(f.out), filepath.Ext(f.out)))
		}
	}
	m, err := complete.Machine(facts, complete.Options{ID: id, Name: f.name, Arch: f.arch})
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err := m.WriteYAML(&text); err != nil {
		return err
	}
	for _, n := range facts.Notes {
		a.note("mkreport: note: %s", n)
	}
	if m.Numbering.Note != "" {
		a.note("mkreport: %s", m.Numbering.Note)
	}
	a.note("%s: %s; %s", m.ID, machineLine(m), provenanceLine(m))
	if f.out == "" {
		_, err := a.stdout.Write(text.Bytes())
		return err
	}
	if err := renameio.WriteFile(f.out, text.Bytes(), 0o666); err != nil {
		return fmt.Errorf("cannot write %s: %w; give another file with -o", f.out, err)
	}
	fmt.Fprintln(a.stdout, f.out)
	return nil
}

// facts reads and merges files about one machine, and tells the user where
// they disagree.
func (a *app) facts(files []string) (*dump.Facts, error) {
	var all []*dump.Facts
	for _, file := range files {
		f, err := readDump(file)
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	merged, conflicts := dump.Merge(all...)
	for _, c := range conflicts {
		a.note("mkreport: conflict: %s", c)
	}
	if merged == nil {
		return nil, errors.New("the inputs are not of one machine; import those of one at a time")
	}
	return merged, nil
}

func readDump(file string) (*dump.Facts, error) {
	if file != "-" {
		return dump.ReadPath(file)
	}
	return dump.ReadFrom("standard input", os.Stdin)
}

// provenanceLine counts the numbers of a machine by what is known of them.
func provenanceLine(m *topology.Machine) string {
	read, assumed := 0, 0
	from := map[string]int{}
	for _, q := range m.Quantities() {
		if q.Kind == topology.Assumed {
			assumed++
			from[q.Source]++
		} else {
			read++
		}
	}
	most := ""
	for source, n := range from {
		if n > from[most] || n == from[most] && source < most {
			most = source
		}
	}
	line := fmt.Sprintf("%s read, %d assumed", count(read, "number"), assumed)
	if most != "" {
		line += fmt.Sprintf(", %d of them from %s", from[most], most)
	}
	return line
}
