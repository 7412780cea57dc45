package dump

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	availableLine = regexp.MustCompile(`\bavailable: ([0-9]+) nodes? \(([^)]*)\)`)
	nodeLine      = regexp.MustCompile(`\bnode ([0-9]+) (cpus|size|free):(.*)$`)
	distanceHead  = regexp.MustCompile(`\bnode\s+([0-9]+(?:\s+[0-9]+)*)$`)
	distanceRow   = regexp.MustCompile(`(?:^|\s)([0-9]+):\s+([0-9]+(?:\s+[0-9]+)*)$`)
	numbersOnly   = regexp.MustCompile(`^[>|\s]*([0-9]+(?:\s+[0-9]+)*)$`)
	sizeMB        = regexp.MustCompile(`^\s*([0-9]+) MB$`)
)

// numactl reads numactl --hardware. A line may have a prefix, such as a logger
// writes, and a list of CPUs may be wrapped over lines. The numbers of MB are
// of 2^20 bytes.
type numactl struct {
	*problems
	name  string
	f     *Facts
	nodes map[int]*Node
	count *int
	at0   string

	open   *Node // whose list of CPUs may go on with the next line
	matrix bool  // below "node distances:"
	head   []int
	rows   map[int][]int
	order  []int
	where  string
}

func readNumactl(name string, lines []textLine) (*Facts, error) {
	n := &numactl{
		problems: &problems{}, name: name,
		f:     &Facts{Sources: []Source{{name, Numactl}}},
		nodes: make(map[int]*Node), rows: make(map[int][]int),
	}
	n.at0 = fmt.Sprintf("%s:%d", name, lines[0].number)
	for _, l := range lines {
		n.line(l.text, fmt.Sprintf("%s:%d", name, l.number))
	}
	n.finishNodes()
	n.finishDistances()
	if err := n.err(); err != nil {
		return nil, err
	}
	return n.f.finish()
}

func (n *numactl) line(text, at string) {
	if m := nodeLine.FindStringSubmatch(text); m != nil {
		n.matrix = false
		n.node(m[1], m[2], m[3], at)
		return
	}
	if m := availableLine.FindStringSubmatch(text); m != nil {
		n.available(m[1], m[2], at)
		return
	}
	if n.open != nil {
		if m := numbersOnly.FindStringSubmatch(text); m != nil {
			n.cpus(m[1], at)
			return
		}
		n.open = nil
	}
	if strings.Contains(text, "node distances:") {
		if n.where != "" {
			n.add(at, "a second distance table begins here, give one machine a file")
		}
		n.matrix, n.where = true, at
		return
	}
	if !n.matrix {
		return
	}
	if m := distanceRow.FindStringSubmatch(text); m != nil {
		id, err := parseCount(m[1])
		if err != nil {
			n.add(at, "%v", err)
			return
		}
		if _, ok := n.rows[id]; ok {
			n.add(at, "the distance table has two rows for node %d, keep one", id)
		}
		n.rows[id] = n.numbers(m[2], at)
		n.order = append(n.order, id)
	} else if m := distanceHead.FindStringSubmatch(text); m != nil && n.head == nil {
		n.head = n.numbers(m[1], at)
	}
}

func (n *numactl) numbers(text, at string) []int {
	var out []int
	for _, field := range strings.Fields(text) {
		v, err := parseCount(field)
		if err != nil {
			n.add(at, "%v", err)
			return nil
		}
		out = append(out, v)
	}
	return out
}

// get returns a node, making it if needed.
func (n *numactl) get(id int, at string) *Node {
	if n.nodes[id] == nil {
		n.nodes[id] = &Node{ID: id, At: at}
	}
	return n.nodes[id]
}

func (n *numactl) available(count, list, at string) {
	if n.count != nil {
		n.add(at, "the output of numactl -H begins a second time, give one machine a file")
		return
	}
	c, err := parseCount(count)
	if err != nil {
		n.add(at, "%v", err)
		return
	}
	if c == 0 {
		n.add(at, "numactl found no nodes, run it on the machine itself and outside of a container")
		return
	}
	n.count = &c
	ids, err := ParseCPUList(list)
	if err != nil {
		n.add(at, "%v", err)
		return
	}
	for _, id := range ids {
		n.get(id, at)
	}
	if len(ids) != c {
		n.add(at, "%d nodes are counted but %d are listed, correct one", c, len(ids))
	}
}

func (n *numactl) node(number, what, value, at string) {
	n.open = nil
	id, err := parseCount(number)
	if err != nil {
		n.add(at, "%v", err)
		return
	}
	node := n.get(id, at)
	switch what {
	case "cpus":
		if node.CPUs != nil {
			n.add(at, "node %d is listed twice, keep one", id)
			return
		}
		node.CPUs, node.At, n.open = CPUSet{}, at, node
		n.cpus(value, at)
	case "size":
		if m := sizeMB.FindStringSubmatch(value); m != nil {
			mb, err := strconv.ParseInt(m[1], 10, 64)
			if err != nil || mb > 1<<40 {
				n.add(at, "%q is no size in MB, correct it", short(value))
				return
			}
			if node.MemoryMiB != nil && *node.MemoryMiB != mb {
				n.add(at, "node %d has two sizes, keep one", id)
			}
			node.MemoryMiB = &mb
		} else {
			n.f.note(at, "%q is no size in MB, so the memory of node %d is not known", short(value), id)
		}
	}
}

// cpus appends CPUs to the open node.
func (n *numactl) cpus(text, at string) {
	for _, field := range strings.Fields(text) {
		cpu, err := parseCPU(field)
		if err != nil {
			n.add(at, "%v", err)
			return
		}
		if slices.Contains(n.open.CPUs, cpu) {
			n.add(at, "node %d lists CPU %d twice, keep one", n.open.ID, cpu)
			return
		}
		n.open.CPUs = append(n.open.CPUs, cpu)
	}
}

func (n *numactl) finishNodes() {
	for _, id := range n.head {
		n.get(id, n.where)
	}
	for _, id := range n.order {
		n.get(id, n.where)
	}
	var all CPUSet
	for _, node := range n.nodes {
		if node.CPUs == nil {
			n.f.Partial = true
			n.f.note(node.At, "the CPUs of node %d are not listed, so there may be more", node.ID)
		} else {
			node.CPUs = newCPUSet(node.CPUs)
		}
		all = append(all, node.CPUs...)
		n.f.Nodes = append(n.f.Nodes, *node)
	}
	sortNodes(n.f.Nodes)
	for _, cpu := range newCPUSet(all) {
		n.f.CPUs = append(n.f.CPUs, CPU{ID: cpu, State: Unknown})
	}
	if len(n.f.Nodes) == 0 && len(n.found) == 0 {
		n.add(n.at0, "no node is listed, give the output of numactl -H")
	}
}

func (n *numactl) finishDistances() {
	if n.where == "" {
		return
	}
	if n.head == nil {
		n.add(n.where, "the distance table has no heading such as \"node 0 1\", copy the whole output")
		return
	}
	d := &Distances{At: n.where}
	for _, id := range n.head {
		if slices.Contains(d.Nodes, id) {
			n.add(n.where, "the distance table has two columns for node %d, keep one", id)
			return
		}
		row, ok := n.rows[id]
		if !ok {
			n.add(n.where, "the distance table has no row for node %d, copy the whole output", id)
		} else if len(row) != len(n.head) {
			n.add(n.where, "the distance table has %d distances for node %d and %d columns, copy the whole output", len(row), id, len(n.head))
		}
		d.Nodes = append(d.Nodes, id)
		d.Values = append(d.Values, row)
	}
	for _, id := range n.order {
		if !slices.Contains(n.head, id) {
			n.add(n.where, "the distance table has a row for node %d but no column, correct one", id)
		}
	}
	if len(n.found) == 0 {
		n.f.Distances = d.sort()
	}
}
