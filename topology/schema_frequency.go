package topology

type frequencyFile struct {
	Min   quantityFile `yaml:"min"`
	Base  quantityFile `yaml:"base"`
	Max   quantityFile `yaml:"max"`
	Turbo turboFile    `yaml:"turbo"`
	// Control is how Linux sets the clock.
	Control controlFile `yaml:"control"`
}

type controlFile struct {
	Driver     string       `yaml:"driver"`
	HWP        *bool        `yaml:"hwp"`
	Clock      string       `yaml:"clock"` // "core" or "socket"
	Kind       Kind         `yaml:"kind"`
	Source     string       `yaml:"source"`
	Note       string       `yaml:"note"`
	Step       quantityFile `yaml:"step"`
	Transition quantityFile `yaml:"transition"`
}

type turboFile struct {
	Scope       string    `yaml:"scope"`
	Unit        string    `yaml:"unit"`
	Kind        Kind      `yaml:"kind"`
	Uncertainty *float64  `yaml:"uncertainty"`
	Source      string    `yaml:"source"`
	Note        string    `yaml:"note"`
	Bins        []binFile `yaml:"bins"`
}

type binFile struct {
	ActiveCores whole `yaml:"active_cores"`
	Value       whole `yaml:"value"`
}
