package watch

import (
	"slices"

	"golang.org/x/sys/unix"
)

// kernelTypes are the file systems whose files the kernel makes up while they are
// read.
var kernelTypes = []int64{
	unix.PROC_SUPER_MAGIC, unix.SYSFS_MAGIC, unix.DEBUGFS_MAGIC, unix.TRACEFS_MAGIC, unix.SECURITYFS_MAGIC,
	unix.CGROUP_SUPER_MAGIC, unix.CGROUP2_SUPER_MAGIC, unix.DEVPTS_SUPER_MAGIC,
}

// KernelMade tells whether path lies on a file system such as that of /proc. Some of
// its files call themselves plain ones and wait for ever when they are read.
func KernelMade(path string) bool {
	var s unix.Statfs_t
	return unix.Statfs(path, &s) == nil && slices.Contains(kernelTypes, int64(s.Type))
}
