package opencode

import (
	"cmp"
	"slices"

	"yore/sessions/harness/gather"
	"yore/sessions/sqlite"
)

// events reads the records of the releases that keep no messages.
func (r rowReader) events(table sqlite.Table) error {
	if !table.Has("id", "session_id", "type", "data") {
		return nil
	}
	type event struct {
		seq int64
		message
	}
	var events []event
	err := table.Each(r.ctx, r.of("id", "type", "data", "time_created", "time_updated", "seq"), func(row sqlite.Row) error {
		e := event{row.Int(5), message{id: row.Text(0), kind: row.Text(1), data: gather.Parse(row.Text(2)), created: row.Int(3)}}
		r.k.active(row.Int(4))
		if !e.data.IsObject() {
			r.to.Skip("damaged event", r.k.Path+": event "+e.id)
			return nil
		}
		events = append(events, e)
		return nil
	})
	slices.SortStableFunc(events, func(a, b event) int { return cmp.Compare(a.seq, b.seq) })
	for _, e := range events {
		r.k.events = append(r.k.events, e.message)
	}
	return err
}

// waiting reads the prompts that were typed while an answer was being written, and
// wait until it is. One whose turn came is an event; then the row is gone, or has
// the event's number in releases of before July 2026.
func (r rowReader) waiting(tables []sqlite.Table) error {
	for _, table := range tables {
		if !table.Has("id", "session_id") {
			continue
		}
		columns := r.of("id", "type", "data", "payload", "prompt", "time_created", "promoted_seq")
		err := table.Each(r.ctx, columns, func(row sqlite.Row) error {
			m := message{id: row.Text(0), kind: cmp.Or(row.Text(1), "user"), created: row.Int(5)}
			m.data = gather.Parse(cmp.Or(row.Text(2), row.Text(3), row.Text(4)))
			if m.kind == "user" && row[6] == nil && m.data.IsObject() {
				r.k.waiting = append(r.k.waiting, m)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// order is all that was said, in order. A session that both generations of
// releases wrote has messages and events, and some of it may stand in both.
func (k *talk) order() []message {
	all := k.messages
	switch {
	case k.second && len(k.events) > 0:
		all = k.takenOver()
	case len(k.messages) == 0:
		all = k.events
	case len(k.events) > 0:
		all = k.goneOn()
	}
	return all
}

func idsOf(all []message) map[string]bool {
	ids := map[string]bool{}
	for _, m := range all {
		ids[m.id] = true
	}
	return ids
}

// goneOn is a session of the first generation that a later release went on with:
// its messages, and the events before and behind them. Releases between the two
// wrote each message as an event too, within the second.
func (k *talk) goneOn() []message {
	const twin = 1000 // ms
	known := idsOf(k.messages)
	last := k.messages[len(k.messages)-1]
	var others []message
	for _, e := range k.events {
		if !known[e.id] && (e.created+twin < k.messages[0].created || e.created > last.ended()+twin) {
			others = append(others, e)
		}
	}
	return merged(k.messages, others)
}

// takenOver is a session of the second generation. What it took over from the first
// has the same ids, and is read from there: taking over drops outputs, and names
// attachments in the user's text. Messages that it left out have later ones that it
// took; of those behind the last one that it has, the user went back before them,
// or went on with them in the first generation.
func (k *talk) takenOver() []message {
	first := map[string]message{}
	for _, m := range k.messages {
		first[m.id] = m
	}
	all := slices.Clone(k.events)
	taken := idsOf(all)
	for i, e := range all {
		if m, ok := first[e.id]; ok && (e.kind == "user" || e.kind == "assistant") && m.data.IsObject() {
			all[i] = m
		}
	}
	both := 0 // where the messages begin that the events know nothing of
	for i, m := range k.messages {
		if taken[m.id] {
			both = i + 1
		}
	}
	end := all[len(all)-1].ended()
	var others []message
	for i, m := range k.messages {
		if taken[m.id] {
			continue
		}
		if i >= both && m.created <= end {
			k.Undo(m.id)
		}
		others = append(others, m)
	}
	return merged(all, others)
}

// merged puts others between all by their times; all keeps its order.
func merged(all, others []message) []message {
	var list []message
	for _, m := range all {
		for len(others) > 0 && others[0].created < m.created {
			list, others = append(list, others[0]), others[1:]
		}
		list = append(list, m)
	}
	return append(list, others...)
}
