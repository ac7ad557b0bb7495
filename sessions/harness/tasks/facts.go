package tasks

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"yore/sessions/harness/gather"
	"yore/sessions/lazy"
	"yore/sessions/store"
)

// What the extension tells the model about its surroundings.
var (
	directoryOf = lazy.Regexp(`# Current (?:Working|Workspace) Directory \(([^\n]+)\) Files`)
	modelOf     = lazy.Regexp(`<model>([^<\n]+)</model>`)
)

// facts reads what the messages do not tell of a task.
func (r *reader) facts(ctx context.Context) {
	dir := filepath.Dir(r.t.Path)
	item, _ := r.lists.items.Sidecar(filepath.Join(dir, itemName), readItem)
	listed := r.lists.entry(ctx, filepath.Dir(filepath.Dir(dir)), r.ID)
	if parent := cmp.Or(item.parent, listed.parent); parent != "" && parent != r.ID {
		r.Subagent, r.Parent = true, parent
	}
	r.Directory = cmp.Or(item.workspace, listed.directory)
	r.Model = cmp.Or(r.Model, listed.model)
	r.surroundings()
	if r.Provider == "" && r.Model != "" {
		r.Provider = store.Maker(r.Model)
	}
}

// lists are the extension's lists of all its tasks, each read once as long as it
// does not change.
type lists struct {
	files  store.Cache[entries]
	items  store.Cache[item] // beside the tasks
	editor gather.EditorItems[entries]
}

type entries map[string]entry // by the task's id

// entry is what a list says of a task.
type entry struct{ directory, model, parent string }

// item is what stands of a task beside it.
type item struct{ workspace, parent string }

func readItem(doc string) item {
	of := gather.Parse(doc)
	return item{gather.Text(of.Get("workspace")), gather.Text(of.Get("parentTaskId"))}
}

// filed is a task's entry in the list that has a file of its own.
func (l *lists) filed(storage, id string) (e entry, found bool) {
	listed, _ := l.files.Sidecar(filepath.Join(storage, historyDir, historyName), func(doc string) entries {
		return byTask(gather.Parse(doc))
	})
	e, found = listed[id]
	return e, found
}

// entry is a task's entry in the list of the extension with this storage: in a file
// of its own or, of older releases, among what the editor remembers for it.
func (l *lists) entry(ctx context.Context, storage, id string) entry {
	if e, found := l.filed(storage, id); found {
		return e
	}
	name := filepath.Base(storage)
	return l.editor.Get(ctx, filepath.Join(filepath.Dir(storage), gather.EditorData), cmp.Or(spelt[name], name), func(remembered gjson.Result) entries {
		return byTask(remembered.Get("taskHistory"))
	})[id]
}

// spelt are the names under which an editor remembers something for extensions
// whose storage is called otherwise.
var spelt = map[string]string{"rooveterinaryinc.roo-cline": "RooVeterinaryInc.roo-cline"}

func byTask(list gjson.Result) entries {
	listed := entries{}
	for _, e := range list.Array() {
		listed[gather.Text(e.Get("id"))] = entry{
			directory: cmp.Or(gather.Text(e.Get("cwdOnTaskInitialization")), gather.Text(e.Get("workspace"))),
			model:     gather.Text(e.Get("modelId")), parent: gather.Text(e.Get("parentTaskId")),
		}
	}
	return listed
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
		if match := directoryOf().FindStringSubmatch(text); match != nil {
			r.Directory = cmp.Or(r.Directory, strings.Clone(match[1]))
		}
		if match := modelOf().FindStringSubmatch(text); match != nil {
			r.Model = cmp.Or(r.Model, strings.Clone(match[1]))
		}
	}
}
