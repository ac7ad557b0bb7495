package corpus

import (
	"maps"
	"path/filepath"
	"strings"
)

type object = map[string]any

// claude writes one Claude Code session: rounds of a prompt, thinking, tool
// calls with their outputs (which stand twice, as in real files) and a reply.
func (w *writer) claude(home string) error {
	id, cwd := w.uuid(), "/home/dev/"+vocabulary[60+w.r.IntN(40)]
	f, err := w.create(filepath.Join(home, ".claude", "projects", strings.ReplaceAll(cwd, "/", "-"), id+".jsonl"))
	if err != nil {
		return err
	}
	parent := any(nil)
	record := func(kind string, more object) {
		u := w.uuid()
		r := object{"parentUuid": parent, "isSidechain": false, "userType": "external", "cwd": cwd, "sessionId": id, "version": "2.1.240",
			"gitBranch": "main", "type": kind, "uuid": u, "timestamp": w.tick()}
		maps.Copy(r, more)
		w.line(r)
		parent = u
	}
	answer := func(block object) {
		record("assistant", object{"requestId": "req_" + w.uuid(), "message": object{
			"id": "msg_" + w.uuid(), "type": "message", "role": "assistant", "model": "claude-opus-4-8", "content": []object{block},
			"usage": object{"input_tokens": w.r.IntN(9000), "cache_read_input_tokens": w.r.IntN(90_000), "output_tokens": w.r.IntN(900)}}})
	}
	for range w.size(9, 1, 200) {
		record("user", object{"message": object{"role": "user", "content": w.say(160)}})
		answer(object{"type": "thinking", "thinking": w.text(w.size(900, 0.8, 9000)), "signature": strings.Repeat("c2lnbmF0dXJl", 30)})
		for range 1 + w.r.IntN(4) {
			call := "toolu_" + w.uuid()
			answer(object{"type": "tool_use", "id": call, "name": "Bash", "input": object{"command": "go test ./" + w.identifier(), "description": w.text(30)}})
			out := w.lines(w.size(1500, 1.1, 60_000))
			record("user", object{
				"message":       object{"role": "user", "content": []object{{"tool_use_id": call, "type": "tool_result", "content": out, "is_error": false}}},
				"toolUseResult": object{"stdout": out, "stderr": "", "interrupted": false, "isImage": false}})
		}
		answer(object{"type": "text", "text": w.say(420)})
	}
	w.line(object{"type": "ai-title", "aiTitle": strings.Join(w.names[:2], " and "), "sessionId": id})
	return w.finish(f)
}
