//go:build !unix

package ui

import tea "charm.land/bubbletea/v2"

// stops is for systems whose shells stop and continue programs.
type stops struct{}

func newStops() *stops { return &stops{} }

func (*stops) filter(_ tea.Model, msg tea.Msg) tea.Msg { return msg }

func (*stops) follow(*tea.Program) (end func()) { return func() {} }
