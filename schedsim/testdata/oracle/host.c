// Copyright (c) the schedlab authors. BSD-3-Clause, see LICENSE.
//
// host measures how a host shares its CPUs among threads, as QEMU's virtual CPUs are:
//
//	host HOGS OTHERS RUN SLEEP
//
// runs threads that spin, and others that by turns run for RUN us and sleep for SLEEP us,
// for two seconds. It prints, in us, how long hogs run and wait at a time, and how late the
// others wake. Run it as the recorded guests: at nice -10, in a session of its own whose
// autogroup has -10 too.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { THREADS = 16, SAMPLES = 1 << 17, GAP_NS = 100000 };

struct samples {
	const char *of;
	long long ns[SAMPLES];
	int n;
};

static struct samples ran = {.of = "hogs run"}, waited = {.of = "hogs wait"}, late = {.of = "others are late"};
static long long end, run_ns, sleep_ns;

static long long now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void add(struct samples *s, long long ns)
{
	int i = __atomic_fetch_add(&s->n, 1, __ATOMIC_RELAXED);
	if (i < SAMPLES)
		s->ns[i] = ns;
}

// hog takes a gap in its own time for a wait.
static void *hog(void *unused)
{
	long long last = now(), since = last;
	while (last < end) {
		long long t = now();
		if (t - last > GAP_NS) {
			add(&ran, last - since);
			add(&waited, t - last);
			since = t;
		}
		last = t;
	}
	return unused;
}

static void *other(void *unused)
{
	while (now() < end) {
		long long due = now() + sleep_ns;
		struct timespec at = {due / 1000000000LL, due % 1000000000LL};
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
		long long t = now();
		add(&late, t - due);
		while (now() < t + run_ns)
			;
	}
	return unused;
}

static int compare(const void *a, const void *b)
{
	long long x = *(const long long *)a, y = *(const long long *)b;
	return (x > y) - (x < y);
}

static void print(struct samples *s)
{
	int n = s->n < SAMPLES ? s->n : SAMPLES;
	if (n == 0)
		return;
	qsort(s->ns, n, sizeof *s->ns, compare);
	printf("%s: n=%d", s->of, n);
	for (int p = 10; p <= 90; p += 10)
		printf(" p%d=%lld", p, s->ns[n * p / 100] / 1000);
	printf("\n");
}

int main(int argc, char **argv)
{
	pthread_t thread[THREADS];
	int hogs = argc > 4 ? atoi(argv[1]) : 0, others = argc > 4 ? atoi(argv[2]) : 0;
	if (hogs < 0 || others < 0 || hogs + others < 1 || hogs + others > THREADS) {
		fprintf(stderr, "use host HOGS OTHERS RUN SLEEP, up to %d threads, times in us\n", THREADS);
		return 2;
	}
	run_ns = atol(argv[3]) * 1000;
	sleep_ns = atol(argv[4]) * 1000;
	end = now() + 2000000000LL;
	for (int i = 0; i < hogs + others; i++)
		pthread_create(&thread[i], NULL, i < hogs ? hog : other, NULL);
	for (int i = 0; i < hogs + others; i++)
		pthread_join(thread[i], NULL);
	print(&ran);
	print(&waited);
	print(&late);
	return 0;
}
