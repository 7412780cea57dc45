package study

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/schedlab/schedlab/internal/input"
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

// ReadFile reads the text of a study or model. A file that is too large to be one
// is an error.
func ReadFile(path string) ([]byte, error) {
	data, err := input.File(path, maxYAML)
	if err != nil {
		return nil, fmt.Errorf("study: %w", err)
	}
	return data, nil
}

// LoadFile returns the study in a YAML file, with the model file beside it if
// there is one.
func LoadFile(path string) (*Study, error) {
	data, err := ReadFile(path)
	if err != nil {
		return nil, err
	}
	modelPath := ModelPath(path)
	model, err := ReadFile(modelPath)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
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
