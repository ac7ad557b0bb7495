package model

import (
	"context"
	"errors"

	"yore/recall"
	"yore/sessions"
)

// errNoEngine is the answer of a screen that only follows logs.
var errNoEngine = errors.New("no transcripts are open")

// noEngine is the Engine of a screen that was given none: it knows nothing, and
// nothing of it changes.
type noEngine struct{}

func (noEngine) Ask(context.Context, recall.Query) (recall.Answer, error) {
	return recall.Answer{}, errNoEngine
}

func (noEngine) Read(context.Context, recall.Locator, int) (recall.Reading, error) {
	return recall.Reading{}, errNoEngine
}

func (noEngine) Sessions(context.Context, recall.SessionFilter) ([]sessions.Session, error) {
	return nil, errNoEngine
}

func (noEngine) Health(context.Context) (recall.Health, error) {
	return recall.Health{}, errNoEngine
}

func (noEngine) Status() recall.Status    { return recall.Status{} }
func (noEngine) Changes() <-chan struct{} { return nil }
func (noEngine) ShowSecrets(bool)         {}
func (noEngine) SecretsShown() bool       { return false }
