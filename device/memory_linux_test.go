package device

import (
	"testing"
	"testing/fstest"
)

func TestLinuxMemory(t *testing.T) {
	const meminfo = "MemTotal:       16777216 kB\nMemFree:         1234567 kB\n"
	const ram = 16 << 30
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  int64
	}{
		{"nothing to read", nil, 0},
		{"no group", map[string]string{"proc/meminfo": meminfo}, ram},
		{"nonsense", map[string]string{"proc/meminfo": "MemTotal: much kB\nMemTotal\n", "proc/self/cgroup": "x\n0\n::::\n"}, 0},
		{"too large a number", map[string]string{"proc/meminfo": "MemTotal: 9223372036854775807 kB\n"}, 0},
		{"version 2 without a limit", map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "0::/user/job\n",
			"sys/fs/cgroup/user/job/memory.max": "max\n",
		}, ram},
		{"version 2, a limit", map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "0::/user/job\n",
			"sys/fs/cgroup/user/job/memory.max": "1073741824\n",
		}, 1 << 30},
		{"version 2, the tighter limit is further out", map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "0::/user/job\n",
			"sys/fs/cgroup/user/job/memory.max": "1073741824\n", "sys/fs/cgroup/user/memory.max": "4096\n",
		}, 4096},
		{"version 2, in a container whose path is the host's", map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "0::/docker/0123\n",
			"sys/fs/cgroup/memory.max": "2147483648\n",
		}, 2 << 30},
		{"version 2, a path out of its own namespace", map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "0::/../../other\n",
			"sys/fs/cgroup/memory.max": "2147483648\n",
		}, 2 << 30},
		{"version 1 without a limit", map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "4:memory:/\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
		}, ram},
		{"version 1 beside an empty version 2", map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "5:cpu,memory:/job\n2:cpu:/job\n0::/\n",
			"sys/fs/cgroup/memory/job/memory.limit_in_bytes": "536870912\n",
		}, 512 << 20},
		{"a group, but no meminfo", map[string]string{
			"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "4096\n",
		}, 4096},
		{"a limit above the machine's memory", map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "99999999999999\n",
		}, ram},
	} {
		fsys := fstest.MapFS{}
		for name, text := range tt.files {
			fsys[name] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := linuxMemory(fsys); got != tt.want {
			t.Errorf("%s: %d bytes, want %d", tt.name, got, tt.want)
		}
	}
}
