package dump

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// sysfs reads the files below a directory that holds system/cpu.
type sysfs struct {
	*problems
	name string
	t    tree
	base string // "x/sys/devices", so that base + "/system/cpu" exists
	f    *Facts
	cpus CPUSet // those that are not offline
}

// ReadFS reads a tree of sysfs, as ReadPath does for a directory.
func ReadFS(name string, fsys fs.FS) (*Facts, error) {
	return readTree(name, fsTree{name, fsys})
}

// readTree reads sysfs, and /proc/cpuinfo beside it, out of a tree.
func readTree(name string, t tree) (*Facts, error) {
	base, proc := findSysfs(t)
	var info *Facts
	data, err := t.read(path.Join(proc, "proc/cpuinfo"), maxCPUInfo)
	if err != nil {
		return nil, err
	}
	if len(data) > 0 {
		info, err = readCPUInfo(name+":"+path.Join(proc, "proc/cpuinfo"), data)
		if err != nil && base == "" {
			return nil, err
		}
	}
	if base == "" && info == nil {
		return nil, fmt.Errorf("%s: there is no sys/devices/system/cpu in it, give a copy of /sys/devices/system and /proc/cpuinfo", name)
	}
	if base == "" {
		return info, nil
	}
	s := &sysfs{&problems{}, name, t, base, &Facts{Sources: []Source{{name, Sysfs}}}, nil}
	s.states()
	if err := s.err(); err != nil {
		return nil, err
	}
	s.topology()
	s.caches()
	s.nodes()
	s.frequencies()
	s.idle()
	s.power()
	if err := s.err(); err != nil {
		return nil, err
	}
	switch {
	case err != nil:
		s.f.note("", "%v; sysfs alone is used", err)
	case info != nil:
		s.describe(info)
	}
	s.coreTypes(info)
	return s.f.finish()
}

// findSysfs returns the directory that holds system/cpu, and the one that may
// hold proc. A tree starts at the root of the machine, at /sys, at
// /sys/devices/system/cpu, or a directory above the root.
func findSysfs(t tree) (base, proc string) {
	const want = "sys/devices"
	roots := []string{"."}
	for _, d := range t.list(".") {
		roots = append(roots, d)
		for _, e := range t.list(d) {
			roots = append(roots, path.Join(d, e))
		}
	}
	for _, root := range roots {
		if dir := path.Join(root, want); t.list(path.Join(dir, "system/cpu")) != nil {
			return dir, root
		}
	}
	for _, root := range roots {
		if t.list(path.Join(root, "proc")) != nil && slices.Contains(t.list(path.Join(root, "proc")), "cpuinfo") {
			return "", root
		}
	}
	for _, root := range roots {
		for _, dir := range []string{path.Join(root, "devices"), root} {
			if t.list(path.Join(dir, "system/cpu")) != nil {
				return dir, root
			}
		}
	}
	if slices.ContainsFunc(t.list("."), cpuDir.MatchString) {
		return ".", "."
	}
	return "", "."
}

var (
	cpuDir   = regexp.MustCompile(`^cpu([0-9]+)$`)
	nodeDir  = regexp.MustCompile(`^node([0-9]+)$`)
	indexDir = regexp.MustCompile(`^index([0-9]+)$`)
	stateDir = regexp.MustCompile(`^state([0-9]+)$`)
)

// path returns the name of a file below system/cpu, system/node, or, when the
// tree is the cpu directory itself, of that.
func (s *sysfs) path(elem ...string) string {
	if s.base == "." && elem[0] == "cpu" && s.t.list("system/cpu") == nil {
		return path.Join(elem[1:]...)
	}
	return path.Join(append([]string{s.base, "system"}, elem...)...)
}

func (s *sysfs) at(file string) string { return s.name + ":" + file }

// text returns the content of a file without the blanks and NUL bytes at its
// end; ok is false if there is none. Some dumps hold a NUL after each line.
func (s *sysfs) text(file string) (text string, ok bool) {
	data, err := s.t.read(file, maxSysFile)
	if err != nil {
		s.add("", "%v", err)
		return "", false
	}
	if data == nil {
		return "", false
	}
	return strings.Trim(string(data), "\x00 \t\r\n"), true
}

// number returns the whole number in a file, nil if there is none or it is
// negative: the kernel writes -1 for unknown.
func (s *sysfs) number(file string) *int {
	text, ok := s.text(file)
	if !ok || text == "" {
		return nil
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		s.add(s.at(file), "%q is no number, correct it", short(text))
		return nil
	}
	if n < 0 {
		return nil
	}
	return &n
}

// list returns the CPUs, or nodes, in a file such as "online".
func (s *sysfs) list(file string) (CPUSet, bool) {
	text, ok := s.text(file)
	if !ok {
		return nil, false
	}
	set, err := ParseCPUList(text)
	if err != nil {
		s.add(s.at(file), "%v", err)
		return nil, false
	}
	return set, true
}

// set reads a set of CPUs that the kernel writes as a mask and, in a second file,
// as a list. Old kernels have the mask only. An offline CPU
// drops out.
func (s *sysfs) set(mask, list string) (set CPUSet, at string, ok bool) {
	text, hasMask := s.text(mask)
	if hasMask && text != "" {
		var err error
		if set, err = ParseCPUMask(text); err != nil {
			s.add(s.at(mask), "%v", err)
			return nil, "", false
		}
		at = s.at(mask)
	}
	listed, hasList := s.list(list)
	if hasList {
		switch {
		case !hasMask || text == "":
			set, at = listed, s.at(list)
		case !slices.Equal(set.Intersect(s.cpus), listed.Intersect(s.cpus)):
			// The kernel writes both from one mask, so someone has edited the
			// dump. lscpu and hwloc read the mask.
			s.f.note(s.at(list), "the list %s differs from the mask beside it, CPUs %s, which is taken", listed, set)
		}
	}
	if !hasList && (!hasMask || text == "") {
		return nil, "", false
	}
	for _, cpu := range set {
		if s.f.cpu(cpu) == nil {
			s.add(at, "CPU %d is not among those that are present, correct one", cpu)
			return nil, "", false
		}
	}
	set = set.Intersect(s.cpus)
	return set, at, len(set) > 0
}

// dirs returns the numbers of the directories that match, ascending.
func (s *sysfs) dirs(dir string, pattern *regexp.Regexp) []int {
	var ids []int
	for _, name := range s.t.list(dir) {
		if m := pattern.FindStringSubmatch(name); m != nil {
			if id, err := strconv.Atoi(m[1]); err == nil && strconv.Itoa(id) == m[1] {
				ids = append(ids, id)
			}
		}
	}
	slices.Sort(ids)
	return ids
}

// states finds out which CPUs there are, and which are online.
func (s *sysfs) states() {
	present, ok := s.list(s.path("cpu", "present"))
	if !ok {
		for _, id := range s.dirs(s.path("cpu"), cpuDir) {
			if id >= maxCPUs {
				s.add(s.at(s.path("cpu")), "CPU %d is out of range, the highest is %d", id, maxCPUs-1)
				return
			}
			present = append(present, id)
		}
	}
	online, haveOnline := s.list(s.path("cpu", "online"))
	if len(present) == 0 {
		present = online
	}
	if len(present) == 0 {
		s.add(s.at(s.path("cpu")), "there are no CPUs in it, copy the whole directory")
		return
	}
	if strange := online.Minus(present); len(strange) > 0 {
		s.add(s.at(s.path("cpu", "online")), "the CPUs %s are online but not present, correct one", strange)
	}
	for _, id := range present {
		cpu := CPU{ID: id, State: Unknown}
		switch on := s.number(s.path("cpu", fmt.Sprintf("cpu%d", id), "online")); {
		case haveOnline && online.Contains(id):
			cpu.State = Online
		case haveOnline:
			cpu.State = Offline
		case on != nil && *on == 0:
			cpu.State = Offline
		case on != nil:
			cpu.State = Online
		}
		s.f.CPUs = append(s.f.CPUs, cpu)
	}
	s.cpus = s.f.CPUIDs()
}

// cpu returns the name of a file of a CPU.
func (s *sysfs) cpu(id int, elem ...string) string {
	return s.path(append([]string{"cpu", fmt.Sprintf("cpu%d", id)}, elem...)...)
}
