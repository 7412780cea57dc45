package study

import (
	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/topology"
)

// Config is what the setup simulates without its own patches, those of both
// columns included. m is the machine: Setup.Machine is not looked at. What the
// setup leaves open has the model's defaults, times that are to be set among them.
// Errors name the parameter or setting and what there is.
func (s Setup) Config(m *topology.Machine) (schedsim.Config, error) { return configOf(m, s, nil) }
