package gemini

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"

	"yore/sessions/jsonl"
	"yore/sessions/lazy"
	"yore/sessions/store"
)

// rootFile tells the directory of a project, in the project's folder.
const rootFile = ".project_root"

// projects is what is known of the directories of projects.
type projects struct {
	maps  store.Cache[map[string]string] // directory by the name of a project's folder, by projects.json
	notes store.Cache[string]            // directory, by a project's own note
}

// directory is the one that a project's folder stands for: by the map of
// projects, by the folder's own note, by what the session says, or because its
// hash is the folder's name; "" when nothing tells.
func (p *projects) directory(project, named, hash string) string {
	slug := filepath.Base(project)
	mapped, _ := p.maps.Sidecar(filepath.Join(filepath.Dir(filepath.Dir(project)), "projects.json"), readProjects)
	for _, dir := range []string{mapped[slug], p.noted(project), named} {
		if dir != "" {
			return dir
		}
	}
	is := func(dir string) bool {
		sum := HashOf(dir)
		return dir != "" && (sum == slug || sum == hash)
	}
	for _, dir := range mapped {
		if is(dir) {
			return dir
		}
	}
	siblings, _ := os.ReadDir(filepath.Dir(project)) // what cannot be listed tells nothing
	for _, e := range siblings {
		if dir := p.noted(filepath.Join(filepath.Dir(project), e.Name())); is(dir) {
			return dir
		}
	}
	return ""
}

// noted is the directory that a project's folder notes.
func (p *projects) noted(project string) string {
	noted, _ := p.notes.Whole(filepath.Join(project, rootFile), func(path string) (string, error) {
		text, err := store.Small(path)
		return strings.TrimSpace(text), err
	})
	return noted
}

// readProjects reads the map of projects, which names the folder of each
// directory.
func readProjects(doc string) map[string]string {
	dirs := map[string]string{}
	for key, v := range jsonl.Fields(jsonl.Field(doc, "projects")) {
		dirs[jsonl.Text(v)] = jsonl.Text(`"` + key + `"`)
	}
	return dirs
}

// hashName matches such a folder's name.
var hashName = lazy.Regexp(`^[0-9a-f]{64}$`)

// Hashed is the name of the project's folder in which a transcript lies, or one of a
// sub-agent, where it is a hash, else the hash that stands at its beginning.
func (s *Source) Hashed(path string) string {
	if name := HashedFolder(path); name != "" {
		return name
	}
	return s.own.Get(path, ownHash)
}

// hashField matches a hash as it is written at the beginning of a transcript.
var hashField = lazy.Regexp(`"projectHash"\s*:\s*"([0-9a-f]{64})"`)

// hashHead is how far it is looked for, in bytes: the facts of a session stand before what
// was said, in less than one kilobyte.
const hashHead = 4 << 10

func ownHash(path string) string {
	match := hashField().FindSubmatch(store.Part(path, 0, hashHead))
	if match == nil {
		return ""
	}
	return string(match[1])
}

// HashedFolder is the name of a project's folder where that is a hash.
func HashedFolder(path string) string {
	chats := filepath.Dir(path)
	if filepath.Base(chats) != chatsDir {
		chats = filepath.Dir(chats)
	}
	if name := filepath.Base(filepath.Dir(chats)); filepath.Base(chats) == chatsDir && hashName().MatchString(name) {
		return name
	}
	return ""
}

// Hash is the name that older releases gave to a project's folder.
func (s *Source) Hash(dir string) string { return HashOf(dir) }

// HashOf is what stands for a directory where its name does not.
func HashOf(dir string) string {
	sum := sha256.Sum256([]byte(dir))
	return hex.EncodeToString(sum[:])
}
