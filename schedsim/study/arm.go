package study

import (
	"fmt"

	"github.com/schedlab/schedlab/schedsim"
)

// ConfigOf is Config for one arm of the row: ArmBase or ArmPatched.
func (s *Study) ConfigOf(row, arm string) (schedsim.Config, error) {
	cfg, err := s.Config(row)
	if err != nil || arm == ArmBase {
		return cfg, err
	}
	if arm != ArmPatched {
		return schedsim.Config{}, fmt.Errorf("study: no arm %q, use %s or %s", arm, ArmBase, ArmPatched)
	}
	t, r := s.FindRow(row)
	if !t.Reversed() {
		cfg.Kernel, err = withPatches(cfg.Kernel, t.PatchNames())
		return cfg, err
	}
	m, err := s.loadMachine(t)
	if err != nil {
		return schedsim.Config{}, err
	}
	return configOf(m, t.setupOf(r), constantsFor(s.Constants, valuesOf(s.Constants), t.ID, t.Workload))
}
