package schedsim

import (
	"fmt"
	"slices"
	"strings"
)

// release is a kernel that there is a model of.
type release struct {
	name   string
	kernel func(cpus int) Kernel
}

// versions are the releases, oldest first, and candidates those on the way to
// one that differ from it in what a post is about.
var (
	versions = []release{
		{"v3.10", V310},
		{"v4.18", V418},
		{"v5.9", V59},
		{"v5.10", V510},
		{"v6.1", V61},
		{"v6.12", V612},
	}
	candidates = []release{
		{"v6.12-rc1", V612rc1},
	}
)

// Versions lists the kernels that the model has: releases, then candidates.
func Versions() []string {
	var names []string
	for _, v := range slices.Concat(versions, candidates) {
		names = append(names, v.name)
	}
	return names
}

// LookupKernel returns the kernel of a version name for a machine with the
// given number of online CPUs, which scales the tunables.
func LookupKernel(version string, cpus int) (Kernel, error) {
	for _, v := range slices.Concat(versions, candidates) {
		if v.name == version {
			return v.kernel(cpus), nil
		}
	}
	return Kernel{}, fmt.Errorf("schedsim: no model of kernel %q, use one of %s",
		version, strings.Join(Versions(), ", "))
}

// versionNumber orders versions: 5010 for "v5.10". A name that is none, as a
// test may have, counts as the newest.
func versionNumber(version string) int {
	var major, minor int
	if n, _ := fmt.Sscanf(version, "v%d.%d", &major, &minor); n < 2 {
		return 1 << 30
	}
	return 1000*major + minor
}

// releaseOf returns the release that a candidate became, or that stable ones are
// of: "v6.12" for "v6.12-rc1" and "v6.12-stable".
func releaseOf(version string) string {
	release, _, _ := strings.Cut(version, "-")
	return release
}

// since reports whether the kernel is of that version or later.
func (s *Sched) since(major, minor int) bool { return s.version >= 1000*major+minor }
