package topology

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Open returns a machine of the catalogue by its id, or the machine of a file
// by its path: a name with a path separator or the ending .yaml or .yml is a
// path.
func Open(name string) (*Machine, error) {
	if !IsPath(name) {
		return Load(name)
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, fmt.Errorf("topology: %w", err)
	}
	if info.Size() > maxFileBytes || !info.Mode().IsRegular() {
		return nil, fmt.Errorf("topology: %s is no machine file: give a YAML file of at most %d KiB", name, maxFileBytes>>10)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("topology: %w", err)
	}
	return Parse(name, data)
}

// IsPath tells whether Open takes a name for the path of a file.
func IsPath(name string) bool {
	return strings.ContainsRune(name, filepath.Separator) || strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")
}
