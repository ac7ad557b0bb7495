package topic

import "golang.org/x/sys/cpu"

// longestFast is the longest query that is widened on the stack.
const longestFast = 512

//go:noescape
func scanAVX2(query *int16, rows *int8, out *int32, n, dim int)

// scanFast reports false when the processor or the length is not fit for it.
func scanFast(query, rows []int8, out []int32) bool {
	if !cpu.X86.HasAVX2 || len(query) > longestFast {
		return false
	}
	var wide [longestFast]int16
	for i, x := range query {
		wide[i] = int16(x)
	}
	scanAVX2(&wide[0], &rows[0], &out[0], len(out), len(query))
	return true
}
