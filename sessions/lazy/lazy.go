// Package lazy has what takes time and memory to make made when it is first needed, not
// at each start.
//
// In: how it is made. Out: a function that gives it.
package lazy

import (
	"regexp"
	"sync"
)

// Regexp is a regular expression that is compiled when it is first asked for. It panics
// then when it is none.
func Regexp(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
