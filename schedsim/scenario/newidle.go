package scenario

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// newidleCosts is what CPUs of the guests remembered of newly idle balances when scenarios
// began: by machine and scenario a list of CPUs, each with the dearest of each of its domains,
// ns; of the scenario "" when the guest had booted.
type newidleCosts map[[2]string][][]int64

// readNewidle reads newidle.csv of a directory of recordings.
func readNewidle(dir string) (newidleCosts, error) {
	path := filepath.Join(dir, "newidle.csv")
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("scenario: %w", err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment = '#'
	r.FieldsPerRecord = -1 // a machine has its number of domains
	rows, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("scenario: %s: %w", path, err)
	}
	costs := newidleCosts{}
	first := map[string]string{} // scenario of a boot
	for i, row := range rows {
		if len(row) < 6 {
			return nil, fmt.Errorf("scenario: %s: data row %d has %d fields, want machine, kernel, boot, scenario, CPU and a cost a domain", path, i+1, len(row))
		}
		boot, machine, name := row[0]+" "+row[1]+" "+row[2], row[0], row[3]
		var cpu []int64
		for _, text := range row[5:] {
			ns, err := strconv.ParseInt(text, 10, 64)
			if err != nil || ns < 0 {
				return nil, fmt.Errorf("scenario: %s: data row %d: %q is no time in ns", path, i+1, text)
			}
			cpu = append(cpu, ns)
		}
		costs[[2]string{machine, name}] = append(costs[[2]string{machine, name}], cpu)
		if first[boot] == "" {
			first[boot] = name
		}
		if first[boot] == name {
			costs[[2]string{machine, ""}] = append(costs[[2]string{machine, ""}], cpu)
		}
	}
	return costs, nil
}

// of is what CPUs of a machine remember when a scenario begins. Who was not asked is as who had
// booted; machines that were not asked are as the one with as many domains.
func (n newidleCosts) of(machine, name string) [][]int64 {
	switch machine {
	case "2cpu":
		machine = "4core"
	case "16cpu":
		machine = "2node"
	}
	if c := n[[2]string{machine, name}]; c != nil {
		return c
	}
	return n[[2]string{machine, ""}]
}
