package topology

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
)

//go:embed machines/*.yaml
var catalog embed.FS

const catalogDir = "machines"

// Catalog returns the ids of the machines that come with the package, sorted.
func Catalog() []string {
	entries, err := catalog.ReadDir(catalogDir)
	if err != nil {
		// The directory is embedded: without it the package does not build.
		panic("topology: " + err.Error())
	}
	var ids []string
	for _, e := range entries {
		ids = append(ids, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	slices.Sort(ids)
	return ids
}

// Load returns a new copy of a machine of the catalogue. The error for an
// unknown id names the ids that are nearest to it.
func Load(id string) (*Machine, error) {
	ids := Catalog()
	if !slices.Contains(ids, id) {
		return nil, fmt.Errorf("topology: no machine %q, use %s", id, strings.Join(nearest(id, ids), ", "))
	}
	file := path.Join(catalogDir, id+".yaml")
	data, err := catalog.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("topology: %w", err)
	}
	m, err := Parse(file, data)
	if err != nil {
		return nil, err
	}
	if m.ID != id {
		return nil, fmt.Errorf("%s:1: id is %q, name the file after it", file, m.ID)
	}
	return m, nil
}

// Hash returns the SHA-256 of the whole model, numbers and what is known of
// them, in hexadecimal. Two machines with the same hash are the same model;
// comments and layout of a machine file do not count. Hash panics if a
// quantity is infinite or not a number, which no parsed machine has.
func (m *Machine) Hash() string {
	// JSON writes struct fields in order of declaration and map keys sorted,
	// and each float64 as its own shortest form.
	text, err := json.Marshal(m)
	if err != nil {
		panic("topology: machine " + m.ID + ": " + err.Error())
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
