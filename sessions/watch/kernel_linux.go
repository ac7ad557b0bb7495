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

// sharedTypes are the file systems that another machine may write to, or Windows
// beside its Linux: only what this system writes there is told.
var sharedTypes = []int64{
	unix.V9FS_MAGIC, unix.NFS_SUPER_MAGIC, unix.SMB_SUPER_MAGIC, unix.CIFS_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC, unix.CEPH_SUPER_MAGIC, unix.FUSE_SUPER_MAGIC,
}

// shared tells whether path lies on such a file system: a drive of Windows in its
// Subsystem for Linux, a folder of a host in its virtual machine, a network's.
func shared(path string) bool { return isOf(path, sharedTypes) }

// KernelMade tells whether path lies on a file system such as that of /proc. Some of
// its files call themselves plain ones and wait for ever when they are read.
func KernelMade(path string) bool { return isOf(path, kernelTypes) }

// isOf tells whether the file system of path is one of these types, numbers of 32
// bits that are negative where the system keeps them in a signed one.
func isOf(path string, types []int64) bool {
	var s unix.Statfs_t
	return unix.Statfs(path, &s) == nil && slices.Contains(types, int64(uint32(s.Type)))
}
