package memory

import (
	"io/fs"
	"math"
	"path"
	"strconv"
	"strings"
)

// availableIn implements Available for a system with the given root directory.
func availableIn(system fs.FS) (free int64, ok bool) {
	free = math.MaxInt64
	for _, source := range []func(fs.FS) (int64, bool){machine, groups, addressSpace} {
		if n, known := source(system); known {
			free, ok = min(free, max(n, 0)), true
		}
	}
	return free, ok
}

// machine returns the memory that the machine can provide without swapping.
func machine(system fs.FS) (int64, bool) {
	kilobytes, ok := field(read(system, "proc/meminfo"), "MemAvailable:")
	return kilobytes << 10, ok
}

// addressSpace returns the remainder of ulimit -v.
func addressSpace(system fs.FS) (int64, bool) {
	limit, ok := field(read(system, "proc/self/limits"), "Max address space")
	used, known := field(read(system, "proc/self/status"), "VmSize:")
	return limit - used<<10, ok && known
}

// groups returns the smallest unused memory among the process's control groups (version 2). A container may
// see its own group as the root, whatever path the kernel reports, so the root is checked too.
func groups(system fs.FS) (free int64, ok bool) {
	free = math.MaxInt64
	for line := range strings.Lines(read(system, "proc/self/cgroup")) {
		own, found := strings.CutPrefix(strings.TrimSpace(line), "0::")
		if !found {
			continue
		}
		for group := path.Clean("/" + own); ; group = path.Dir(group) {
			if n, known := left(system, path.Join("sys/fs/cgroup", group)); known {
				free, ok = min(free, n), true
			}
			if group == "/" {
				break
			}
		}
	}
	return free, ok
}

// left returns how much of the limit of one group is unused. File data that the kernel can drop under memory
// pressure counts as unused.
func left(system fs.FS, group string) (int64, bool) {
	limit, ok := field(read(system, path.Join(group, "memory.max")), "")
	used, known := field(read(system, path.Join(group, "memory.current")), "")
	cached, _ := field(read(system, path.Join(group, "memory.stat")), "inactive_file")
	return limit - used + min(cached, used), ok && known
}

// field returns the first number after name in the line that begins with name. ok is false if there
// is no such line, or if the value is not a number, such as "max" or "unlimited".
func field(text, name string) (n int64, ok bool) {
	for line := range strings.Lines(text) {
		rest, found := strings.CutPrefix(line, name)
		words := strings.Fields(rest)
		if !found || len(words) == 0 || name != "" && rest[0] != ' ' && rest[0] != '\t' {
			continue
		}
		n, err := strconv.ParseInt(words[0], 10, 64)
		return n, err == nil
	}
	return 0, false
}

func read(system fs.FS, name string) string {
	data, _ := fs.ReadFile(system, name) // if the file cannot be read, the value is unknown
	return string(data)
}
