package complete

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/schedlab/schedlab/topology"
	"github.com/schedlab/schedlab/topology/dump"
)

// features are what machines are compared by. A figure that is not known is 0
// and counts for nothing.
type features struct {
	arch, vendor  string
	threads       float64 // a core
	coresPerLLC   float64
	l2KiB, llcKiB float64 // of one cache
	sockets       float64
	maxMHz        float64
	numaMax       float64 // largest distance
}

// The weight of a difference that is not one of size, in doublings.
const (
	otherArch   = 16 // outweighs everything else together
	otherVendor = 4
	sameModel   = 8 // the same CPU model outweighs all but the architecture
	// The size of the level-2 cache tells a generation of cores from another
	// as nothing else does that all dumps have.
	generation = 3
)

// features are those of the machine that is being built.
func (b *builder) features() features {
	v := placeFeatures(b.m)
	level := 0
	for _, c := range b.f.Caches {
		if c.Size == nil || c.Type == dump.Instruction {
			continue
		}
		kib := float64(*c.Size) / 1024
		if c.Level == 2 && v.l2KiB == 0 {
			v.l2KiB = kib
		}
		if c.Level > level && c.Level < 4 {
			level, v.llcKiB = c.Level, kib
		}
	}
	if b.f.MaxMHz != nil {
		v.maxMHz = *b.f.MaxMHz
	}
	for _, c := range b.f.CPUs {
		if c.MaxMHz != nil {
			v.maxMHz = max(v.maxMHz, *c.MaxMHz)
		}
	}
	return v
}

// featuresOf are those of a machine of the catalogue.
func featuresOf(m *topology.Machine) features {
	v := placeFeatures(m)
	for _, c := range m.Caches {
		if c.Type == "instruction" {
			continue
		}
		if c.Level == 2 {
			v.l2KiB = float64(c.SizeKiB)
		}
		if c.Level < 4 {
			v.llcKiB = float64(c.SizeKiB)
		}
	}
	v.maxMHz = m.Frequency.MaxMHz.Value
	return v
}

func placeFeatures(m *topology.Machine) features {
	v := features{arch: m.Arch, vendor: m.Vendor}
	v.threads = float64(m.ThreadsPerCore())
	v.coresPerLLC = float64(m.Cores()) / float64(m.LLCs())
	v.sockets = float64(m.Sockets())
	for _, row := range m.Distances {
		v.numaMax = max(v.numaMax, float64(slices.Max(row)))
	}
	return v
}

// far returns how far two machines are apart: the doublings between each
// figure of one and that of the other, added up, and the weights above.
func (v features) far(w features) float64 {
	d := 0.0
	if v.arch != w.arch {
		d += otherArch
	}
	if v.vendor != w.vendor {
		d += otherVendor
	}
	for _, pair := range [][3]float64{
		{v.l2KiB, w.l2KiB, generation}, {v.llcKiB, w.llcKiB, 1}, {v.coresPerLLC, w.coresPerLLC, 1},
		{v.threads, w.threads, 1}, {v.sockets, w.sockets, 1}, {v.maxMHz, w.maxMHz, 1}, {v.numaMax, w.numaMax, 1},
	} {
		if pair[0] > 0 && pair[1] > 0 {
			d += pair[2] * math.Abs(math.Log2(pair[0]/pair[1]))
		}
	}
	return d
}

// neighbours returns the machines of the catalogue, the nearest to the one with
// these features first. A machine whose name has the number of the CPU model
// comes before all others of its architecture.
func neighbours(m *topology.Machine, model string, v features) ([]*topology.Machine, error) {
	type candidate struct {
		m   *topology.Machine
		far float64
	}
	var all []candidate
	for _, id := range topology.Catalog() {
		n, err := topology.Load(id)
		if err != nil {
			return nil, err
		}
		d := v.far(featuresOf(n))
		if mentions(n.Name, model) {
			d -= sameModel
		}
		all = append(all, candidate{n, d})
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(a.far, b.far) })
	var out []*topology.Machine
	for _, c := range all {
		out = append(out, c.m)
	}
	return out, nil
}

// modelNumber matches what tells one CPU model from another: "7742", "E5-2680",
// "8480CTDX". Shorter numbers, such as those of sockets, do not count.
var modelNumber = regexp.MustCompile(`[A-Za-z]*[0-9]*-?[0-9]{4}[A-Za-z0-9+]*`)

// mentions tells whether a name has a model number of a CPU model's text.
func mentions(name, model string) bool {
	for _, number := range modelNumber.FindAllString(model, -1) {
		if slices.Contains(strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(" ,()/", r) }), number) {
			return true
		}
	}
	return false
}

// carried returns a number of the catalogue for the machine: that of the
// nearest machine for which get has one.
func (b *builder) carried(get func(*topology.Machine) topology.Quantity) topology.Quantity {
	for _, n := range b.near {
		if q := get(n); q != (topology.Quantity{}) {
			return b.from(n, q, get)
		}
	}
	return topology.Quantity{}
}

// from marks a number of a neighbour as assumed for the machine. Its
// uncertainty covers the same number of every other machine of the neighbour's
// vendor, and at least what it had.
func (b *builder) from(n *topology.Machine, q topology.Quantity, get func(*topology.Machine) topology.Quantity) topology.Quantity {
	for _, other := range b.near {
		if other.Vendor == n.Vendor && q.Value > 0 {
			if o := get(other); o != (topology.Quantity{}) {
				q.Uncertainty = max(q.Uncertainty, math.Ceil(100*math.Abs(o.Value-q.Value)/q.Value))
			}
		}
	}
	q.Uncertainty = min(q.Uncertainty, 100)
	q.Kind = topology.Assumed
	q.Note = ""
	q.Source = b.cite(n)
	return q
}

// cite returns the key of a machine of the catalogue in the sources.
func (b *builder) cite(n *topology.Machine) string {
	b.m.Sources[n.ID] = "carried over from " + n.ID + " of the catalogue: " + n.Name
	return n.ID
}
