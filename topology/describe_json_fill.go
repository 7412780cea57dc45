package topology

// description fills in the JSON of a machine. Lists are never nil, so that
// they are written as [] and not as null.
func (m *Machine) description(versions []string) (*jsonMachine, error) {
	d := &jsonMachine{
		Format: jsonFormat,
		ID:     m.ID, Name: m.Name, Vendor: m.Vendor, Arch: m.Arch, Year: m.Year,
		Confidence: m.Confidence,
		Notes:      append([]string{}, m.Notes...),
		Hash:       m.Hash(),
		Counts: jsonCounts{
			Sockets: m.Sockets(), Nodes: m.Nodes(), LLCs: m.LLCs(), L2s: m.L2s(), Cores: m.Cores(),
			CPUs:       len(m.OnlineCPUs()) + len(m.cpusIn(Offline)),
			OnlineCPUs: len(m.OnlineCPUs()), ThreadsPerCore: m.ThreadsPerCore(),
		},
		Numbering: jsonNumbering(m.Numbering),
		CPUs:      m.jsonCPUs(),
		CoreKinds: []jsonCoreKind{},
		Nodes:     []jsonNode{},
		Distances: m.Distances,
		Caches:    []jsonCache{},
		Frequency: m.jsonFrequency(),
		Sources:   m.Sources,
		Domains:   map[string][]jsonHierarchy{},
	}
	for i, k := range m.CoreKinds {
		cpus := m.selectCPUs(func(c CPU) bool { return c.Kind == i })
		d.CoreKinds = append(d.CoreKinds, jsonCoreKind{k.Name, FormatCPUList(cpus), unless(k.Capacity, 0), unless(k.MaxMHz, 0)})
	}
	for i, n := range m.NUMANodes {
		d.Nodes = append(d.Nodes, jsonNode{n.ID, FormatCPUList(m.nodeCPUs(i)), n.MemoryMiB})
	}
	for _, c := range m.Caches {
		d.Caches = append(d.Caches, jsonCache{
			Name: c.Name(), Level: c.Level, Type: c.Type, SizeKiB: c.SizeKiB, SharedBy: c.SharedBy,
			LatencyNS: valueOf(c.Latency), Instances: formatLists(m.Instances(c)),
		})
	}
	for _, s := range m.IdleStates {
		d.IdleStates = append(d.IdleStates, jsonIdleState{s.Name, s.ExitLatency, s.TargetResidency, s.MeanExit.Value})
	}
	for _, l := range m.Latencies() {
		d.Latencies = append(d.Latencies, jsonLatency{l.To, valueOf(l.Transfer), valueOf(l.Load)})
	}
	for _, q := range m.Quantities() {
		d.Quantities = append(d.Quantities, jsonQuantity{q.Name, q.Value, q.Unit, q.Kind, q.Uncertainty, q.Source, q.Note})
	}
	all, err := m.describedDomains(versions)
	if err != nil {
		return nil, err
	}
	for _, v := range all {
		d.Domains[v.version] = jsonHierarchies(v)
	}
	return d, nil
}

func (m *Machine) jsonCPUs() []jsonCPU {
	cpus := []jsonCPU{}
	for _, c := range m.CPUs {
		j := jsonCPU{CPU: c.ID, State: c.State.String()}
		switch c.State {
		case Absent:
			continue
		case Online:
			node := m.NUMANodes[c.Node].ID
			j.Core, j.L2, j.LLC, j.Node, j.Socket, j.Thread, j.Kind = &c.Core, &c.L2, &c.LLC, &node, &c.Socket, &c.Thread, &c.Kind
			if len(m.CoreKinds) == 0 {
				j.Kind = nil
			}
		}
		cpus = append(cpus, j)
	}
	return cpus
}

func (m *Machine) jsonFrequency() jsonFrequency {
	f := m.Frequency
	j := jsonFrequency{
		MinMHz: f.MinMHz.Value, BaseMHz: f.BaseMHz.Value, MaxMHz: f.MaxMHz.Value,
		Turbo:  []jsonBin{},
		Driver: f.Control.Driver, HWP: f.Control.HWP, PerCore: f.Control.PerCore,
		StepMHz: valueOf(f.Control.Step), TransitionNS: valueOf(f.Control.Transition),
	}
	for _, bin := range f.Turbo {
		j.Turbo = append(j.Turbo, jsonBin(bin))
	}
	return j
}

func jsonHierarchies(v versionTrees) []jsonHierarchy {
	hierarchies := []jsonHierarchy{}
	for _, tree := range v.trees {
		h := jsonHierarchy{CPUs: FormatCPUList(tree.cpus), Levels: []jsonDomain{}}
		for level, d := range tree.domains {
			h.Levels = append(h.Levels, jsonDomain{
				Name:         d.Name,
				Flags:        append([]string{}, d.Flags.Names(v.version)...),
				ImbalancePct: d.ImbalancePct, BusyFactor: d.BusyFactor, CacheNiceTries: d.CacheNiceTries,
				MinIntervalMS: d.MinInterval, MaxIntervalMS: d.MaxInterval, BalanceIntervalMS: d.BalanceInterval,
				Spans: jsonSpans(v.hierarchies, tree.cpus, level),
			})
		}
		hierarchies = append(hierarchies, h)
	}
	return hierarchies
}

// jsonSpans returns the distinct domains that CPUs of one hierarchy have at a
// level.
func jsonSpans(all [][]Domain, cpus []int, level int) []jsonSpan {
	var spans []jsonSpan
	var members [][]int
	index := map[string]int{}
	for _, cpu := range cpus {
		d := all[cpu][level]
		key := domainKey(d)
		i, ok := index[key]
		if !ok {
			i = len(spans)
			index[key] = i
			spans = append(spans, jsonSpan{Span: FormatCPUList(d.Span), Groups: formatLists(d.Groups)})
			members = append(members, nil)
		}
		members[i] = append(members[i], cpu)
	}
	for i := range spans {
		spans[i].CPUs = FormatCPUList(members[i])
	}
	return spans
}

// unless returns nil for the number that stands for one that is not known.
func unless(n, unknown int) *int {
	if n == unknown {
		return nil
	}
	return &n
}

// valueOf returns nil for a quantity that the machine does not have.
func valueOf(q Quantity) *float64 {
	if q == (Quantity{}) {
		return nil
	}
	return &q.Value
}

func formatLists(sets [][]int) []string {
	lists := []string{}
	for _, s := range sets {
		lists = append(lists, FormatCPUList(s))
	}
	return lists
}
