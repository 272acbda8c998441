package device

import (
	"io/fs"
	"math"
	"os"
	"path"
	"strconv"
	"strings"
)

func hostMemory() int64 { return linuxMemory(os.DirFS("/")) }

// linuxMemory returns the least of the machine's memory and the limits of the
// control groups this process is in, or 0 when none is to be read.
func linuxMemory(root fs.FS) int64 {
	least := int64(math.MaxInt64)
	if n := memTotal(root); n > 0 {
		least = n
	}
	// A line is "hierarchy:controllers:path". Version 2 has the one hierarchy
	// 0 with no controllers named, version 1 one for each set of controllers.
	groups, _ := fs.ReadFile(root, "proc/self/cgroup")
	for line := range strings.Lines(string(groups)) {
		part := strings.SplitN(strings.TrimSpace(line), ":", 3)
		switch {
		case len(part) != 3:
		case part[0] == "0" && part[1] == "":
			least = min(least, groupLimit(root, "sys/fs/cgroup", part[2], "memory.max"))
		case strings.Contains(","+part[1]+",", ",memory,"):
			least = min(least, groupLimit(root, "sys/fs/cgroup/memory", part[2], "memory.limit_in_bytes"))
		}
	}
	if least == math.MaxInt64 {
		return 0
	}
	return least
}

// groupLimit returns the least limit of a control group and those it is in.
// Inside a container the path may be the host's and lead nowhere, but the root
// of the mount is then the container's own group; so every level is tried.
func groupLimit(root fs.FS, mount, group, file string) int64 {
	least := int64(math.MaxInt64)
	for dir := path.Clean("/" + group); ; dir = path.Dir(dir) {
		data, err := fs.ReadFile(root, path.Join(mount, dir, file))
		if err == nil {
			// "max", and the huge number of version 1, are no limit.
			if n, err := strconv.ParseInt(strings.TrimSpace(string(data)), 10, 64); err == nil && n > 0 {
				least = min(least, n)
			}
		}
		if dir == "/" {
			return least
		}
	}
}

// memTotal returns the bytes of "MemTotal:  16384 kB", or 0.
func memTotal(root fs.FS) int64 {
	data, _ := fs.ReadFile(root, "proc/meminfo")
	for line := range strings.Lines(string(data)) {
		field := strings.Fields(line)
		if len(field) == 3 && field[0] == "MemTotal:" && field[2] == "kB" {
			if n, err := strconv.ParseInt(field[1], 10, 64); err == nil && n < math.MaxInt64>>10 {
				return n << 10
			}
		}
	}
	return 0
}
