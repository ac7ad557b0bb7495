package cli

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The trap corpus: small Claude Code sessions, each of which holds one thing
// that breaks readers of transcripts. testdata/traps/traps.tsv says what
// queries over it have to give, and names the sessions by the keys used here.

type fields = map[string]any

// trapCorpus collects sessions and writes them below a home directory.
type trapCorpus struct {
	t        *testing.T
	home     string
	sessions []*trapSession
}

// trapSession is one transcript file in the making.
type trapSession struct {
	corpus                   *trapCorpus
	key, id, stem, cwd, dir  string
	agent                    string
	clock                    time.Time
	parent                   any
	lines                    [][]byte
	records                  []fields
	newline, before, trailer string
}

// trapID is a stable uuid for a name.
func trapID(name string) string {
	h := sha256.Sum256([]byte("yore trap " + name))
	return fmt.Sprintf("%x-%x-4%x-8%x-%x", h[:4], h[4:6], h[6:8], h[8:10], h[10:16])[:36]
}

const trapProject = "/home/dev/edge"

func (c *trapCorpus) session(key string, change ...func(*trapSession)) *trapSession {
	s := &trapSession{corpus: c, key: key, id: trapID(key), cwd: trapProject, newline: "\n"}
	s.clock = time.Date(2026, 6, 1, 8, 0, 0, 0, time.UTC).Add(time.Duration(len(c.sessions)) * (53*time.Hour + 13*time.Minute))
	for _, f := range change {
		f(s)
	}
	if s.stem == "" {
		s.stem = s.id
	}
	if s.dir == "" {
		s.dir = filepath.Join(c.home, ".claude", "projects", strings.ReplaceAll(s.cwd, "/", "-"))
	}
	c.sessions = append(c.sessions, s)
	return s
}

func (s *trapSession) raw(line []byte) { s.lines = append(s.lines, line) }

func (s *trapSession) record(kind string, more fields) {
	s.clock = s.clock.Add(40 * time.Second)
	r := fields{
		"parentUuid": s.parent, "isSidechain": s.agent != "", "userType": "external", "cwd": s.cwd, "sessionId": s.id,
		"version": "2.1.97", "gitBranch": "main", "type": kind, "uuid": trapID(fmt.Sprintf("%s/%d", s.key, len(s.records))),
		"timestamp": s.clock.Format("2006-01-02T15:04:05.000Z"),
	}
	if s.agent != "" {
		r["agentId"] = s.agent
	}
	maps.Copy(r, more)
	s.parent = r["uuid"]
	s.records = append(s.records, r)
	data, err := json.Marshal(r)
	if err != nil {
		s.corpus.t.Fatal(err)
	}
	s.raw(data)
}

func (s *trapSession) user(content any, more ...fields) {
	r := fields{"message": fields{"role": "user", "content": content}}
	for _, m := range more {
		maps.Copy(r, m)
	}
	s.record("user", r)
}

func (s *trapSession) assistant(content any, more ...fields) {
	if text, ok := content.(string); ok {
		content = []fields{said(text)}
	}
	r := fields{"message": fields{"id": fmt.Sprintf("msg_%s_%d", s.key, len(s.records)), "type": "message", "role": "assistant",
		"model": "claude-sonnet-4-5-20250929", "content": content}}
	for _, m := range more {
		maps.Copy(r, m)
	}
	s.record("assistant", r)
}

func said(text string) fields { return fields{"type": "text", "text": text} }

func called(id, name string, input fields) fields {
	return fields{"type": "tool_use", "id": id, "name": name, "input": input}
}

func returned(id, output string) fields {
	return fields{"type": "tool_result", "tool_use_id": id, "content": output}
}

func (s *trapSession) write() {
	var b strings.Builder
	b.WriteString(s.before)
	for _, l := range s.lines {
		b.Write(l)
		b.WriteString(s.newline)
	}
	b.WriteString(s.trailer)
	s.corpus.put(filepath.Join(s.dir, s.stem+".jsonl"), b.String(), s.clock)
}

func (c *trapCorpus) put(path, text string, at time.Time) {
	c.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		c.t.Fatal(err)
	}
	if err := os.Chtimes(path, at, at); err != nil {
		c.t.Fatal(err)
	}
}

// writeTraps fills home with the corpus and returns the session id of each key.
func writeTraps(t *testing.T, home string) map[string]string {
	c := &trapCorpus{t: t, home: home}
	c.queries()
	c.bytes()
	c.subagents()
	c.forks()
	c.structure()
	ids := map[string]string{}
	for _, s := range c.sessions {
		ids[s.key] = s.stem
	}
	return ids
}

func (c *trapCorpus) queries() {
	s := c.session("multiword")
	s.user("please fix the zqword alpha in the login flow")
	s.assistant("The beta zqword decision: use gamma cache, not delta.")
	s.write()

	s = c.session("punct")
	s.user("What's the don't-panic rule for foo-bar_baz in c++ at /src/app/main.go:42?")
	s.assistant("It's handled by foo-bar_baz.")
	s.write()

	s = c.session("cjk")
	s.user("请修改youer服务端的数据库迁移计划")
	s.assistant("数据库迁移已完成，缓存布局保持不变。日本語の検索テストです。한국어 검색 테스트: 데이터베이스마이그레이션을 확인했습니다.")
	s.write()

	s = c.session("emoji")
	s.user("emojiprobe \U0001F469\u200D\U0001F469\u200D\U0001F467\u200D\U0001F466\U0001F680 caf\u00e9 na\u00efve")
	s.assistant("emojiprobe answered")
	s.write()

	s = c.session("nfd")
	s.user("nfdprobe which spelling")
	s.assistant("cafe\u0301 decomposed")
	s.write()
}

func (c *trapCorpus) bytes() {
	s := c.session("surrogate")
	s.user("surrogateprobe before")
	s.assistant("lone LONE surrogateafter")
	last := len(s.lines) - 1
	s.lines[last] = []byte(strings.Replace(string(s.lines[last]), "LONE", `\ud83d`, 1))
	s.assistant("surrogateend ok")
	s.write()

	s = c.session("huge")
	s.user("hugelineprobe start")
	s.assistant([]fields{called("toolu_huge", "Bash", fields{"command": "make dump"})})
	s.user([]fields{returned("toolu_huge", "hugehead "+strings.Repeat("x", 20_000_000)+" hugetail")})
	s.assistant("hugelineafter done")
	s.write()

	s = c.session("ansi")
	s.user("ansiprobe run it")
	s.assistant([]fields{called("toolu_ansi", "Bash", fields{"command": "make colours"})})
	s.user([]fields{returned("toolu_ansi", "\x1b[2J\x1b[31mansired\x1b[0m \x1b]0;TITLE\x07 \x1b]52;c;ZXZpbA==\x07 bell\x07")})
	s.assistant("ansiprobe \x1b[2J\x1b[H answer \x1b]52;c;ZXZpbA==\x07 \u202egnp.exe\u202c tail")
	s.write()

	s = c.session("u2028")
	s.user([]fields{said("u2028probe aSEP1bSEP2c")})
	s.lines[0] = []byte(strings.NewReplacer("SEP1", "\u2028", "SEP2", "\u2029").Replace(string(s.lines[0])))
	s.assistant("separators kept")
	s.write()

	s = c.session("torn")
	s.user("truncprobe complete line")
	s.assistant("truncprobe ok")
	s.trailer = `{"type":"user","message":{"role":"user","content":"half writ`
	s.write()

	s = c.session("bom")
	s.user("crlfprobe one")
	s.assistant("crlfprobe two")
	s.newline, s.before = "\r\n", "\ufeff"
	s.write()

	s = c.session("nulltime")
	s.user("nulltsprobe hi", fields{"timestamp": nil})
	s.assistant("nulltsprobe reply", fields{"timestamp": nil})
	s.write()

	c.session("empty").write()
	s = c.session("garbage")
	for _, line := range []string{"\x00\x01\x02not json", "[]", "null", "42", `"str"`} {
		s.raw([]byte(line))
	}
	s.write()
}

func (c *trapCorpus) subagents() {
	p := c.session("delegate")
	p.user("sidechainparent please delegate")
	p.assistant([]fields{said("delegating"), called("toolu_delegate", "Agent", fields{"description": "research", "prompt": "subagentprobe do research"})})
	dir := filepath.Join(p.dir, p.id, "subagents")
	s := c.session("sub-new", func(s *trapSession) { s.id, s.stem, s.dir, s.agent = p.id, "agent-a1b2c3", dir, "a1b2c3" })
	s.user("subagentprobe do research")
	s.assistant("subagentprobe result")
	s.write()
	c.put(filepath.Join(dir, "agent-a1b2c3.meta.json"), `{"agentType":"general-purpose","description":"research","toolUseId":"toolu_delegate","spawnDepth":1}`, s.clock)
	p.user([]fields{returned("toolu_delegate", "research finished")}, fields{"toolUseResult": fields{"status": "completed", "agentId": "a1b2c3"}})
	p.assistant("delegation finished")
	p.write()

	p = c.session("legacyparent")
	p.user("legacyparentprobe please delegate")
	p.assistant("legacy delegating")
	p.write()
	s = c.session("sub-old", func(s *trapSession) { s.id, s.stem, s.agent = p.id, "agent-ffff01", "ffff01" })
	s.user("legacysideprobe work")
	s.assistant("legacysideprobe done")
	s.write()
	s = c.session("sub-orphan", func(s *trapSession) { s.stem, s.agent = "agent-ffff02", "ffff02" })
	s.user("orphansideprobe work")
	s.assistant("orphansideprobe done")
	s.write()
}

func (c *trapCorpus) forks() {
	o := c.session("forkorig")
	o.user("forkprobe original question")
	o.assistant("forkprobe original answer")
	o.write()
	f := c.session("fork")
	for _, r := range o.records {
		copied := maps.Clone(r)
		copied["sessionId"] = f.id
		copied["forkedFrom"] = fields{"sessionId": o.id, "messageUuid": r["uuid"]}
		data, err := json.Marshal(copied)
		if err != nil {
			c.t.Fatal(err)
		}
		f.raw(data)
	}
	f.parent = o.parent
	f.user("forknew question")
	f.assistant("forknew answer")
	f.write()
	f = c.session("forkold")
	f.lines = append(f.lines, o.lines...)
	f.parent = o.parent
	f.user("forkoldnew question")
	f.write()
}

func (c *trapCorpus) structure() {
	s := c.session("compact")
	s.user("compactprobe first")
	s.assistant("compactprobe first reply")
	s.record("system", fields{"subtype": "compact_boundary", "content": "Conversation compacted", "logicalParentUuid": s.parent, "parentUuid": nil,
		"compactMetadata": fields{"trigger": "auto", "preTokens": 150000}})
	s.user("This session is being continued from a previous conversation that ran out of context. compactsummaryprobe compactprobe first reply",
		fields{"isCompactSummary": true, "isVisibleInTranscriptOnly": true})
	s.user("after compaction go on")
	s.assistant("compactgoneon")
	s.write()

	s = c.session("caveat")
	s.user("<local-command-caveat>Caveat: The messages below were generated by the user while running local commands. DO NOT respond</local-command-caveat>", fields{"isMeta": true})
	s.user("<command-name>/clear</command-name><command-message>clear</command-message><command-args></command-args>")
	s.user("realtitleprobe implement retry")
	s.assistant("ok")
	s.write()

	s = c.session("tools")
	s.user("toolinputprobe go")
	s.assistant([]fields{called("toolu_grep", "Bash", fields{"command": "grep needleinput /etc/hosts"})})
	s.user([]fields{returned("toolu_grep", "needleoutput found")})
	s.assistant([]fields{{"type": "thinking", "thinking": "needlethinking private reasoning"}, said("fin")})
	s.write()

	s = c.session("secret")
	s.user("secretprobe my key AKIA" + "INVENTEDKEY00001 and token ghp" + "_" + strings.Repeat("inventedtokennotreal", 2)[:36])
	s.assistant("noted")
	s.write()

	target := filepath.Join(c.home, "elsewhere", "-home-dev-linked")
	s = c.session("linked", func(s *trapSession) { s.cwd, s.dir = "/home/dev/linked", target })
	s.user("symlinkprobe hi")
	s.assistant("symlinkprobe ok")
	s.write()
	link := filepath.Join(c.home, ".claude", "projects", "-home-dev-linked")
	if err := os.Symlink(filepath.Join("..", "..", "elsewhere", "-home-dev-linked"), link); err != nil {
		c.t.Logf("no symlinks here, the rows of linked do not count: %v", err)
	}
}
