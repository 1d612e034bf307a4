package memory

import (
	"errors"
	"math"
	"runtime"
	"testing"
	"testing/fstest"

	"github.com/afterstate2048/afterstate/internal/must"
)

const (
	meminfo = "MemTotal:       24000000 kB\nMemFree:         1000000 kB\nMemAvailable:    8192000 kB\n"
	noLimit = "Limit                     Soft Limit           Hard Limit           Units\n" +
		"Max address space         unlimited            unlimited            bytes\n"
	someLimit = "Max data size             unlimited            unlimited            bytes\n" +
		"Max address space         2147483648           unlimited            bytes\n"
	status = "Name:\tafterstate\nVmPeak:\t  900000 kB\nVmSize:\t  524288 kB\n"
)

// The available memory is the smallest remainder of any limit.
func TestAvailable(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		free  int64
		ok    bool
	}{
		"a system without limits files": {nil, math.MaxInt64, false},
		"no limits":                     {map[string]string{"proc/meminfo": meminfo, "proc/self/limits": noLimit, "proc/self/status": status}, 8192000 << 10, true},
		"ulimit -v":                     {map[string]string{"proc/meminfo": meminfo, "proc/self/limits": someLimit, "proc/self/status": status}, 2<<30 - 512<<20, true},
		"version 2, a container": {map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "0::/\n",
			"sys/fs/cgroup/memory.max": "1000000000\n", "sys/fs/cgroup/memory.current": "900000000\n",
			"sys/fs/cgroup/memory.stat": "anon 5\ninactive_anon 7\ninactive_file 50000000\nactive_file 3\n",
		}, 150000000, true},
		"version 2, without a limit": {map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "0::/user.slice\n",
			"sys/fs/cgroup/user.slice/memory.max": "max\n", "sys/fs/cgroup/user.slice/memory.current": "900000000\n",
		}, 8192000 << 10, true},
		"version 2, the group around is tighter": {map[string]string{
			"proc/self/cgroup":                  "0::/job/step\n",
			"sys/fs/cgroup/job/step/memory.max": "4000\n", "sys/fs/cgroup/job/step/memory.current": "1000\n",
			"sys/fs/cgroup/job/memory.max": "5000\n", "sys/fs/cgroup/job/memory.current": "4900\n",
		}, 100, true},
		"version 2, more used than allowed": {map[string]string{
			"proc/self/cgroup":         "0::/\n",
			"sys/fs/cgroup/memory.max": "1000\n", "sys/fs/cgroup/memory.current": "1200\n",
		}, 0, true},
		"a path above the root": {map[string]string{
			"proc/self/cgroup": "0::/../..\n", "sys/fs/cgroup/memory.max": "3000\n", "sys/fs/cgroup/memory.current": "1000\n",
		}, 2000, true},
		"rubbish": {map[string]string{
			"proc/meminfo": "MemAvailable: a lot\n", "proc/self/cgroup": "\n0:\n::\nx",
			"proc/self/limits": "Max address space", "sys/fs/cgroup/memory.max": "",
		}, math.MaxInt64, false},
	} {
		files := fstest.MapFS{}
		for path, text := range c.files {
			files[path] = &fstest.MapFile{Data: []byte(text)}
		}
		if free, ok := availableIn(files); free != c.free || ok != c.ok {
			t.Errorf("%s: %d, %v, want %d, %v", name, free, ok, c.free, c.ok)
		}
	}
}

// Seven eighths of the available memory may be requested.
func TestCheck(t *testing.T) {
	system := fstest.MapFS{"proc/meminfo": &fstest.MapFile{Data: []byte("MemAvailable: 1048576 kB\n")}}
	must.Do(t, check(system, 7<<27))
	err := check(system, 7<<27+1)
	var short *Error
	if !errors.As(err, &short) || *short != (Error{Needed: 7<<27 + 1, Free: 7 << 27}) || err.Error() != "896.0 MiB of memory is needed, 896.0 MiB is free" {
		t.Errorf("%v", err)
	}
	if err := check(fstest.MapFS{}, math.MaxInt64); err != nil {
		t.Errorf("without any figure: %v", err)
	}
	if runtime.GOOS == "linux" {
		if free, ok := Available(); !ok || free <= 0 || Check(1) != nil || Check(math.MaxInt64) == nil {
			t.Errorf("this machine: %d, %v", free, ok)
		}
	}
}

func TestArithmetic(t *testing.T) {
	for _, c := range [][3]int64{{3, 4, 12}, {0, 1 << 62, 0}, {1 << 40, 1 << 40, math.MaxInt64}, {math.MaxInt64, 1, math.MaxInt64}} {
		must.Equal(t, Times(c[0], c[1]), c[2], c[0], "times", c[1])
	}
	if Plus(1, 2) != 3 || Plus(math.MaxInt64, 1) != math.MaxInt64 {
		t.Error("Plus")
	}
	if Words(3<<29) != "1.5 GiB" || Words(3<<19) != "1.5 MiB" {
		t.Error("Words")
	}
}
