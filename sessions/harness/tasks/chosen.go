package tasks

import (
	"path/filepath"
	"strings"

	"github.com/tailscale/hujson"

	"yore/sessions"
	"yore/sessions/store"
)

// The setting by which an extension keeps its tasks in a folder that the user has
// chosen, behind the extension's own name.
const chosenKey = ".customStoragePath"

// maxSettings is how long an editor's settings may be, in bytes: those of people
// have a few kilobytes, and what is nested in them is read on the stack.
const maxSettings = 256 << 10

// chosenIn are the folders of tasks that users chose in the settings of their
// editors, by the name that the extension has there.
func chosenIn(env sessions.Env, name string) []sessions.Root {
	var places []sessions.Root
	for _, settings := range store.EditorFolders(env, "settings.json") {
		text, _ := store.Small(settings.Path) // what cannot be read chooses nothing
		if dir := chosen(text, name+chosenKey); filepath.IsAbs(dir) {
			places = append(places, sessions.Root{Path: filepath.Join(dir, Dir), From: name + chosenKey})
		}
	}
	return places
}

// chosen is the text under a key of settings, JSON in which comments and commas
// behind the last value are allowed; "" when there is none.
func chosen(settings, key string) string {
	if len(settings) > maxSettings || !strings.Contains(settings, key) {
		return ""
	}
	root, err := hujson.Parse([]byte(settings))
	if err != nil {
		return ""
	}
	found := root.Find("/" + key)
	if found == nil {
		return ""
	}
	text, isText := found.Value.(hujson.Literal)
	if !isText || text.Kind() != '"' {
		return ""
	}
	return strings.TrimSpace(text.String())
}
