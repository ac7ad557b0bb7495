package corpus

import (
	"encoding/json"
	"fmt"
	"path/filepath"
)

// codex writes one Codex rollout: every prompt and answer stands twice, as in
// real files.
func (w *writer) codex(home string) error {
	id := w.uuid()
	name := fmt.Sprintf("rollout-%s-%s.jsonl", w.clock.Format("2006-01-02T15-04-05"), id)
	f, err := w.create(filepath.Join(home, ".codex", "sessions", w.clock.Format("2006/01/02"), name))
	if err != nil {
		return err
	}
	line := func(kind string, payload object) {
		w.line(object{"timestamp": w.tick(), "type": kind, "payload": payload})
	}
	message := func(role, form, text string) {
		line("response_item", object{"type": "message", "role": role, "content": []object{{"type": form, "text": text}}})
	}
	cwd := "/home/dev/" + vocabulary[60+w.r.IntN(40)]
	line("session_meta", object{"id": id, "timestamp": w.clock.Format("2006-01-02T15:04:05.000Z"), "cwd": cwd, "originator": "codex_cli_rs", "cli_version": "0.146.0",
		"source": "cli", "model_provider": "openai", "base_instructions": object{"text": w.text(20_000)}, "git": object{"branch": "main"}})
	for range w.size(8, 1, 150) {
		line("turn_context", object{"turn_id": w.uuid(), "cwd": cwd, "model": "gpt-5.4-codex"})
		prompt := w.say(160)
		message("user", "input_text", prompt)
		line("event_msg", object{"type": "user_message", "message": prompt, "images": []string{}})
		line("response_item", object{"type": "reasoning", "summary": []object{{"type": "summary_text", "text": w.text(300)}}, "encrypted_content": w.uuid()})
		for range 1 + w.r.IntN(5) {
			call := "call_" + w.uuid()
			arguments, err := json.Marshal(object{"cmd": "rg -n " + w.identifier()})
			if err != nil {
				return err
			}
			line("response_item", object{"type": "function_call", "name": "exec_command", "arguments": string(arguments), "call_id": call})
			line("response_item", object{"type": "function_call_output", "call_id": call,
				"output": "Chunk ID: 1\nWall time: 0.2 seconds\nProcess exited with code 0\nOutput:\n" + w.lines(w.size(2500, 1.1, 60_000))})
			line("event_msg", object{"type": "token_count", "info": object{"total_token_usage": object{"input_tokens": w.r.IntN(90_000)}}})
		}
		reply := w.say(420)
		line("event_msg", object{"type": "agent_message", "message": reply})
		message("assistant", "output_text", reply)
	}
	return w.finish(f)
}
