package nb

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// endStragglers ends every process that a cell of the kernel with that
// temporary directory has left running, also one that went into a session of
// its own. They are known by the TMPDIR that all of them have from the kernel.
func endStragglers(dir string) {
	const tries = 50
	for range tries {
		pids := stragglers(dir)
		if len(pids) == 0 {
			return
		}
		for _, pid := range pids {
			// It may have ended by itself.
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		// One that was just being started is seen the next time.
		time.Sleep(5 * time.Millisecond)
	}
}

// stragglers returns the running processes whose TMPDIR is dir. Of processes of
// other users nothing is known.
func stragglers(dir string) []int {
	want := []byte("TMPDIR=" + dir)
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		return nil
	}
	var pids []int
	for _, file := range files {
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err != nil || pid == os.Getpid() {
			continue
		}
		// What has ended has an empty environment until its parent asks.
		env, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		for entry := range bytes.SplitSeq(env, []byte{0}) {
			if bytes.Equal(entry, want) {
				pids = append(pids, pid)
				break
			}
		}
	}
	return pids
}
