package view

import (
	"strings"

	"github.com/schedlab/schedlab/schedsim/study"
)

// bare is a reason without the figures that stand in the table.
func bare(reason string) string {
	if strings.HasPrefix(reason, "published ") || strings.HasPrefix(reason, "claimed ") {
		if _, after, ok := strings.Cut(reason, ": "); ok {
			return after
		}
	}
	return reason
}

// groups puts the rows of one text together, in the order in which the texts first
// occur.
func groups(rows []row, textOf func(row) string) []string {
	var order []string
	names := make(map[string][]string)
	for _, r := range rows {
		t := textOf(r)
		if t == "" {
			continue
		}
		if names[t] == nil {
			order = append(order, t)
		}
		names[t] = append(names[t], r.name)
	}
	out := make([]string, len(order))
	for i, t := range order {
		out[i] = upper(fewNames(names[t], "row")) + ": " + t
	}
	return out
}

func briefReasons(rows []row) []string {
	return groups(ranOnly(rows), func(r row) string {
		if WordsOf(r.verdict).Agrees {
			return ""
		}
		if r.cell.Reason == "" {
			return string(r.verdict) + "; the ledger gives no reason."
		}
		label := r.label()
		if strings.Contains(r.cell.Reason, "hangs on") {
			label = string(r.verdict)
		}
		return label + "; " + stop(bare(r.cell.Reason))
	})
}

// briefFindings leave out what the findings are known from.
func briefFindings(rows []row) []string {
	return groups(rows, func(r row) string {
		var parts []string
		for _, f := range r.cell.Findings {
			parts = append(parts, upper(stop(f.Reason)))
		}
		return strings.Join(parts, " ")
	})
}

func unmodelledRows(rows []row) []string {
	return groups(rows, func(r row) string {
		if r.run || r.verdict != study.NotModelled {
			return ""
		}
		return stop(bare(r.cell.Reason))
	})
}
