package ui

import (
	"strings"

	"yore/model"
	"yore/render"
)

// concerns says beside the newest sessions what is worth a word, what cannot be
// read before what will be deleted, each in as many words as there is room for.
func (p *painter) concerns(room int) string {
	if !p.Found.Recent() || len(p.Found.Sessions) == 0 {
		return ""
	}
	said := ""
	for _, ways := range [][]string{p.offline(), p.unreadable(), p.unkept(), p.purges()} {
		for _, words := range ways {
			words = dot + words
			if w := p.Cells.Width(words); w <= room {
				said, room = said+words, room-w
				break
			}
		}
	}
	return said
}

// offline says what is missing when nothing of a transcript can come any more.
func (p *painter) offline() []string {
	for _, r := range p.Status.Roots {
		if r.State == "watched" || r.State == "polled" {
			return nil
		}
	}
	if !p.Status.Progress.Complete {
		return nil
	}
	return []string{"no folder of transcripts is there, and nothing new is seen: yore doctor lists where was looked", "no transcripts are there: see yore doctor", "see yore doctor"}
}

// unreadable names the harnesses of which a folder cannot be read, in ever fewer
// words.
func (p *painter) unreadable() []string {
	var names []string
	for _, r := range p.Status.Roots {
		if name := render.Line(r.Harness); r.State == "unreadable" && (len(names) == 0 || names[len(names)-1] != name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	who := strings.Join(names, ", ")
	return []string{who + " cannot be read: yore doctor says why", who + " cannot be read", "see yore doctor"}
}

// unkept is what went wrong with the place of the index.
func (p *painter) unkept() []string {
	if len(p.Status.Notes) == 0 {
		return nil
	}
	return []string{render.Line(p.Status.Notes[0]), "nothing is kept: see yore doctor"}
}

// purges say what harnesses are going to delete.
func (p *painter) purges() []string {
	if p.Found.Query != "" {
		return nil // the list is of some of the sessions, and this is about all
	}
	n := 0
	for _, purge := range p.Purges {
		n += purge.Sessions
	}
	if n == 0 {
		return nil
	}
	who := p.Purges[0].Harness
	if len(p.Purges) > 1 {
		who = "their harnesses"
	}
	long := model.Thousands(n) + " will be purged by " + who + " within a week"
	return []string{long + ": yore doctor names them", long, model.Thousands(n) + " purged soon"}
}
