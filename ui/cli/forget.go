package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"yore/recall"
	"yore/render"
	"yore/render/mask"
	"yore/sessions"
)

type forgetCommand struct {
	Session []string `arg:"" optional:"" help:"Ids of sessions or unique beginnings of them: yore forget 1c9936b1"`
	Dir     string   `short:"d" placeholder:"PATH" help:"All sessions that were in this directory or below it: --dir ~/private"`
	Agent   []string `short:"a" sep:"none" placeholder:"${agent_value}" help:"All sessions of this agent program; with --dir, those of them that were there: --agent codex"`
	Undo    bool     `help:"Read them again: yore forget --undo 1c9936b1"`
	Yes     bool     `short:"y" help:"Do not ask: yore forget --yes 1c9936b1"`
}

func (c forgetCommand) Run(ctx context.Context, a *app) error {
	choice, err := c.choice(a)
	if err != nil {
		return err
	}
	if a.useDemo {
		return usagef("--demo keeps nothing that could be forgotten")
	}
	if c.Undo {
		return a.callBack(ctx, choice)
	}
	return a.forget(ctx, choice, c.Yes)
}

// choice is what the arguments name.
func (c forgetCommand) choice(a *app) (recall.Choice, error) {
	names, err := agents(c.Agent)
	if err != nil {
		return recall.Choice{}, err
	}
	out := recall.Choice{Sessions: append(c.Session, a.words...), Agents: names}
	narrowed := c.Dir != "" || len(names) > 0
	switch {
	case len(out.Sessions) == 0 && !narrowed && c.Undo:
		return out, nothingCalled(dataDir(a.env()))
	case len(out.Sessions) == 0 && !narrowed:
		return out, usagef("say what to forget: yore forget SESSION, or --dir PATH, or --agent NAME")
	case len(out.Sessions) > 0 && narrowed:
		return out, usagef("give sessions, or --dir and --agent, not both")
	case slices.Contains(out.Sessions, ""):
		return out, usagef("an id is empty")
	case c.Dir == "":
		return out, nil
	}
	dir := c.Dir
	if dir == "~" || strings.HasPrefix(dir, "~/") {
		dir = filepath.Join(a.Home, dir[1:])
	}
	if out.Dir, err = filepath.Abs(dir); err != nil {
		return out, usagef("--dir: %v", err)
	}
	return out, nil
}

// nothingCalled says what there is to call back.
func nothingCalled(dir string) error {
	ids, err := recall.Forgotten(dir)
	if err != nil {
		return err
	}
	if len(ids) == 0 {
		return usagef("nothing is forgotten that could be called back")
	}
	const most = 10
	more := ""
	if len(ids) > most {
		more = fmt.Sprintf(" and %d more", len(ids)-most)
	}
	return usagef("say what to call back: forgotten are %s%s", strings.Join(ids[:min(len(ids), most)], ", "), more)
}

// forget asks, and removes what was chosen for good.
func (a *app) forget(ctx context.Context, choice recall.Choice, yes bool) error {
	e, end, err := a.loaded(ctx, false)
	if err != nil {
		return err
	}
	closed := false
	closeOnce := func() {
		if !closed {
			closed = true
			end()
		}
	}
	defer closeOnce()
	all, err := e.Choose(ctx, choice)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		a.notes([]string{"There is no session there to forget."})
		return errNothing
	}
	what, err := a.agreed(ctx, e, all, yes)
	if err != nil {
		return err
	}
	dir := e.Status().Kept.Dir
	done, err := e.Forget(ctx, all)
	if err != nil {
		return notForgotten(err, dir)
	}
	closeOnce()
	if !done { // the process that wrote may have ended, and left what this one has not read
		done, err = a.purge(ctx)
		if err != nil {
			return err
		}
	}
	said := fmt.Sprintf("Forgotten: %s. Nothing of that is left in %s.\n", what, render.Line(dir))
	if !done {
		said = fmt.Sprintf("Forgotten: %s. It is in no answer any more; its text is removed from %s by the yore that writes there now, or by the next.\n", what, render.Line(dir))
	}
	_, err = fmt.Fprint(a.Out, said)
	return err
}

// notForgotten says what to do where the index's folder cannot be written.
func notForgotten(err error, dir string) error {
	if errors.Is(err, recall.ErrNotForgotten) && slices.ContainsFunc([]error{fs.ErrPermission, fs.ErrNotExist, syscall.EROFS, syscall.ENOTDIR}, func(why error) bool { return errors.Is(err, why) }) {
		return usagef("%v; make %s writable, or set XDG_DATA_HOME to a folder that is", err, dir)
	}
	return err
}

// agreed says in words what is to be forgotten, once that is agreed to.
func (a *app) agreed(ctx context.Context, e *mask.Engine, all []recall.Forgettable, yes bool) (what string, err error) {
	var list []sessions.Session
	for _, s := range all {
		list = append(list, s.Session)
	}
	what = tally(list)
	if yes {
		return what, nil
	}
	n, err := forks(ctx, e, all)
	if err != nil {
		return "", err
	}
	if yes, err = a.confirm(ctx, doom(what, list, n)); err != nil {
		return "", err
	}
	if !yes {
		a.notes([]string{"Nothing was forgotten."})
		return "", errNothing
	}
	return what, nil
}

// purge opens the index anew and tells whether what was forgotten is removed from it.
func (a *app) purge(ctx context.Context) (done bool, err error) {
	e, end, err := a.loaded(ctx, false)
	if err != nil {
		return false, err
	}
	defer end()
	if !e.Status().Kept.Writes {
		return false, nil
	}
	return e.Purge(ctx)
}

// doom says what is to be forgotten, and asks whether it should.
func doom(what string, all []sessions.Session, forks int) string {
	gone := 0
	for _, s := range all {
		if s.Gone {
			gone++
		}
	}
	if len(all) == 1 && all[0].Title != "" {
		what += fmt.Sprintf(", %q", all[0].Title)
	}
	warning := "Transcripts stay as they are, and --undo reads them again."
	if gone > 0 {
		warning = fmt.Sprintf("The transcripts of %d of them are gone from disk: that text is lost then, and nothing brings it back.", gone)
	}
	if forks > 0 {
		warning += fmt.Sprintf(" %s that repeat what was said there stay.", count(forks, "fork"))
	}
	return fmt.Sprintf("Forget %s for good? %s", what, warning)
}

// forks is how many sessions stay that begin with a copy of one that is forgotten.
func forks(ctx context.Context, e *mask.Engine, all []recall.Forgettable) (n int, err error) {
	every, err := e.Sessions(ctx, recall.SessionFilter{Subagents: "on"})
	if err != nil {
		return 0, err
	}
	forgotten := make(map[sessions.Key]bool, len(all))
	for _, s := range all {
		forgotten[s.Key] = true
	}
	for _, s := range every {
		if !forgotten[s.Key] && forgotten[sessions.Key{Harness: s.Harness, ID: s.ForkedFrom}] {
			n++
		}
	}
	return n, nil
}

// tally is how much some sessions are.
func tally(all []sessions.Session) string {
	subagents, passages := 0, 0
	for _, s := range all {
		passages += s.Passages
		if s.Subagent {
			subagents++
		}
	}
	what := count(len(all)-subagents, "session")
	if subagents > 0 {
		what += " and " + count(subagents, "sub-agent")
	}
	return what + " with " + count(passages, "passage")
}

// callBack has what was forgotten read again, and says what came of it.
func (a *app) callBack(ctx context.Context, choice recall.Choice) error {
	keys, err := recall.CallBack(dataDir(a.env()), choice)
	if err != nil {
		return err
	}
	if len(keys) == 0 {
		a.notes([]string{"There is no forgotten session there to call back."})
		return errNothing
	}
	e, end, err := a.loaded(ctx, false)
	if err != nil {
		return err
	}
	defer end()
	back, lost, err := here(ctx, e, keys)
	if err != nil {
		return err
	}
	if len(lost) > 0 {
		a.notes([]string{fmt.Sprintf("%d of %s did not come back, since the transcripts are gone from disk or left out by the configuration, or were forgotten again: %s", len(lost), count(len(keys), "session"), strings.Join(lost, ", "))})
	}
	if len(back) == 0 {
		return errNothing
	}
	_, err = fmt.Fprintf(a.Out, "Called back: %s.\n", tally(back))
	return err
}

// here are those of some sessions that there are, and the ids of those that are missing.
func here(ctx context.Context, e *mask.Engine, keys []sessions.Key) (back []sessions.Session, lost []string, err error) {
	all, err := e.Sessions(ctx, recall.SessionFilter{Subagents: "on"})
	if err != nil {
		return nil, nil, err
	}
	known := make(map[sessions.Key]sessions.Session, len(all))
	for _, s := range all {
		known[s.Key] = s
	}
	for _, k := range keys {
		if s, there := known[k]; there {
			back = append(back, s)
		} else {
			lost = append(lost, k.ID)
		}
	}
	slices.Sort(lost)
	return back, lost, nil
}
