package bench

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

//go:embed peers/*.py
var peerScripts embed.FS

// Peers simulates the hold model here, with Go's container/heap, and with what
// there is of SimPy and SimGrid (Debian: python3-simpy, python3-simgrid), each for
// a wall time, one after another. missing says of each that is not there why.
func Peers(ctx context.Context, each time.Duration) (holds []Hold, missing []string, err error) {
	here, err := holdHere(ctx, each)
	if err != nil {
		return nil, nil, err
	}
	holds = append(holds, here, holdContainerHeap(each))
	for _, p := range []struct{ name, script string }{{"SimPy", "simpy_hold.py"}, {"SimGrid", "simgrid_hold.py"}} {
		h, err := holdPython(ctx, p.script, each)
		if err != nil {
			if ctx.Err() != nil {
				return nil, nil, ctx.Err()
			}
			missing = append(missing, p.name+": "+err.Error())
			continue
		}
		holds = append(holds, h)
	}
	return holds, missing, nil
}

// holdPython runs a script with Debian's Python, which has Debian's packages, or
// else the one in the path.
func holdPython(ctx context.Context, script string, each time.Duration) (Hold, error) {
	text, err := peerScripts.ReadFile("peers/" + script)
	if err != nil {
		return Hold{}, err
	}
	dir, err := os.MkdirTemp("", "hold")
	if err != nil {
		return Hold{}, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, script)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		return Hold{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, each+30*time.Second)
	defer cancel()
	var first error
	for _, python := range []string{"/usr/bin/python3", "python3"} {
		cmd := exec.CommandContext(ctx, python, path, fmt.Sprint(holdJobs), fmt.Sprint(holdCPUs),
			fmt.Sprint(holdService/1e9), fmt.Sprint(holdThink/1e9), fmt.Sprint(each.Seconds()))
		cmd.Dir = dir
		var stderr strings.Builder
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			lines := strings.Split(strings.TrimSpace(stderr.String()), "\n")
			if last := lines[len(lines)-1]; last != "" {
				err = fmt.Errorf("%s: %s", python, last)
			}
			if first == nil {
				first = err
			}
			continue
		}
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		var h Hold
		if err := json.Unmarshal([]byte(lines[len(lines)-1]), &h); err != nil {
			return Hold{}, fmt.Errorf("%s: %w", script, err)
		}
		if h.Served < 1 || h.Wall <= 0 || h.Simulated <= 0 {
			return Hold{}, fmt.Errorf("%s: no service was simulated", script)
		}
		return h, nil
	}
	return Hold{}, first
}
