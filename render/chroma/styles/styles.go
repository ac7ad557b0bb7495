// Package styles holds the styles that glamour registers.
package styles

import "github.com/alecthomas/chroma/v2"

// Registry holds the styles by their names. It is not safe for concurrent use; glamour
// guards it.
var Registry = map[string]*chroma.Style{}

// Register adds a style, and gives it back.
func Register(style *chroma.Style) *chroma.Style {
	Registry[style.Name] = style
	return style
}
