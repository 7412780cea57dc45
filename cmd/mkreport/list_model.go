package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/schedlab/schedlab/schedsim"
)

const kernelsHelp = `List the kernel versions of the model, oldest first: how many of the mechanisms
of "list mechanisms" are modelled, how many only that kernel has, which the JSON
names, and the patches that apply to it.`

const mechanismsHelp = `List the mechanisms of the kernel that the model has, under the kernel's names:
the part, the form that each version has (- where its kernel does not have it,
left out where only the model has not), the file and its functions, and what is
simplified. What the model leaves out follows, with the reason. The same is in
docs/model.md.`

func listKernels() (listing, error) {
	type kernel struct {
		Version  string   `json:"version"`
		Modelled int      `json:"modelled"`
		LeftOut  []string `json:"left_out"`
		Patches  []string `json:"patches"`
	}
	l := listing{heads: []string{"version", "modelled", "left out", "patches"}, titled: true}
	var items []kernel
	for _, v := range schedsim.VersionInfos() {
		l.rows = append(l.rows, []string{
			v.Name, strconv.Itoa(v.Modelled), strconv.Itoa(len(v.LeftOut)), strings.Join(v.Patches, " "),
		})
		items = append(items, kernel{v.Name, v.Modelled, append([]string{}, v.LeftOut...), append([]string{}, v.Patches...)})
	}
	l.items = items
	return l, nil
}

func listPatches() (listing, error) {
	type patch struct {
		Link     string   `json:"link"`
		Name     string   `json:"name"`
		Subject  string   `json:"subject"`
		Versions []string `json:"versions"`
	}
	l := listing{heads: []string{"name", "versions", "subject", "link"}}
	var items []patch
	for _, p := range schedsim.Patches() {
		versions := append([]string{}, p.Versions()...)
		l.rows = append(l.rows, []string{p.Name, strings.Join(versions, " "), p.Subject, p.Link})
		items = append(items, patch{p.Link, p.Name, p.Subject, versions})
	}
	l.items = items
	return l, nil
}

// listedMechanism is a mechanism, or with Why something that is left out.
type listedMechanism struct {
	Part       string            `json:"part"`
	Name       string            `json:"name"`
	Modelled   bool              `json:"modelled"`
	Versions   map[string]string `json:"versions,omitempty"`
	Where      []string          `json:"where,omitempty"`
	Simplified string            `json:"simplified,omitempty"`
	Why        string            `json:"why,omitempty"`
}

func listMechanisms() (listing, error) {
	names := schedsim.FormVersions()
	l := listing{heads: slices.Concat([]string{"part", "mechanism"}, names, []string{"where", "simplified"}), titled: true}
	var items []listedMechanism
	for _, m := range schedsim.Mechanisms() {
		item := listedMechanism{
			Part: m.Part, Name: m.Name, Modelled: true, Simplified: m.Simplified,
			Versions: make(map[string]string),
		}
		for i, v := range names {
			item.Versions[v] = m.Form[i]
		}
		for _, p := range m.Where {
			item.Where = append(item.Where, p.String())
		}
		items = append(items, item)
		l.rows = append(l.rows, slices.Concat([]string{m.Part, m.Name}, m.Form[:],
			[]string{strings.Join(item.Where, ", "), m.Simplified}))
	}
	for _, o := range schedsim.LeftOut() {
		items = append(items, listedMechanism{Part: o.Part, Name: o.What, Why: o.Why})
		row := []string{o.Part, o.What}
		for range names {
			row = append(row, "left out")
		}
		l.rows = append(l.rows, append(row, "", o.Why))
	}
	l.items = items
	return l, nil
}
