package watch

// Follows tells whether a walk of the folder root goes on where a symbolic link
// below it leads. Both are real paths. It does not go to a folder that contains
// root, such as "/": all of that would be walked for what is seen anyway. Nor does it
// go to what the kernel makes up, where files have no end and reading can wait for
// ever. Any other folder may hold transcripts that somebody moved.
func Follows(root, target string) bool {
	return !Within(target, root) && !KernelMade(target)
}
