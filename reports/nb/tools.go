package nb

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// The programs that running cells needs. GoNB calls goimports for each cell.
const (
	gonbTool      = "github.com/janpfeifer/gonb"
	goimportsTool = "golang.org/x/tools/cmd/goimports"
	// The versions that a module without them is told to take. GoNB is served
	// at exact versions only.
	gonbVersion      = "v0.11.4"
	goimportsVersion = "v0.52.0"
)

// findTools returns a directory that holds gonb and goimports, built from
// the tool lines of the module that dir lies in, or "" where dir lies in no
// module with such lines and both are on PATH.
//
// The directory is in the user's cache and named after the Go version and
// all that the tools are built from. It is built on first use, and again
// when go.mod moves to another version.
func findTools(ctx context.Context, dir string, progress io.Writer) (string, error) {
	if root := moduleRoot(dir); root != "" {
		parts, err := goCommand(ctx, root, "list", "-deps",
			"-f", "{{.ImportPath}} {{with .Module}}{{.Path}} {{.Version}} {{with .Replace}}{{.Path}} {{.Version}}{{end}}{{end}}",
			"tool")
		if err != nil {
			return "", err
		}
		if listed(parts, gonbTool) && listed(parts, goimportsTool) {
			return buildTools(ctx, root, parts, progress)
		}
	}
	for _, name := range []string{"gonb", "goimports"} {
		if _, err := exec.LookPath(name); err != nil {
			return "", fmt.Errorf("no Go kernel: the notebook lies in no module with tool lines for %s and %s, "+
				"and %s is not on PATH; put the notebook into a module and add the lines there: "+
				"go get -tool %[1]s@%[4]s %[2]s@%[5]s", gonbTool, goimportsTool, name, gonbVersion, goimportsVersion)
		}
	}
	return "", nil
}

// moduleRoot returns the nearest directory with a go.mod at or above dir, or
// "" where there is none.
func moduleRoot(dir string) string {
	for {
		if info, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && !info.IsDir() {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// listed tells whether a package is in the output of go list.
func listed(packages []byte, path string) bool {
	return bytes.HasPrefix(packages, []byte(path+" ")) || bytes.Contains(packages, []byte("\n"+path+" "))
}

// buildTools returns the directory with the tools of the module at root,
// after building it if need be. Several processes may do so at once: each
// builds into a directory of its own, and the first to finish gives its name.
func buildTools(ctx context.Context, root string, parts []byte, progress io.Writer) (string, error) {
	env, err := goCommand(ctx, root, "env", "GOVERSION", "GOOS", "GOARCH")
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no place for the tools: %w", err)
	}
	// The go command does not always list packages in the same order.
	lines := strings.Split(string(parts), "\n")
	slices.Sort(lines)
	sum := sha256.Sum256([]byte(string(env) + strings.Join(lines, "\n")))
	cache = filepath.Join(cache, "schedlab")
	dir := filepath.Join(cache, "tools-"+hex.EncodeToString(sum[:8]))
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return "", err
	}
	building, err := os.MkdirTemp(cache, "building-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(building)
	fmt.Fprintln(progress, "building the Go kernel, once for this version")
	if _, err := goCommand(ctx, root, "build", "-o", building+string(filepath.Separator), gonbTool, goimportsTool); err != nil {
		return "", err
	}
	if err := os.Chmod(building, 0o755); err != nil {
		return "", err
	}
	if err := os.Rename(building, dir); err != nil {
		if _, statErr := os.Stat(dir); statErr == nil {
			return dir, nil // another process was first
		}
		return "", err
	}
	return dir, nil
}

// goCommand runs the go command and returns what it printed. Its error holds
// what the command said.
func goCommand(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err == nil {
		return out, nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) && len(exit.Stderr) > 0 {
		return nil, fmt.Errorf("go %s in %s: %s", args[0], dir, strings.TrimSpace(string(exit.Stderr)))
	}
	return nil, fmt.Errorf("go %s in %s: %w", args[0], dir, err)
}
