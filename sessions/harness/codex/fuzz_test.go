package codex

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"yore/sessions"
	"yore/sessions/harness/harnesstest"
)

// FuzzRead reads any bytes as a rollout: nothing may panic, loop, or come out
// as bad UTF-8, and reading in two steps has to tell what reading at once does.
func FuzzRead(f *testing.F) {
	// Short ones, since the fuzzer spends its time on making long ones short.
	talk := newScript().ask("one").event("thread_rolled_back", obj{"num_turns": 1}).text()
	f.Add([]byte(talk), uint16(200))
	f.Add([]byte(talk[:len(talk)/2]+"\x00\x00"+talk[len(talk)/3:]), uint16(9))
	f.Add([]byte(strings.ReplaceAll(talk, `"payload":{`, `"payload":[{`)), uint16(3))
	f.Add([]byte(strings.NewReplacer(`"type":"`, `"type":7,"x":"`, `"text":"`, `"text":{"a":"`).Replace(talk)), uint16(1))
	f.Add([]byte(newScript().meta(childID, fork).meta(parentID, nil).ask("copied").text()), uint16(5))
	f.Add([]byte(newScript().item("function_call", obj{"call_id": "c"}).event("exec_command_end", obj{"call_id": "c"}).done("").text()), uint16(8))
	f.Add([]byte(newScript().event("agent_message", obj{"message": "x"}).event("turn_aborted", nil).text()), uint16(70))
	f.Add([]byte(`{"type":"message","role":"user","content":`+strings.Repeat("[", 90)+strings.Repeat("]", 90)+"}\n"), uint16(5))
	f.Add([]byte(`{"timestamp":"9999-99-99","type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":9223372036854775807}}`), uint16(0))
	dir := f.TempDir()
	path := filepath.Join(dir, "rollout-2026-07-01T10-00-00-"+childID+".jsonl")
	f.Fuzz(func(t *testing.T, content []byte, cut uint16) {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		tr := sessions.Transcript{Root: sessions.Root{Path: dir}, Path: path, ID: childID}
		once, steps := harnesstest.NewRecorder(), harnesstest.NewRecorder()
		harnesstest.ReadOne(t, New(), tr, once)
		harnesstest.ReadSteps(t, New(), tr, []int{int(cut)}, steps)
		told := everything(once, dir)
		if !utf8.ValidString(told) {
			t.Errorf("bad UTF-8: %q", told)
		}
		// Damage that ends at the cut may heal or not: compare what is whole.
		if len(once.Skipped()) == 0 && told != everything(steps, dir) {
			t.Errorf("at once:\n%s\nin steps:\n%s", told, everything(steps, dir))
		}
	})
}

// FuzzOutput takes any output, and any text, apart.
func FuzzOutput(f *testing.F) {
	for _, s := range []string{
		`"Chunk ID: 1\nOutput:\nx"`, `"{\"output\":\"x\",\"metadata\":{\"exit_code\":1}}"`, `[{"type":"text","text":"x"}]`,
		`{"content":[],"success":false}`, `"data:image/png;base64,` + strings.Repeat("A", 80) + `"`, `null`, `"`, ``,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		if json.Valid([]byte(raw)) { // as every value of a record is
			if text, _ := outputText(raw); !utf8.ValidString(text) {
				t.Errorf("bad UTF-8: %q", text)
			}
		}
		plainOutput(raw)
		callInput("shell", raw)
		humanPart(raw)
		userCommand(raw)
		environmentDirectory(raw)
	})
}

// FuzzParse compares the quick way through a line with the slow one.
func FuzzParse(f *testing.F) {
	f.Add(`{"timestamp":"2026-07-01T08:00:00.000Z","type":"event_msg","payload":{"type":"user_message","message":"x"}}`)
	f.Add(`{"timestamp":"t","ordinal":4,"type":"turn_context","payload":{"cwd":"/x"}}`)
	f.Add(`{"type":"message","role":"user"}`)
	f.Fuzz(func(t *testing.T, line string) {
		quick, ok := parseOrdered(line)
		if !ok {
			return
		}
		if quick.kind == "" || !strings.Contains(line, quick.kind) || !strings.HasSuffix(line, quick.payload) {
			t.Errorf("%+v of %q", quick, line)
		}
		parse(line)
	})
}
