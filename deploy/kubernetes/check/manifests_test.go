// Package check holds the manifests of the directory above to the types of the
// Kubernetes API.
package check

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// read decodes a manifest; an unknown or repeated field is an error.
func read(t *testing.T, name string, v any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.UnmarshalStrict(text, v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func jobs(t *testing.T) (shards, render batch.Job) {
	t.Helper()
	read(t, "shards.yaml", &shards)
	read(t, "render.yaml", &render)
	for _, j := range []batch.Job{shards, render} {
		if j.APIVersion != "batch/v1" || j.Kind != "Job" || j.Name == "" {
			t.Fatalf("%s %s %q", j.APIVersion, j.Kind, j.Name)
		}
	}
	return shards, render
}

func variable(c core.Container, name string) string {
	for _, v := range c.Env {
		if v.Name == name {
			return v.Value
		}
	}
	return ""
}

// TestShards checks what the API server would refuse of an Indexed Job, which its
// types do not say.
func TestShards(t *testing.T) {
	shards, _ := jobs(t)
	spec := shards.Spec
	if spec.CompletionMode == nil || *spec.CompletionMode != batch.IndexedCompletion {
		t.Fatal("not an Indexed Job: there is no JOB_COMPLETION_INDEX, and no backoffLimitPerIndex")
	}
	if spec.Completions == nil || spec.Parallelism == nil || *spec.Parallelism > *spec.Completions {
		t.Error("completions and parallelism")
	}
	if spec.BackoffLimitPerIndex == nil || *spec.BackoffLimitPerIndex < 1 {
		t.Error("a part that fails is not tried again")
	}
	if spec.MaxFailedIndexes == nil || *spec.MaxFailedIndexes > *spec.Completions {
		t.Error("maxFailedIndexes has to be set, and at most completions")
	}
	if spec.PodFailurePolicy == nil || spec.Template.Spec.RestartPolicy != core.RestartPolicyNever {
		t.Fatal("a podFailurePolicy and backoffLimitPerIndex take restartPolicy Never")
	}
	for _, r := range spec.PodFailurePolicy.Rules {
		if (r.OnExitCodes != nil) == (len(r.OnPodConditions) > 0) {
			t.Errorf("rule %s: give exit codes or conditions", r.Action)
		}
		for _, c := range r.OnPodConditions {
			if c.Status == "" {
				t.Errorf("rule %s: a condition has no status, which is required", r.Action)
			}
		}
		if e := r.OnExitCodes; e != nil && (e.ContainerName == nil || *e.ContainerName != spec.Template.Spec.Containers[0].Name || !slices.IsSorted(e.Values)) {
			t.Errorf("rule %s: exit codes %v", r.Action, e)
		}
	}
	if got := variable(spec.Template.Spec.Containers[0], "PARTS"); got != fmt.Sprint(*spec.Completions) {
		t.Errorf("PARTS is %s, completions %d", got, *spec.Completions)
	}
}

// TestSame: both jobs are of the same sweep, on the same volume, which many nodes
// may write to.
func TestSame(t *testing.T) {
	shards, render := jobs(t)
	a, b := shards.Spec.Template.Spec, render.Spec.Template.Spec
	for _, name := range []string{"PARTS", "SWEEP"} {
		if x, y := variable(a.Containers[0], name), variable(b.Containers[0], name); x != y || x == "" {
			t.Errorf("%s is %q and %q", name, x, y)
		}
	}
	var claim core.PersistentVolumeClaim
	read(t, "store.yaml", &claim)
	if !slices.Equal(claim.Spec.AccessModes, []core.PersistentVolumeAccessMode{core.ReadWriteMany}) {
		t.Errorf("access modes %v", claim.Spec.AccessModes)
	}
	for _, p := range []core.PodSpec{a, b} {
		c := p.Containers[0]
		if len(p.Volumes) != 1 || p.Volumes[0].PersistentVolumeClaim == nil || p.Volumes[0].PersistentVolumeClaim.ClaimName != claim.Name {
			t.Errorf("volumes %v", p.Volumes)
		} else if len(c.VolumeMounts) != 1 || c.VolumeMounts[0].Name != p.Volumes[0].Name || c.VolumeMounts[0].MountPath != "/data" {
			t.Errorf("mounts %v", c.VolumeMounts)
		}
	}
}

// TestCommands runs the containers' commands with a mkreport that prints its
// arguments.
func TestCommands(t *testing.T) {
	shards, render := jobs(t)
	dir := t.TempDir()
	script := "#!/bin/sh\nprintf '%s|' \"$@\"\n"
	if err := os.WriteFile(filepath.Join(dir, "mkreport"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	run := func(c core.Container, env ...string) string {
		t.Helper()
		args := append(slices.Clone(c.Command), c.Args...)
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Env = append([]string{"PATH=" + dir + ":" + os.Getenv("PATH")}, env...)
		for _, v := range c.Env {
			cmd.Env = append(cmd.Env, v.Name+"="+v.Value)
		}
		var out, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &stderr
		if err := cmd.Run(); err != nil {
			t.Fatalf("%v\n%s", err, stderr.String())
		}
		return out.String()
	}
	n := int(*shards.Spec.Completions)
	for i := range n {
		got := run(shards.Spec.Template.Spec.Containers[0], "JOB_COMPLETION_INDEX="+strconv.Itoa(i))
		if want := fmt.Sprintf("run|lawall2020-idle-prev|--full|--shard|%d/%d|--store|/data/store|", i+1, n); got != want {
			t.Errorf("index %d: %s, want %s", i, got, want)
		}
	}
	got := run(render.Spec.Template.Spec.Containers[0])
	if want := "render|lawall2020-idle-prev|--full|--shards|" + strconv.Itoa(n) + "|--store|/data/store|-o|/data/out|"; got != want {
		t.Errorf("render: %s, want %s", got, want)
	}
}
