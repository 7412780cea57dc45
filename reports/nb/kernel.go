package nb

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"github.com/go-zeromq/zmq4"
)

const (
	// startTimeout bounds the start of a kernel, which takes about half a
	// second on an idle machine.
	startTimeout = 60 * time.Second
	// stopTimeout bounds a shutdown that was asked for; then it is forced.
	stopTimeout = 3 * time.Second
	// drainTimeout bounds the reading of what a dead kernel still sent.
	drainTimeout = time.Second
)

// kernel is a running GoNB kernel and the connections to it.
//
// The connections are Unix sockets in the kernel's own directory rather than
// TCP ports: no port can be taken by somebody else between choosing and
// using it, nobody else on the machine can connect, and no network is needed.
type kernel struct {
	cmd *exec.Cmd
	// dir is the kernel's temporary directory. All that the kernel and the
	// cells leave behind lies in it and goes with it.
	dir     string
	lock    *os.File // says that dir is in use
	key     []byte
	session string
	sent    int
	places  []place // see stabilize

	shell, control, iopub zmq4.Socket

	// replies and published carry what comes in on shell and iopub. They
	// are closed when the connection ends.
	replies, published chan received

	closing chan struct{} // closed when nobody reads them any more
	dead    chan struct{} // closed when the process has ended
	exit    error         // what the process ended with; valid once dead
}

// startKernel starts a kernel whose cells run in workDir and waits until it
// answers. tools is what findTools returned, temp is where its temporary directory
// is made, and env is the whole environment.
func startKernel(ctx context.Context, tools, workDir, temp string, env []string) (*kernel, error) {
	removeLeftovers(temp)
	dir, err := kernelDir(temp)
	if err != nil {
		return nil, fmt.Errorf("no temporary directory for the Go kernel: %w; TMPDIR names another place", err)
	}
	lock, err := lockDir(dir)
	if err != nil {
		os.RemoveAll(dir)
		return nil, fmt.Errorf("cannot lock the temporary directory of the Go kernel: %w; TMPDIR names another place", err)
	}
	k := &kernel{
		dir:       dir,
		lock:      lock,
		session:   "schedlab-" + randomHex(8),
		key:       []byte(randomHex(32)),
		replies:   make(chan received),
		published: make(chan received),
		closing:   make(chan struct{}),
		dead:      make(chan struct{}),
	}
	conn := connection{
		Transport: "ipc", IP: filepath.Join(dir, "s"),
		ShellPort: 1, ControlPort: 2, StdinPort: 3, IOPubPort: 4, HBPort: 5,
		Key: string(k.key), SignatureScheme: "hmac-sha256", KernelName: "gonb",
	}
	file := filepath.Join(dir, "connection.json")
	data, err := json.Marshal(conn)
	if err == nil {
		err = os.WriteFile(file, data, 0o600)
	}
	if err == nil {
		err = k.startProcess(filepath.Join(tools, "gonb"), file, workDir, env)
	}
	if err != nil {
		os.RemoveAll(dir)
		lock.Close()
		return nil, fmt.Errorf("cannot start the Go kernel: %w", err)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, startTimeout,
		fmt.Errorf("the Go kernel did not answer within %v", startTimeout))
	defer cancel()
	if err := k.connect(ctx, conn); err != nil {
		k.kill() // there may be no connection to ask it over
		k.close()
		return nil, err
	}
	return k, nil
}

// kernelDir makes the temporary directory of a kernel. Its path is kept short
// enough for the sockets in it.
func kernelDir(temp string) (string, error) {
	const most = 90 // bytes; a socket's path may have 107 on Linux
	dir, err := os.MkdirTemp(temp, dirPrefix)
	if err == nil && len(dir) > most {
		os.Remove(dir)
		dir, err = os.MkdirTemp("/tmp", dirPrefix)
	}
	if err != nil {
		return "", err
	}
	if resolved, err := filepath.EvalSymlinks(dir); err == nil {
		dir = resolved // the go command prints resolved paths, which are looked for
	}
	return dir, nil
}

func (k *kernel) startProcess(gonb, connectionFile, workDir string, env []string) error {
	// The kernel's own log goes to a file: it is only looked at when the
	// kernel dies.
	out, err := os.Create(k.logFile())
	if err != nil {
		return err
	}
	defer out.Close()
	k.cmd = exec.Command(gonb, "--kernel", connectionFile, "-raw_error")
	k.cmd.Dir = workDir
	k.cmd.Env = setenv(setenv(env, "TMPDIR", k.dir), "PWD", workDir)
	k.cmd.Stdout, k.cmd.Stderr = out, out
	isolate(k.cmd)
	started := make(chan error)
	go func() {
		// The kernel ends with the thread that started it, so this one is
		// kept for as long as the kernel runs.
		runtime.LockOSThread()
		err := k.cmd.Start()
		started <- err
		if err == nil {
			k.exit = k.cmd.Wait()
			close(k.dead)
		}
	}()
	return <-started
}

func (k *kernel) logFile() string { return filepath.Join(k.dir, "kernel.log") }

// kill ends the kernel and all that it started, at once.
func (k *kernel) kill() {
	killGroup(k.cmd)
	<-k.dead
}

// close shuts the kernel down, ends what cells left running, and removes all
// temporary files.
func (k *kernel) close() {
	close(k.closing)
	select {
	case <-k.dead:
	default:
		if k.control != nil {
			if _, err := k.send(k.control, "shutdown_request", map[string]bool{"restart": false}); err == nil {
				select {
				case <-k.dead:
				case <-time.After(stopTimeout):
				}
			}
		}
	}
	k.kill()
	for _, socket := range []zmq4.Socket{k.shell, k.control, k.iopub} {
		if socket != nil {
			socket.Close()
		}
	}
	endStragglers(k.dir)
	os.RemoveAll(k.dir)
	k.lock.Close()
}

func randomHex(bytes int) string {
	b := make([]byte, bytes)
	rand.Read(b) // never fails
	return hex.EncodeToString(b)
}
