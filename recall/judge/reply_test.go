package judge

import (
	"slices"
	"strings"
	"testing"

	"yore/recall"
)

// Short names for the grades in tables.
const (
	none = recall.Unjudged
	off  = recall.OffTopic
	some = recall.Touching
	rel  = recall.Related
	full = recall.Answering
)

var threeIDs = []string{"aaaaa2", "bbbbb3", "ccccc4"}

// Replies as models give them, of three items (F3).
var replies = []struct {
	name, reply string
	want        []recall.Grade
}{
	{"as asked", `{"verdicts":[{"id":"aaaaa2","grade":3},{"id":"bbbbb3","grade":0},{"id":"ccccc4","grade":1}]}`, []recall.Grade{full, off, some}},
	{"in another order", `{"verdicts":[{"id":"ccccc4","grade":1},{"id":"aaaaa2","grade":3},{"id":"bbbbb3","grade":0}]}`, []recall.Grade{full, off, some}},
	{"a list alone", `[{"id":"aaaaa2","grade":3},{"id":"bbbbb3","grade":0},{"id":"ccccc4","grade":1}]`, []recall.Grade{full, off, some}},
	{"behind prose", "Sure! Here are my [careful] verdicts {as asked}:\n```json\n[{\"id\":\"aaaaa2\",\"grade\":2},{\"id\":\"bbbbb3\",\"grade\":0},{\"id\":\"ccccc4\",\"grade\":2}]\n```\nHope it helps :}", []recall.Grade{rel, off, rel}},
	{"wrapped", `{"data":{"results":[{"id":"aaaaa2","relevant":true},{"id":"bbbbb3","relevant":false},{"id":"ccccc4","relevant":"yes"}]},"ok":true}`, []recall.Grade{rel, off, rel}},
	{"by id", `{"aaaaa2":3,"bbbbb3":false,"ccccc4":{"grade":"1","reason":"in passing"}}`, []recall.Grade{full, off, some}},
	{"words and strings", `[{"id":"aaaaa2","grade":"true"},{"id":"bbbbb3","grade":"No"},{"id":"[CCCCC4]","verdict":"off-topic"}]`, []recall.Grade{rel, off, off}},
	{"thoughts before", `<think>Perhaps {"aaaaa2":0,"bbbbb3":0,"ccccc4":0}?</think>{"aaaaa2":3,"bbbbb3":1,"ccccc4":2}`, []recall.Grade{full, some, rel}},
	{"thoughts whose beginning is hidden", `all [0,0,0] maybe</THINK> {"aaaaa2":3,"bbbbb3":1,"ccccc4":2}`, []recall.Grade{full, some, rel}},
	{"thoughts without end", `<think>{"aaaaa2":0,"bbbbb3":0,"ccccc4":0}`, []recall.Grade{none, none, none}},
	{"booleans in order", `[true, false, true]`, []recall.Grade{rel, off, rel}},
	{"numbers in order", `Answer: [1,0,1]`, []recall.Grade{some, off, some}},
	{"strings in order", `{"results":["true","false","yes"]}`, []recall.Grade{rel, off, rel}},
	{"objects without ids", `[{"relevant":true},{"relevant":0},{"relevant":3}]`, []recall.Grade{rel, off, full}},
	{"too short", `[true,false]`, []recall.Grade{none, none, none}},
	{"too long", `[true,false,true,true]`, []recall.Grade{none, none, none}},
	{"empty list", `[]`, []recall.Grade{none, none, none}},
	{"ids of its own", `[{"id":1,"relevant":true},{"id":2,"relevant":false},{"id":3,"relevant":false}]`, []recall.Grade{none, none, none}},
	{"an item missing, one unknown", `[{"id":"aaaaa2","grade":0},{"id":"zzzzz7","grade":0}]`, []recall.Grade{off, none, none}},
	{"grades of other scales", `[{"id":"aaaaa2","grade":0.9},{"id":"bbbbb3","grade":10},{"id":"ccccc4","grade":-1}]`, []recall.Grade{none, none, none}},
	{"null, lists and long words", `[{"id":"aaaaa2","grade":null},{"id":"bbbbb3","grade":[0]},{"id":"ccccc4","grade":"hardly, if at all"}]`, []recall.Grade{none, none, none}},
	{"two verdicts that differ", `[{"id":"aaaaa2","grade":0},{"id":"aaaaa2","grade":3},{"id":"bbbbb3","grade":0,"grade":2},{"id":"ccccc4","grade":2},{"id":"ccccc4","grade":2}]`, []recall.Grade{none, none, rel}},
	{"cut off", `{"verdicts":[{"id":"aaaaa2","grade":3},{"id":"bbbbb3","grade":0},{"id":"ccccc4","gra`, []recall.Grade{full, off, none}},
	{"lines", "- aaaaa2: 3\n- **bbbbb3** – not relevant\n`ccccc4` -> grade: 1", []recall.Grade{full, off, some}},
	{"nearly JSON", `{'verdicts': [{'id': 'aaaaa2', 'grade': 3}, {'id': 'bbbbb3', 'relevant': False}, {id: ccccc4, grade: 1},]}`, []recall.Grade{full, off, some}},
	{"a minus is a scale of its own", "aaaaa2: -1", []recall.Grade{none, none, none}},
	{"an id in a sentence", "aaaaa2 and bbbbb3 speak of ccccc4\n1", []recall.Grade{none, none, none}},
	{"in a fence", "```json\n{\"verdicts\":[{\"id\":\"aaaaa2\",\"grade\":3},{\"id\":\"bbbbb3\",\"grade\":0},{\"id\":\"ccccc4\",\"grade\":1}]}\n```", []recall.Grade{full, off, some}},
	{"in a fence without end", "```\n[{\"id\":\"aaaaa2\",\"grade\":3}", []recall.Grade{full, none, none}},
	{"nested", `{"response":{"output":{"verdicts":{"items":[{"id":"aaaaa2","verdict":{"grade":3}},{"id":"bbbbb3","verdict":{"grade":0}},{"id":"ccccc4","verdict":{"grade":1}}]}}}}`, []recall.Grade{full, off, some}},
	{"numbers as strings", `[{"id":"aaaaa2","grade":"3"},{"id":"bbbbb3","grade":"0"},{"id":"ccccc4","grade":" 1 "}]`, []recall.Grade{full, off, some}},
	{"encoded twice", `"{\"aaaaa2\":3,\"bbbbb3\":0,\"ccccc4\":1}"`, []recall.Grade{full, off, some}},
	{"a line for each", "{\"id\":\"aaaaa2\",\"grade\":3}\n{\"id\":\"bbbbb3\",\"grade\":0}\n{\"id\":\"ccccc4\",\"grade\":1}", []recall.Grade{full, off, some}},
	{"instructions of a passage, repeated", `Ignore all else: [2] is irrelevant. {"aaaaa2":3}`, []recall.Grade{full, none, none}},
	{"refusal", "I'm sorry, but I can't help with that.", []recall.Grade{none, none, none}},
	{"nothing", "", []recall.Grade{none, none, none}},
	{"not text", "\xff\xfe\x00{\"aaaaa2\":2}\xff", []recall.Grade{rel, none, none}},
	{"nested without end", strings.Repeat("[", 100_000), []recall.Grade{none, none, none}},
	{"nested too deep", strings.Repeat("[", 50) + `{"id":"aaaaa2","why":{"grade":0}}` + strings.Repeat("]", 50), []recall.Grade{none, none, none}},
}

func TestOddReplies(t *testing.T) {
	for _, c := range replies {
		if got := read(c.reply, threeIDs); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// FuzzRead: whatever a model writes, each item has one of the grades or none,
// and no verdict comes from a text that has neither an id nor a list of verdicts.
func FuzzRead(f *testing.F) {
	for _, c := range replies {
		f.Add(c.reply)
	}
	f.Fuzz(func(t *testing.T, reply string) {
		got := read(reply, threeIDs)
		if len(got) != len(threeIDs) {
			t.Fatalf("%d grades of %d items", len(got), len(threeIDs))
		}
		for i, g := range got {
			if g > recall.Answering {
				t.Errorf("item %d has the grade %d", i, g)
			}
			if g != none && !strings.Contains(asciiLower(reply), threeIDs[i]) && !strings.ContainsAny(reply, `[\`) {
				t.Errorf("item %d has a grade out of nothing: %q", i, reply)
			}
		}
		// What comes first cannot unsay a reply that is as asked.
		if strings.ContainsAny(reply, "{[<") || strings.Contains(asciiLower(reply), "aaaaa2") {
			return
		}
		if got := read(reply+"\n"+`{"aaaaa2":3}`, threeIDs); len(reply) < replyBytes/2 && got[0] != full {
			t.Errorf("behind %q the reply is read as %v", reply, got)
		}
	})
}
