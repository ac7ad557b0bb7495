package gemini

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"

	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// rootFile tells the directory of a project, in the project's folder.
const rootFile = ".project_root"

// directory is the one that a project's folder stands for: by the map of
// projects, by the folder's own note, by what the session says, or because its
// hash is the folder's name; "" when nothing tells.
func directory(project, named, hash string) string {
	slug := filepath.Base(project)
	var known []string
	doc := store.Sidecar(filepath.Join(filepath.Dir(filepath.Dir(project)), "projects.json"))
	for key, v := range jsonl.Fields(jsonl.Field(doc, "projects")) {
		dir := jsonl.Text(`"` + key + `"`)
		if jsonl.Plain(v) == slug {
			return dir
		}
		known = append(known, dir)
	}
	if dir := noted(project); dir != "" {
		return dir
	}
	if named != "" {
		return named
	}
	siblings, _ := os.ReadDir(filepath.Dir(project)) // what cannot be listed tells nothing
	for _, e := range siblings {
		known = append(known, noted(filepath.Join(filepath.Dir(project), e.Name())))
	}
	for _, dir := range known {
		if sum := hashOf(dir); dir != "" && (sum == slug || sum == hash) {
			return dir
		}
	}
	return ""
}

func noted(project string) string {
	return strings.TrimSpace(store.Small(filepath.Join(project, rootFile)))
}

// hashOf is the name that older releases gave to a project's folder.
func hashOf(dir string) string {
	sum := sha256.Sum256([]byte(dir))
	return hex.EncodeToString(sum[:])
}
