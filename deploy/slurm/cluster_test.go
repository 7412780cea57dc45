package slurm

import (
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// daemons are what a Slurm of one node consists of.
var daemons = []string{"munged", "slurmctld", "slurmd"}

// config is a Slurm of one node on the loopback interface, whose daemons all run as
// the same user. cred_expire is also how long a requeued job waits. A task is given
// 1 CPU of 4 that the node claims to have, whatever there are.
const config = `ClusterName=loopback
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=%[2]d
SlurmdPort=%[3]d
SlurmUser=%[4]s
SlurmdUser=%[4]s
AuthInfo=socket=%[1]s/munge.sock,cred_expire=10
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=2,bf_interval=2,batch_sched_delay=0,sched_min_interval=100000
StateSaveLocation=%[1]s/state
SlurmdSpoolDir=%[1]s/spool
SlurmctldPidFile=%[1]s/slurmctld.pid
SlurmdPidFile=%[1]s/slurmd.pid
SlurmctldLogFile=%[1]s/slurmctld.log
SlurmdLogFile=%[1]s/slurmd.log
KillWait=5
MinJobAge=300
NodeName=localhost NodeAddr=127.0.0.1 CPUs=4 RealMemory=100
PartitionName=debug Nodes=localhost Default=YES State=UP MaxTime=10
`

// cluster is a running Slurm.
type cluster struct {
	t   *testing.T
	dir string
	env []string
}

// startCluster starts a Slurm of one node, which the end of the test stops. Without
// Slurm's programs the test is skipped.
func startCluster(t *testing.T) *cluster {
	t.Helper()
	for _, name := range append([]string{"sbatch", "scontrol", "squeue", "scancel"}, daemons...) {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("Slurm is not here (%v); 'apt-get install slurm-wlm munge' brings it", err)
		}
	}
	if os.Getuid() != 0 {
		t.Skip("a Slurm of one's own takes root, as slurmd and munged do")
	}
	// Not t.TempDir: munged wants a path that only its user can write to, and a
	// socket's path may not be long.
	dir, err := os.MkdirTemp("/tmp", "slurm")
	if err != nil {
		t.Fatal(err)
	}
	c := &cluster{t: t, dir: dir, env: append(os.Environ(), "SLURM_CONF="+filepath.Join(dir, "slurm.conf"))}
	t.Cleanup(func() { c.stop() })
	key := make([]byte, 1024)
	rand.Read(key)
	c.write("munge.key", string(key), 0o400)
	c.write("slurm.conf", fmt.Sprintf(config, dir, freePort(t), freePort(t), "root"), 0o644)
	for _, sub := range []string{"state", "spool"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	c.must("munged", "--key-file="+dir+"/munge.key", "--socket="+dir+"/munge.sock", "--pid-file="+dir+"/munged.pid",
		"--log-file="+dir+"/munged.log", "--seed-file="+dir+"/munged.seed", "--force")
	c.must("slurmctld", "-f", dir+"/slurm.conf")
	c.must("slurmd", "-N", "localhost", "-f", dir+"/slurm.conf")
	c.wait("the node", time.Minute, func() bool {
		return strings.Contains(c.must("scontrol", "show", "node", "localhost"), "State=IDLE ")
	})
	return c
}

// stop ends the daemons by their pid files, and logs what they said if the test
// failed.
func (c *cluster) stop() {
	_ = c.command("scancel", "--user=root").Run()
	for i := len(daemons) - 1; i >= 0; i-- {
		text, err := os.ReadFile(filepath.Join(c.dir, daemons[i]+".pid"))
		pid, err2 := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil || err2 != nil || pid <= 1 {
			continue
		}
		_ = syscall.Kill(pid, syscall.SIGTERM)
		for range 500 {
			if syscall.Kill(pid, 0) != nil {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	if c.t.Failed() {
		for _, name := range daemons {
			log, _ := os.ReadFile(filepath.Join(c.dir, name+".log"))
			c.t.Logf("%s.log:\n%s", name, log)
		}
	}
	_ = os.RemoveAll(c.dir)
}

func (c *cluster) write(name, text string, mode os.FileMode) {
	c.t.Helper()
	if err := os.WriteFile(filepath.Join(c.dir, name), []byte(text), mode); err != nil {
		c.t.Fatal(err)
	}
}

// command is one of the cluster, in its directory.
func (c *cluster) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Env, cmd.Dir = c.env, c.dir
	return cmd
}

// must runs a command of the cluster and returns what it prints. Output goes by a
// file: the daemons keep it open.
func (c *cluster) must(name string, args ...string) string {
	c.t.Helper()
	out, err := os.CreateTemp(c.dir, "output")
	if err != nil {
		c.t.Fatal(err)
	}
	defer out.Close()
	cmd := c.command(name, args...)
	cmd.Stdout, cmd.Stderr = out, out
	err = cmd.Run()
	text, _ := os.ReadFile(out.Name())
	if err != nil {
		c.t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, text)
	}
	return string(text)
}

// wait waits until something has happened; the limit keeps a broken test from
// hanging.
func (c *cluster) wait(what string, limit time.Duration, happened func() bool) {
	c.t.Helper()
	for begin := time.Now(); !happened(); time.Sleep(2 * time.Millisecond) {
		if time.Since(begin) > limit {
			c.t.Fatalf("%s: not within %v; the queue:\n%s", what, limit, c.must("scontrol", "show", "job"))
		}
	}
}

// freePort is a port that nothing listens on at the moment.
func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
