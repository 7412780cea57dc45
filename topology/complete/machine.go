package complete

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/schedlab/schedlab/topology"
	"github.com/schedlab/schedlab/topology/dump"
)

// Options say what the dumps cannot.
type Options struct {
	// ID is the machine's id, lower-case letters and digits joined by '-'.
	ID string
	// Name describes it; empty for one made of the CPU model.
	Name string
	// Arch is that of a machine whose dumps do not tell it: "x86_64",
	// "arm64", "ppc64".
	Arch string
}

// Machine returns the machine that the facts describe. The error says which
// fact is missing that cannot be assumed, such as which CPUs share a core where
// several numberings are possible, or what contradicts what.
func Machine(f *dump.Facts, opt Options) (*topology.Machine, error) {
	if f.Partial {
		return nil, fmt.Errorf("complete: the input does not name all CPUs of the machine, give the output of lscpu -J, lstopo --of xml or a copy of /sys")
	}
	b := &builder{f: f, m: &topology.Machine{ID: opt.ID, Sources: map[string]string{}}}
	if err := b.identify(opt); err != nil {
		return nil, err
	}
	if err := b.places(); err != nil {
		return nil, err
	}
	var err error
	if b.near, err = neighbours(b.m, f.Model, b.features()); err != nil {
		return nil, err
	}
	if b.m.Year == 0 {
		b.m.Year = b.near[0].Year
	}
	b.distances()
	b.caches()
	b.frequency()
	b.idleStates()
	b.latencies()
	b.confide()
	return b.checked()
}

// builder puts a machine together.
type builder struct {
	f *dump.Facts
	m *topology.Machine
	// near are the machines of the catalogue, the nearest first.
	near []*topology.Machine
	// source is the key of the dumps in the machine's sources.
	source string
	// assumed says what of the layout was assumed.
	assumed []string
}

// checked writes the machine and reads it back, so that it passes every check
// that a machine file does.
func (b *builder) checked() (*topology.Machine, error) {
	var buf bytes.Buffer
	if err := b.m.WriteYAML(&buf); err != nil {
		return nil, err
	}
	m, err := topology.Parse(b.m.ID+".yaml", buf.Bytes())
	if err != nil {
		return nil, fmt.Errorf("complete: the facts make no whole machine, give a dump of another kind as well (lstopo --of xml, numactl -H): %w", err)
	}
	return m, nil
}

// dumpKey is the key of the dumps in a machine's sources.
const dumpKey = "dump"

func (b *builder) identify(opt Options) error {
	f, m := b.f, b.m
	b.source = dumpKey
	var inputs []string
	for _, s := range f.Sources {
		inputs = append(inputs, filepath.Base(s.File)+" ("+string(s.Format)+")")
	}
	m.Sources[b.source] = "read on the machine: " + strings.Join(inputs, ", ")

	m.Arch = archOf(f, opt.Arch)
	if m.Arch == "" {
		return fmt.Errorf("complete: no input tells the architecture, give the output of lscpu as well, or say it (--arch)")
	}
	m.Vendor = vendorOf(f, m.Arch)
	m.Year = yearOf(f, m.Vendor)
	m.Name = opt.Name
	return nil
}

// archOf returns the architecture by the name that the catalogue gives it.
func archOf(f *dump.Facts, given string) string {
	arch := f.Arch
	if given != "" {
		arch = given
	}
	switch arch {
	case "amd64", "i686", "i386":
		return "x86_64"
	case "aarch64":
		return "arm64"
	case "ppc64le":
		return "ppc64"
	case "":
		if v := vendorOf(f, ""); v == "intel" || v == "amd" {
			return "x86_64"
		}
	}
	return arch
}

// vendors maps what the tools print to the catalogue's names.
var vendors = []struct{ printed, name string }{
	{"GenuineIntel", "intel"}, {"Intel", "intel"},
	{"AuthenticAMD", "amd"}, {"AMD", "amd"}, {"HygonGenuine", "hygon"},
	{"IBM", "ibm"}, {"POWER", "ibm"},
	{"HiSilicon", "hisilicon"}, {"0x48", "hisilicon"}, {"Kunpeng", "hisilicon"},
	{"Ampere", "ampere"}, {"0xc0", "ampere"},
	{"ARM", "arm"}, {"Cortex", "arm"}, {"Neoverse", "arm"},
}

func vendorOf(f *dump.Facts, arch string) string {
	for _, text := range []string{f.Vendor, f.Model} {
		for _, v := range vendors {
			if strings.Contains(strings.ToLower(text), strings.ToLower(v.printed)) {
				return v.name
			}
		}
	}
	if strings.HasPrefix(arch, "ppc64") || strings.HasPrefix(arch, "s390") {
		return "ibm"
	}
	if f.Vendor != "" {
		return strings.ToLower(strings.Fields(f.Vendor)[0])
	}
	return "unknown"
}

// amdYears are the years in which AMD's families were launched. The kernel
// treats the distances of family 17h, Zen, and later ones in another way.
var amdYears = map[string]int{"15": 2003, "16": 2007, "17": 2008, "18": 2011, "20": 2011, "21": 2011, "22": 2013, "23": 2017, "24": 2018, "25": 2020, "26": 2024}

// yearOf returns the year of the CPU, 0 if the facts do not tell.
func yearOf(f *dump.Facts, vendor string) int {
	if vendor == "amd" {
		return amdYears[f.Family]
	}
	return 0
}

// confide says in words where the machine is from.
func (b *builder) confide() {
	m, near := b.m, b.near[0]
	model := b.f.Model
	if model == "" {
		model = m.Vendor + " " + m.Arch
	}
	if m.Name == "" {
		m.Name = fmt.Sprintf("%dx %s", m.Sockets(), model)
	}
	m.Confidence = fmt.Sprintf("imported; what the dumps do not tell is carried over from %s and other machines of the catalogue, and marked assumed", near.ID)
	if len(b.assumed) > 0 {
		m.Numbering.Note = "assumed: " + strings.Join(b.assumed, "; ")
		m.Numbering.Kind = topology.Assumed
	}
	m.Notes = append(m.Notes, b.f.Notes...)
}

// assume records an assumption about the layout.
func (b *builder) assume(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(b.assumed, text) {
		b.assumed = append(b.assumed, text)
	}
}

// measured is a number that a dump tells.
func (b *builder) measured(v float64, unit string) topology.Quantity {
	return topology.Quantity{Value: v, Unit: unit, Kind: topology.Measured, Source: b.source}
}

var notInID = regexp.MustCompile(`[^a-z0-9]+`)

// ID makes an id of a text such as a file name or a CPU model.
func ID(text string) string {
	id := strings.Trim(notInID.ReplaceAllString(strings.ToLower(text), "-"), "-")
	if id == "" {
		return "imported"
	}
	return id
}
