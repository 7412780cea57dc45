package study

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

//go:embed studies/*.yaml
var embedded embed.FS

const (
	studySuffix = ".yaml"
	modelSuffix = ".model.yaml"
)

// IDs returns the ids of the studies that ship with the module, sorted.
func IDs() []string {
	entries, err := embedded.ReadDir("studies")
	if err != nil {
		return nil // the directory is part of the binary
	}
	var ids []string
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), modelSuffix) {
			ids = append(ids, strings.TrimSuffix(e.Name(), studySuffix))
		}
	}
	return ids
}

// Load returns a study that ships with the module. For an unknown id the error
// names the closest ones.
func Load(id string) (*Study, error) {
	path := "studies/" + id + studySuffix
	data, err := embedded.ReadFile(path)
	if err != nil || strings.HasSuffix(path, modelSuffix) {
		return nil, fmt.Errorf("study: unknown study %q; %s", id, suggest(id, IDs()))
	}
	modelPath := ModelPath(path)
	model, err := embedded.ReadFile(modelPath)
	if err != nil {
		model = nil
	}
	return ParseWithModel(path, data, modelPath, model)
}

// LoadFile returns the study in a YAML file, with the model file beside it if
// there is one.
func LoadFile(path string) (*Study, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("study: %w", err)
	}
	modelPath := ModelPath(path)
	model, err := os.ReadFile(modelPath)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("study: %w", err)
	}
	return ParseWithModel(path, data, modelPath, model)
}

// ModelPath is the name of the model file that belongs to a study's file:
// studies/ID.model.yaml beside studies/ID.yaml. The name of a model file is
// its own model path.
func ModelPath(path string) string {
	if strings.HasSuffix(path, modelSuffix) {
		return path
	}
	return strings.TrimSuffix(path, studySuffix) + modelSuffix
}
