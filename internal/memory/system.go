package memory

import (
	"io/fs"
	"math"
	"path"
	"slices"
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

// hierarchy locates the figures of one version of control groups. cached is file data that the
// kernel can drop under memory pressure.
type hierarchy struct{ mount, limit, usage, cached string }

var (
	version1 = hierarchy{"sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"}
	version2 = hierarchy{"sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"}
)

// groups returns the smallest unused memory among the process's control groups. A container may see
// its own group as the root, whatever path the kernel reports, so the root is checked too.
func groups(system fs.FS) (free int64, ok bool) {
	free = math.MaxInt64
	for line := range strings.Lines(read(system, "proc/self/cgroup")) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		var h hierarchy
		switch {
		case parts[0] == "0" && parts[1] == "":
			h = version2
		case slices.Contains(strings.Split(parts[1], ","), "memory"):
			h = version1
		default:
			continue
		}
		for group := path.Clean("/" + parts[2]); ; group = path.Dir(group) {
			if n, known := h.left(system, path.Join(h.mount, group)); known {
				free, ok = min(free, n), true
			}
			if group == "/" {
				break
			}
		}
	}
	return free, ok
}

// left returns how much of the limit of one group is unused.
func (h *hierarchy) left(system fs.FS, group string) (int64, bool) {
	limit, ok := field(read(system, path.Join(group, h.limit)), "")
	used, known := field(read(system, path.Join(group, h.usage)), "")
	cached, _ := field(read(system, path.Join(group, "memory.stat")), h.cached)
	return limit - used + min(cached, used), ok && known
}

// field returns the first number after name in the line that begins with name. ok is false if there
// is no such line, or if the value is no number, such as "max" or "unlimited".
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
	data, _ := fs.ReadFile(system, name) // a missing file provides no figure
	return string(data)
}
