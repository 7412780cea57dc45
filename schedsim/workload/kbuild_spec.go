package workload

import (
	"math"

	"github.com/schedlab/schedlab/schedsim"
)

func init() {
	d := DefaultKbuild(1)
	register(Spec{
		Name: "kbuild",
		Doc:  "a kernel's build: make and its recipes, each a chain of processes that fork and exec",
		Params: append([]Param{
			{Name: "jobs", Doc: "make's -j", Default: math.NaN(), Low: 1, High: 4096},
			{Name: "compile_ns", Unit: "ns", Default: d.CompileNS, Low: 1, High: 1e11, Kind: "assumed",
				Doc:    "mean work of cc1 for a file, drawn evenly from 0.3 to 1.7 of it",
				Source: "a kernel of 2500 files takes 10 to 20 minutes of one core of about 2012: 240 to 480 ms"},
			{Name: "assemble_ns", Unit: "ns", Default: d.AssembleNS, Low: 1, High: 1e11, Kind: "assumed",
				Doc: "the same of as", Source: "a few percent of the compiler's"},
			{Name: "make_ns", Unit: "ns", Default: d.MakeNS, High: 1e9, Kind: "assumed",
				Doc: "work of make for a file", Source: "make with nothing to do takes about a second for 2500 files"},
			{Name: "max_files", Default: float64(d.MaxFiles), Low: 1, High: 1e6,
				Doc: "how many files there are; a run that comes to their end has no result"},
		}, localityParams(-1, d.RefillLines, d.SMTThroughput)...),
		New: func(v Values) (schedsim.Workload, error) {
			return NewKbuild(KbuildParams{
				Jobs: v.Int("jobs"), CompileNS: v.Number("compile_ns"), AssembleNS: v.Number("assemble_ns"),
				MakeNS: v.Number("make_ns"), MaxFiles: v.Int("max_files"),
				RefillLines: v.Number("refill_lines"), SMTThroughput: v.Number("smt_throughput"),
			})
		},
	})
}
