package tasks

import (
	"cmp"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"yore/sessions/harness/gather"
	"yore/sessions/store"
)

// What the extension tells the model about its surroundings.
var (
	directoryOf = regexp.MustCompile(`# Current (?:Working|Workspace) Directory \(([^\n]+)\) Files`)
	modelOf     = regexp.MustCompile(`<model>([^<\n]+)</model>`)
)

// facts reads what the messages do not tell of a task.
func (r *reader) facts() {
	dir := filepath.Dir(r.t.Path)
	item := gather.Parse(store.Sidecar(filepath.Join(dir, itemName)))
	if parent := gather.Text(item.Get("parentTaskId")); parent != "" && parent != r.ID {
		r.Subagent, r.Parent = true, parent
	}
	listed := r.lists.entry(filepath.Join(filepath.Dir(filepath.Dir(dir)), historyDir, historyName), r.ID)
	r.Directory = cmp.Or(gather.Text(item.Get("workspace")), gather.Text(listed.Get("cwdOnTaskInitialization")))
	r.Model = cmp.Or(r.Model, gather.Text(listed.Get("modelId")))
	r.surroundings()
	if r.Provider == "" && r.Model != "" {
		r.Provider = store.Maker(r.Model)
	}
}

// Lists are the extension's lists of all its tasks, each read once as long as it
// does not change.
type Lists struct {
	cache store.Cache[map[string]gjson.Result]
}

// entry is a task's entry in the list at path.
func (l *Lists) entry(path, id string) gjson.Result {
	return l.cache.Get(path, func(path string) map[string]gjson.Result {
		entries := map[string]gjson.Result{}
		for _, e := range gather.Parse(store.Sidecar(path)).Array() {
			entries[gather.Text(e.Get("id"))] = e
		}
		return entries
	})[id]
}

// surroundings takes what is still missing of directory and model out of the last
// surroundings that the model was told of.
func (r *reader) surroundings() {
	for _, m := range slices.Backward(r.sent.messages) {
		if r.Directory != "" && r.Model != "" {
			return
		}
		if m.Get("role").String() != "user" {
			continue
		}
		_, text, found := strings.Cut(store.Text(m.Get("content").Raw), "<environment_details>")
		if !found {
			continue
		}
		if match := directoryOf.FindStringSubmatch(text); match != nil {
			r.Directory = cmp.Or(r.Directory, strings.Clone(match[1]))
		}
		if match := modelOf.FindStringSubmatch(text); match != nil {
			r.Model = cmp.Or(r.Model, strings.Clone(match[1]))
		}
	}
}
