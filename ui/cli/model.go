package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"yore/recall"
	"yore/recall/topic"
	"yore/recall/topic/chosen"
	"yore/render"
	"yore/sessions/harness"
	"yore/ui/config"
)

type modelCommand struct {
	Show     modelShow     `cmd:"" help:"Say which model finds what is about the same thing: yore model show"`
	Use      modelUse      `cmd:"" help:"Put a model2vec folder in its place: yore model use ~/potion-retrieval-32M"`
	Fetch    modelFetch    `cmd:"" help:"Get a model2vec model from the Hugging Face hub, or the one that $$HF_ENDPOINT names, and use it: yore model fetch minishlab/potion-retrieval-32M"`
	Adapt    modelAdapt    `cmd:"" help:"Adapt the embedded one to your passages, in up to half a minute, and use that: yore model adapt"`
	Embedded modelEmbedded `cmd:"" help:"Use the embedded one again, as it came: yore model embedded"`
}

type modelShow struct{}

// chosenModel is the model in use; nil for the embedded one.
func (a *app) chosenModel(set config.Config) (*chosen.Model, error) {
	if set.Model == config.EmbeddedModel {
		return nil, nil
	}
	m, err := chosen.Open(dataDir(a.env()))
	if err == nil && set.Model != "" && (m == nil || m.Name != set.Model) {
		return nil, usagef("model in the configuration names %s, which is not in use yet: yore model use %s", set.Model, render.ShellWord(set.Model))
	}
	return m, err
}

func (modelShow) Run(a *app) error {
	set, err := a.config()
	if err != nil {
		return err
	}
	m, err := a.chosenModel(set)
	switch {
	case errors.Is(err, chosen.ErrUnseen):
		return err
	case err != nil:
		return fmt.Errorf("the chosen model cannot be used: %w; choose it again, or: yore model embedded", err)
	}
	if m != nil {
		return a.sayModel(m.Name, m)
	}
	return a.sayEmbedded()
}

// sayEmbedded prints what is known of the embedded model, or of the table that it was
// adapted to.
func (a *app) sayEmbedded() error {
	if adapted, ok := recall.AdaptedIn(dataDir(a.env())); ok {
		return a.sayModel(fmt.Sprintf("embedded, adapted to %d passages", adapted.Passages), adapted.Table)
	}
	return a.sayModel("embedded", topic.Embedded())
}

// sayModel prints what is known of a model.
func (a *app) sayModel(name string, m topic.Model) error {
	floor := fmt.Sprintf("%.3f, which one in %.0f pairs of a question and an unrelated passage reaches", m.Floor(), 1/topic.FalseAlarms)
	if m.Floor() >= 1 {
		floor = "none: it does not tell what is about the same thing, so that words alone find"
	}
	_, err := fmt.Fprintf(a.Out, "model   %s\nwidth   %d\nhash    %016x\nfloor   %s\n", render.Line(name), m.Dim(), m.Hash(), floor)
	return err
}

type modelUse struct {
	Dir string `arg:"" type:"path" help:"A folder with config.json, tokenizer.json and model.safetensors: yore model use ~/potion-retrieval-32M"`
}

func (c modelUse) Run(ctx context.Context, a *app) error { return a.useModel(ctx, c.Dir, c.Dir) }

type modelFetch struct {
	Name string `arg:"" help:"OWNER/NAME: yore model fetch minishlab/potion-retrieval-32M"`
}

func (c modelFetch) Run(ctx context.Context, a *app) error {
	hub := a.Getenv("HF_ENDPOINT")
	if hub == "" {
		hub = chosen.Hub
	}
	dir, err := os.MkdirTemp("", "yore-model-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // what is left of it is in nobody's way
	var said time.Time
	progress := func(file string, n int64) {
		if a.ErrTerminal && time.Since(said) > progressAfter {
			said = time.Now()
			fmt.Fprintf(a.Err, "\r\x1b[Kfetching %s: %.1f MB", file, float64(n)/1e6)
		}
	}
	err = chosen.Fetch(ctx, hub, c.Name, dir, progress)
	if !said.IsZero() {
		fmt.Fprint(a.Err, "\r\x1b[K")
	}
	if errors.Is(err, context.Canceled) {
		return err
	}
	if err != nil {
		return usagef("%s was not fetched: %v", c.Name, err)
	}
	return a.useModel(ctx, dir, c.Name)
}

// useModel puts the model of a folder into use under a name.
func (a *app) useModel(ctx context.Context, dir, name string) error {
	m, err := chosen.Use(ctx, dataDir(a.env()), os.DirFS(dir), name, a.calibrate)
	if errors.Is(err, context.Canceled) {
		return err
	}
	if err != nil {
		return usagef("%s is not used: %v", name, err)
	}
	if err := a.remake(ctx); err != nil {
		return err
	}
	return a.sayModel(name, m)
}

// remake makes the vectors of all passages anew, so that no command that ends soon
// has to do without.
func (a *app) remake(ctx context.Context) error {
	e, end, err := a.loaded(ctx, false)
	if err != nil {
		return err
	}
	defer end()
	defer a.busy("making the vectors of all passages anew")()
	return e.Remake(ctx)
}

// calibrated is how many passages give a floor that can be trusted. Where there are
// fewer the sample sessions give it.
const calibrated = 200

// calibrate finds a model's floor on the user's passages.
func (a *app) calibrate(ctx context.Context, m topic.Model) (float32, error) {
	e, end, err := a.loaded(ctx, false)
	if err != nil {
		return 0, err
	}
	defer end()
	if e.Status().Passages >= calibrated {
		return e.Calibrate(ctx, m)
	}
	env, remove, err := unpackDemo(a.demo)
	if err != nil {
		return 0, err
	}
	defer remove()
	samples := recall.Open(recall.Config{Sources: harness.All(), Env: env, Zone: a.Zone, Now: a.Now})
	defer func() { _ = samples.Close() }() // it writes nothing
	if err := samples.Wait(ctx); err != nil {
		return 0, err
	}
	return samples.Calibrate(ctx, m)
}

type modelAdapt struct{}

func (modelAdapt) Run(ctx context.Context, a *app) error {
	e, end, err := a.loaded(ctx, false)
	if err != nil {
		return err
	}
	defer end()
	said := a.busy("adapting the model to your passages, up to half a minute")
	err = e.Adapt(ctx)
	said()
	switch {
	case errors.Is(err, recall.ErrStillFits):
		a.notes([]string{"Nothing was done: " + err.Error() + "."})
	case errors.Is(err, recall.ErrChosenModel), errors.Is(err, recall.ErrNotWriting), errors.Is(err, recall.ErrFewPassages):
		return usagef("the model is not adapted: %v", err)
	case err != nil:
		return err
	}
	return a.sayEmbedded()
}

type modelEmbedded struct{}

// Run drops the chosen model first, which it can whoever writes the index: another yore may
// run all day, beside which the adapted table stays.
func (modelEmbedded) Run(ctx context.Context, a *app) error {
	dir := dataDir(a.env())
	was, err := chosen.Drop(dir)
	if err != nil {
		return fmt.Errorf("the chosen model in %s could not be removed: %w", filepath.Join(dir, "model"), err)
	}
	adapted, stays := recall.DropAdapted(dir)
	if was || adapted {
		if err := a.remake(ctx); err != nil {
			return err
		}
	}
	switch {
	case errors.Is(stays, recall.ErrNotWriting):
		return tableStays(was, stays)
	case stays != nil:
		return fmt.Errorf("the adapted table could not be removed: %w", stays)
	}
	return a.sayModel("embedded", topic.Embedded())
}

// tableStays says what to do where only the chosen model, if there was one, could be dropped.
func tableStays(was bool, why error) error {
	const remedy = "end the yore that runs, or the agents that run yore mcp, and run this again"
	if was {
		return usagef("the chosen model is no longer in use, but the embedded one stays adapted: %v; %s", why, remedy)
	}
	return usagef("the embedded model stays adapted: %v; %s", why, remedy)
}
