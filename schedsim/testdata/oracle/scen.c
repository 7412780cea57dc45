// Copyright (c) the schedlab authors. BSD-3-Clause, see LICENSE.
//
// scen runs one scenario file on a real Linux kernel and prints what the
// scheduler did with each task. Package scenario's doc comment has the format;
// this program and that package read the same files.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CHANNELS = 64, OPS = 64, LEAD_MS = 300 };

struct barrier {
	int arrived, generation;
};

// Shared by all tasks.
static struct shared {
	int posts[CHANNELS];
	struct barrier barriers[CHANNELS];
} *shared;

static int pipes[CHANNELS][2];

// The task that this process is.
static char name[16];
static volatile long iterations;
static long long start; // of the scenario, CLOCK_MONOTONIC ns

static long long clock_ns(clockid_t c)
{
	struct timespec t;
	clock_gettime(c, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void complain(const char *what, const char *of)
{
	fprintf(stderr, "scen: %s: %s: %s\n", what, of, strerror(errno));
}

static void put(const char *path, const char *format, ...)
{
	char text[64];
	va_list args;
	va_start(args, format);
	int n = vsnprintf(text, sizeof text, format, args);
	va_end(args);
	int fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, text, n) != n)
		complain("write", path);
	if (fd >= 0)
		close(fd);
}

// finish prints the task's figures and ends it. It runs in a signal handler at
// the end of the scenario, and where a task cannot go on.
static void finish(int signal)
{
	static const char *wanted[] = {"se.avg", "nr_migrations", "se.slice", "load.weight",
		"nr_wakeups", "wait_sum", "wait_max", "sum_exec", "util_est"};
	static char out[16384];
	char line[256];
	struct rusage own, children;
	(void)signal;
	getrusage(RUSAGE_SELF, &own);
	getrusage(RUSAGE_CHILDREN, &children);
	int n = snprintf(out, sizeof out,
		"TASK %s iters=%ld cpu_us=%lld wall_us=%lld vcsw=%ld ivcsw=%ld cpu=%d\n",
		name, iterations, clock_ns(CLOCK_THREAD_CPUTIME_ID) / 1000,
		(clock_ns(CLOCK_MONOTONIC) - start) / 1000, own.ru_nvcsw, own.ru_nivcsw, sched_getcpu());
	if (children.ru_utime.tv_sec || children.ru_utime.tv_usec)
		n += snprintf(out + n, sizeof out - n, "  children_cpu_us : %lld\n  children_ivcsw : %ld\n",
			(children.ru_utime.tv_sec + children.ru_stime.tv_sec) * 1000000LL +
			children.ru_utime.tv_usec + children.ru_stime.tv_usec, children.ru_nivcsw);
	FILE *f = fopen("/proc/self/sched", "r");
	while (f && fgets(line, sizeof line, f))
		for (unsigned i = 0; i < sizeof wanted / sizeof *wanted; i++)
			if (strstr(line, wanted[i])) {
				n += snprintf(out + n, sizeof out - n, "  %s", line);
				break;
			}
	_exit(write(1, out, n) != n);
}

static void burn(long loops)
{
	for (volatile long i = 0; i < loops; i++)
		;
}

// run_for uses that much CPU time. Reading the thread's clock makes the kernel
// account the running entity, so it is read seldom: a learnt number of loops
// passes most of the time.
static void run_for(long us)
{
	static double loops_a_ns = 0.05;
	long long t = clock_ns(CLOCK_THREAD_CPUTIME_ID), end = t + us * 1000LL;
	while (t < end) {
		long loops = (end - t) * loops_a_ns * 0.95 + 20;
		burn(loops);
		long long after = clock_ns(CLOCK_THREAD_CPUTIME_ID);
		if (after > t)
			loops_a_ns = loops / (double)(after - t);
		t = after;
	}
}

static long futex(int *at, int op, int value)
{
	return syscall(SYS_futex, at, op, value, NULL, NULL, 0);
}

static void post(int *sem)
{
	__atomic_add_fetch(sem, 1, __ATOMIC_SEQ_CST);
	futex(sem, FUTEX_WAKE, 1);
}

static void take(int *sem)
{
	for (;;) {
		int v = __atomic_load_n(sem, __ATOMIC_SEQ_CST);
		if (v == 0)
			futex(sem, FUTEX_WAIT, 0);
		else if (__atomic_compare_exchange_n(sem, &v, v - 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
			return;
	}
}

// meet waits for count tasks. The last one to come wakes the others by one system call.
static void meet(struct barrier *b, int count)
{
	int generation = __atomic_load_n(&b->generation, __ATOMIC_SEQ_CST);
	if (__atomic_add_fetch(&b->arrived, 1, __ATOMIC_SEQ_CST) == count) {
		__atomic_store_n(&b->arrived, 0, __ATOMIC_SEQ_CST);
		__atomic_add_fetch(&b->generation, 1, __ATOMIC_SEQ_CST);
		futex(&b->generation, FUTEX_WAKE, count - 1);
		return;
	}
	while (__atomic_load_n(&b->generation, __ATOMIC_SEQ_CST) == generation)
		futex(&b->generation, FUTEX_WAIT, generation);
}

// burst creates count children that each use us of CPU time and exit. Those of
// earlier bursts that are done are reaped.
static void burst(int count, long us)
{
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
	for (int i = 0; i < count; i++)
		if (fork() == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			run_for(us);
			_exit(0);
		}
}

static void policy(int which, int priority)
{
	struct sched_param p = {priority};
	if (sched_setscheduler(0, which, &p))
		complain("sched_setscheduler", name);
}

static void set_nice(int value)
{
	if (setpriority(PRIO_PROCESS, 0, value))
		complain("setpriority", name);
}

static void bind(const char *list)
{
	cpu_set_t set;
	CPU_ZERO(&set);
	for (char *s = (char *)list; *s;) {
		long a = strtol(s, &s, 10), b = a;
		if (*s == '-')
			b = strtol(s + 1, &s, 10);
		for (; a <= b; a++)
			CPU_SET(a, &set);
		s += *s == ',';
	}
	if (sched_setaffinity(0, sizeof set, &set))
		complain("sched_setaffinity", list);
}

// one does one operation.
static void one(const char *op)
{
	char what[16] = "", path[128], c = 1;
	size_t n = strcspn(op, ":");
	const char *arg = op[n] ? op + n + 1 : "", *second = strchr(arg, ',');
	long v = atol(arg), w = second ? atol(second + 1) : 0;
	snprintf(what, sizeof what, "%.*s", (int)n, op);
#define IS(s) (strcmp(what, s) == 0)
	if (IS("run"))
		run_for(v);
	else if (IS("hog"))
		for (;;)
			burn(1 << 20);
	else if (IS("sleep")) {
		struct timespec d = {v / 1000000, v % 1000000 * 1000};
		nanosleep(&d, NULL);
	} else if (IS("send")) {
		if (write(pipes[v][1], &c, 1) != 1)
			finish(0);
	} else if (IS("recv")) {
		if (read(pipes[v][0], &c, 1) != 1)
			finish(0);
	} else if (IS("wake"))
		post(&shared->posts[v]);
	else if (IS("wait"))
		take(&shared->posts[v]);
	else if (IS("barrier"))
		meet(&shared->barriers[v], w);
	else if (IS("fork"))
		burst(v, w);
	else if (IS("yield"))
		sched_yield();
	else if (IS("nice"))
		set_nice(v);
	else if (IS("fifo"))
		policy(SCHED_FIFO, v);
	else if (IS("rr"))
		policy(SCHED_RR, v);
	else if (IS("batch"))
		policy(SCHED_BATCH, 0);
	else if (IS("idle"))
		policy(SCHED_IDLE, 0);
	else if (IS("other"))
		policy(SCHED_OTHER, 0);
	else if (IS("session")) {
		if (setsid() < 0)
			complain("setsid", name);
	} else if (IS("group")) {
		snprintf(path, sizeof path, "/cg/%s/cgroup.procs", arg);
		put(path, "0");
	} else
		fprintf(stderr, "scen: unknown operation %s\n", op);
}

// task is the life of one line of the file.
static void task(char *line, long duration_ms)
{
	char *ops[OPS], *save, *word = strtok_r(line, " \t\n", &save);
	int n = 0, first = 0;
	snprintf(name, sizeof name, "%s", word);
	prctl(PR_SET_NAME, name);
	prctl(PR_SET_TIMERSLACK, 1UL);
	set_nice(atoi(strtok_r(NULL, " \t\n", &save)));
	char *cpus = strtok_r(NULL, " \t\n", &save);
	if (strcmp(cpus, "-"))
		bind(cpus);
	long at_ms = atol(strtok_r(NULL, " \t\n", &save));
	while (n < OPS && (word = strtok_r(NULL, " \t\n", &save)))
		ops[n++] = word;

	signal(SIGALRM, finish);
	long long left = start + duration_ms * 1000000LL - clock_ns(CLOCK_MONOTONIC);
	struct itimerval stop = {{0, 0}, {left / 1000000000LL, left % 1000000000LL / 1000}};
	setitimer(ITIMER_REAL, &stop, NULL);
	long long t = start + at_ms * 1000000LL;
	struct timespec at = {t / 1000000000LL, t % 1000000000LL};
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR)
		;
	for (;; iterations++)
		for (int i = first; i < n; i++)
			if (strcmp(ops[i], "once"))
				one(ops[i]);
			else
				first = i + 1;
}

// directive obeys a line that starts with @.
static void directive(const char *line, long *duration_ms)
{
	char group[32], path[128], word[8];
	long v, w;
	if (sscanf(line, "@duration %ld", &v) == 1)
		*duration_ms = v;
	else if (sscanf(line, "@group %31s %ld", group, &v) == 2) {
		snprintf(path, sizeof path, "/cg/%s", group);
		mkdir(path, 0755);
		snprintf(path, sizeof path, "/cg/%s/cpu.weight", group);
		put(path, "%ld", v);
	} else if (sscanf(line, "@bandwidth %31s %ld %ld", group, &v, &w) == 3) {
		snprintf(path, sizeof path, "/cg/%s/cpu.max", group);
		put(path, "%ld %ld", v, w);
	} else if (sscanf(line, "@autogroup %7s", word) == 1) {
		put("/proc/sys/kernel/sched_autogroup_enabled", "%d", strcmp(word, "on") == 0);
		setsid();
	} else
		fprintf(stderr, "scen: unknown directive %s", line);
}

int main(int argc, char **argv)
{
	char line[4096];
	long duration_ms = 1000;
	FILE *f = argc > 1 ? fopen(argv[1], "r") : NULL;
	if (!f) {
		complain("open", argc > 1 ? argv[1] : "no scenario given");
		return 2;
	}
	for (int i = 0; i < CHANNELS; i++)
		if (pipe(pipes[i])) {
			complain("pipe", "");
			return 1;
		}
	shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED) {
		complain("mmap", "");
		return 1;
	}
	start = clock_ns(CLOCK_MONOTONIC) + LEAD_MS * 1000000LL;
	while (fgets(line, sizeof line, f))
		if (line[0] == '@')
			directive(line, &duration_ms);
		else if (line[0] != '#' && line[0] != '\n' && fork() == 0) {
			task(line, duration_ms);
		}
	while (wait(NULL) > 0)
		;
	put("/proc/sys/kernel/sched_autogroup_enabled", "0");
	return 0;
}
