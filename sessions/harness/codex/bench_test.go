package codex

import (
	"strings"
	"testing"

	"yore/sessions"
	"yore/sessions/harness/harnesstest"
)

// corpus is a rollout with about the shares that real ones have: a twentieth
// talk, a third tools and reasoning, the rest envelope, repeated history and
// state.
func corpus() *script {
	s := newScript().meta(parentID, obj{"base_instructions": obj{"text": strings.Repeat("Be careful with files. ", 1000)}})
	sentence := "The pool keeps a connection for every worker and the limit belongs to the config package. "
	output := strings.Repeat("ok  \tshop/checkout\t0.31s\tcoverage: 81.2% of statements\n", 60)
	for range 400 {
		s.begin(turnOne).ask(strings.Repeat(sentence, 2))
		for range 6 {
			s.event("agent_reasoning", obj{"text": sentence}).
				item("reasoning", obj{"summary": []obj{{"type": "summary_text", "text": sentence}}, "encrypted_content": "gAAAAA" + strings.Repeat("x", 3000)}).
				item("function_call", obj{"name": "exec_command", "arguments": `{"cmd":"go test ./... -count=1","workdir":"/home/dev/shop"}`, "call_id": "c"}).
				item("function_call_output", obj{"call_id": "c", "output": "Chunk ID: 1\nWall time: 1.0 seconds\nProcess exited with code 0\nOutput:\n" + output}).
				event("token_count", obj{"info": obj{"total_token_usage": obj{"input_tokens": 18220, "cached_input_tokens": 9100}, "last_token_usage": obj{"input_tokens": 9420}}})
		}
		s.add("world_state", obj{"full": true, "state": obj{"files": strings.Repeat("/home/dev/shop/checkout/worker.go ", 120)}})
		s.reply(strings.Repeat(sentence, 6)).done(turnOne)
	}
	s.add(kindCompacted, obj{"message": "", "replacement_history": []obj{{"type": "message", "content": strings.Repeat(sentence, 20000)}}})
	return s
}

type discard struct{ turns int }

func (*discard) Facts(sessions.Session)             {}
func (d *discard) Turn(string, sessions.Turn, bool) { d.turns++ }
func (*discard) Undo(string, []string, bool)        {}
func (*discard) Skip(string, string)                {}

func BenchmarkRead(b *testing.B) {
	dir := b.TempDir()
	corpus().put(b, dir, parentID)
	src := New()
	tr := harnesstest.List(b, src, home(dir))[0]
	b.SetBytes(tr.Size)
	b.ReportAllocs()
	for b.Loop() {
		var to discard
		if _, err := src.Read(b.Context(), tr, sessions.Mark{}, &to); err != nil || to.turns < 400*15 {
			b.Fatal(to.turns, err)
		}
	}
}

func BenchmarkLineage(b *testing.B) {
	dir := b.TempDir()
	corpus().put(b, dir, parentID)
	tr := harnesstest.List(b, New(), home(dir))[0]
	b.SetBytes(tr.Size)
	for b.Loop() {
		if !New().lineage(b.Context(), tr, parentID).has(turnOne) {
			b.Fatal("a turn is not known")
		}
	}
}
