package study

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"
)

// Arm names in keys and jobs.
const (
	ArmBase    = "base"
	ArmPatched = "patched"
	// ArmControl is the base kernel under another seed than ArmBase. The
	// difference of the two must come out as none.
	ArmControl = "control"
)

// Key is everything that determines a run. Two runs with equal keys have equal
// results, on any machine of one architecture (math.Log may differ in its last
// bit between two).
type Key struct {
	ModelVersion string `json:"model_version"`
	Study        string `json:"study"`
	Machine      string `json:"machine"`      // catalogue id
	MachineHash  string `json:"machine_hash"` // of its full description
	Kernel       string `json:"kernel"`
	// KernelPatches are those of both columns.
	KernelPatches []string `json:"kernel_patches"`
	// Patches are in the key of the base arm too: a base run counts where the
	// patch would have acted. Reverse: the base arm is the one that has them.
	Patches []string `json:"patches"`
	Reverse bool     `json:"reverse"`
	// Ablated are patches that both arms have after those.
	Ablated  []string `json:"ablated"`
	Workload string   `json:"workload"`
	// Params has the value of every parameter of the workload, System what is
	// set of machine and kernel.
	Params map[string]string `json:"params"`
	System map[string]string `json:"system"`
	// Constants has the value of every constant that applies, by name.
	Constants map[string]float64 `json:"constants"`
	// Row is the key of the first of the rows that have this run.
	Row string `json:"row"`
	Arm string `json:"arm"`
	// Seed is written as a string: many readers of JSON have 53 bits only.
	Seed    uint64        `json:"seed,string"`
	Age     time.Duration `json:"age_ns"`
	Warmup  time.Duration `json:"warmup_ns"`
	Measure time.Duration `json:"measure_ns"`
}

// text is the key's canonical form: its JSON without spaces, fields in the
// order of the type and maps sorted by name.
func (k Key) text() ([]byte, error) {
	b, err := json.Marshal(k)
	if err != nil {
		return nil, fmt.Errorf("study: key of row %s: %w", k.Row, err)
	}
	return b, nil
}

// Hash is the SHA-256 of the canonical form in hex; it names the run's file in
// a store. It is an error for a constant to be infinite or not a number.
func (k Key) Hash() (string, error) {
	b, err := k.text()
	if err != nil {
		return "", err
	}
	return hashOf(b), nil
}

// hashOf is the hash of a key's canonical form.
func hashOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// String names the run for messages.
func (k Key) String() string {
	return fmt.Sprintf("%s row %s %s seed %d", k.Study, k.Row, k.Arm, k.Seed)
}
