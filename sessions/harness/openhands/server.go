package openhands

import (
	"cmp"
	"strings"

	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/store"
)

// silent are the actions and observations of the older server in which nothing
// is said or done.
var silent = map[string]bool{
	"": true, "null": true, "system": true, "recall": true, "change_agent_state": true, "agent_state_changed": true,
	"condensation_request": true, "think": true, "loop_recovery": true,
}

// old reads an event of the older server, which numbers them in each session.
func (r *reader) old(t sessions.Turn, e gjson.Result, path string) {
	number := e.Get("id").Raw
	t.ID = r.id + "/" + strings.Clone(number)
	args, action := e.Get("args"), e.Get("action")
	if !action.Exists() {
		r.observed(t, e)
		return
	}
	human := e.Get("source").String() == "user"
	switch name := gather.Text(action); {
	case name == "message":
		r.st.Said(t.At)
		t.Kind, t.Text = sessions.Reply, cmp.Or(gather.Text(args.Get("content")), gather.Text(e.Get("message")))
		if human {
			t.Kind, t.Role = sessions.Prompt, sessions.User
		}
		r.say(t)
	case name == "finish":
		r.st.Said(t.At)
		t.Kind, t.Text = sessions.Reply, cmp.Or(gather.Text(args.Get("final_thought")), gather.Text(args.Get("thought")))
		r.say(t)
	case name == "condensation":
		t.Kind, t.Text = sessions.Summary, gather.Text(args.Get("summary"))
		r.say(t)
	case name == "think":
		r.think(t, gather.Text(args.Get("thought")))
	case action.Type != gjson.String:
		r.to.Skip(store.Unknown(""), path)
	case !silent[name]:
		if human { // a command that the user ran
			t.Role = sessions.User
		} else {
			r.st.Said(t.At)
			r.think(t, gather.Text(args.Get("thought")))
		}
		r.call(t, number, name, args.Raw)
	}
}

// observed reads what an action led to, which it names by its number.
func (r *reader) observed(t sessions.Turn, e gjson.Result) {
	name := gather.Text(e.Get("observation"))
	if silent[name] {
		return
	}
	exit := e.Get("extras.metadata.exit_code")
	failed := name == "error" || name == "user_rejected" || exit.Type == gjson.Number && exit.Int() != 0
	r.output(t, e.Get("cause").Raw, cmp.Or(gather.Text(e.Get("content")), gather.Text(e.Get("message"))), failed)
}
