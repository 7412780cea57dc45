package main

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/schedlab/schedlab/topology"
)

const machinesHelp = `List the machines of the catalogue: S sockets, N NUMA nodes, cores, T threads a
core, CPUs, the size of a last-level cache and how many CPUs share it,
architecture, the year of launch, and what it is in short.`

// listedMachine is a machine in the JSON list. Where the last-level caches
// differ it has the largest; llc_kib is null where the size is not known, as
// for a cluster that Linux takes for one.
type listedMachine struct {
	ID             string `json:"id"`
	Name           string `json:"name"`
	Arch           string `json:"arch"`
	Year           int    `json:"year"`
	Sockets        int    `json:"sockets"`
	Nodes          int    `json:"nodes"`
	Cores          int    `json:"cores"`
	ThreadsPerCore int    `json:"threads_per_core"`
	CPUs           int    `json:"cpus"`
	LLCs           int    `json:"llcs"`
	LLCKiB         *int   `json:"llc_kib"`
	CPUsPerLLC     int    `json:"cpus_per_llc"`
}

func listMachines() (listing, error) {
	l := listing{heads: []string{"id", "S", "N", "cores", "T", "CPUs", "LLC/CPUs", "arch", "year", "name"}, titled: true}
	var items []listedMachine
	for _, id := range topology.Catalog() {
		m, err := topology.Load(id)
		if err != nil {
			return l, err
		}
		item := listedMachine{
			ID: m.ID, Name: m.Name, Arch: m.Arch, Year: m.Year,
			Sockets: m.Sockets(), Nodes: m.Nodes(), Cores: m.Cores(), ThreadsPerCore: m.ThreadsPerCore(),
			CPUs: len(m.OnlineCPUs()), LLCs: m.LLCs(),
		}
		for _, c := range m.LastLevelCaches() {
			if item.LLCKiB == nil && c.SizeKiB > 0 || item.LLCKiB != nil && c.SizeKiB > *item.LLCKiB {
				item.LLCKiB = &c.SizeKiB
			}
			item.CPUsPerLLC = max(item.CPUsPerLLC, len(c.CPUs))
		}
		items = append(items, item)
		llc := "-"
		if item.LLCKiB != nil {
			llc = topology.FormatSize(*item.LLCKiB)
		}
		l.rows = append(l.rows, []string{
			m.ID, strconv.Itoa(item.Sockets), strconv.Itoa(item.Nodes), strconv.Itoa(item.Cores), strconv.Itoa(item.ThreadsPerCore),
			strconv.Itoa(item.CPUs), llc + "/" + strconv.Itoa(item.CPUsPerLLC), m.Arch, strconv.Itoa(m.Year), shortName(m.Name),
		})
	}
	l.items = items
	return l, nil
}

// minShortName is how many characters a name has at least that says something.
const minShortName = 9

var inBrackets = regexp.MustCompile(` *\([^()]*\)`)

// shortName is a name without what is in brackets, up to the first comma that
// leaves enough.
func shortName(name string) string {
	short := ""
	for _, part := range strings.Split(inBrackets.ReplaceAllString(name, ""), ",") {
		if short != "" {
			short += ","
		}
		short += part
		if len(short) >= minShortName {
			break
		}
	}
	return short
}
