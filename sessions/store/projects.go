package store

import (
	"context"
	"os"
	"path/filepath"
	"strings"
)

const (
	// projectDepth is how deep below a configured folder projects are looked for:
	// code/host/owner/project is the deepest that is usual.
	projectDepth = 4
	// foldersMost bounds how many folders are looked into.
	foldersMost = 20000
)

// foreign are folders of what others wrote, which hold no projects.
var foreign = map[string]bool{"node_modules": true, "vendor": true}

// Projects goes through the folders of code below a root, and the root itself:
// not through hidden ones, nor those of dependencies, nor through links. What
// cannot be read has nothing to show.
func Projects(ctx context.Context, root string, each func(dir string)) {
	folders := 0
	var search func(dir string, depth int)
	search = func(dir string, depth int) {
		if folders++; folders > foldersMost || ctx.Err() != nil {
			return
		}
		each(dir)
		if depth == projectDepth {
			return
		}
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			if e.IsDir() && !strings.HasPrefix(e.Name(), ".") && !foreign[e.Name()] {
				search(filepath.Join(dir, e.Name()), depth+1)
			}
		}
	}
	search(root, 0)
}
