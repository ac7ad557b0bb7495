package modeltest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"yore/recall"
	"yore/recall/query"
	"yore/sessions"
)

// Now is when the invented sessions are looked at.
var Now = time.Date(2026, 5, 20, 15, 4, 0, 0, time.UTC)

// Engine answers from functions that a test can replace before it starts.
type Engine struct {
	OnAsk      func(ctx context.Context, q recall.Query) (recall.Answer, error)
	OnSessions func(ctx context.Context, f recall.SessionFilter) ([]sessions.Session, error)
	OnRead     func(ctx context.Context, l recall.Locator, around int) (recall.Reading, error)
	OnHealth   func(ctx context.Context) (recall.Health, error)

	mu      sync.Mutex
	status  recall.Status
	changes chan struct{}
	secrets bool
	asked   []recall.Query
	flying  int
	most    int // requests in flight at once, at most
}

// New is an engine whose first reading is done, with the sample answers.
func New() *Engine {
	return &Engine{
		OnAsk: func(_ context.Context, q recall.Query) (recall.Answer, error) {
			a := Answer(q.Text)
			if strings.Contains(q.Text, "last week") {
				a.Time = &recall.TimePhrase{Text: "last week", Use: q.Time}
			}
			return a, nil
		},
		OnSessions: func(_ context.Context, f recall.SessionFilter) ([]sessions.Session, error) {
			return titled(Sessions(), f), nil
		},
		OnRead: func(_ context.Context, l recall.Locator, around int) (recall.Reading, error) {
			return Reading(l, around), nil
		},
		OnHealth: func(context.Context) (recall.Health, error) { return recall.Health{}, nil },
		status:   Status(),
		changes:  make(chan struct{}, 1),
	}
}

// titled are the sessions that pass the filters by title and by agent.
func titled(list []sessions.Session, f recall.SessionFilter) []sessions.Session {
	return slices.DeleteFunc(list, func(s sessions.Session) bool {
		return slices.ContainsFunc(f.Filters, func(f query.Filter) bool {
			return f.Name == query.Title && !strings.Contains(strings.ToLower(s.Title), f.Value) || f.Name == query.Agent && s.Harness != f.Value
		})
	})
}

// Ask implements model.Engine.
func (e *Engine) Ask(ctx context.Context, q recall.Query) (recall.Answer, error) {
	e.enter(&q)
	defer e.leave()
	return e.OnAsk(ctx, q)
}

// Sessions implements model.Engine.
func (e *Engine) Sessions(ctx context.Context, f recall.SessionFilter) ([]sessions.Session, error) {
	e.enter(nil)
	defer e.leave()
	return e.OnSessions(ctx, f)
}

// Read implements model.Engine.
func (e *Engine) Read(ctx context.Context, l recall.Locator, around int) (recall.Reading, error) {
	return e.OnRead(ctx, l, around)
}

// Status implements model.Engine.
func (e *Engine) Status() recall.Status {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.status
}

// Changes implements model.Engine.
func (e *Engine) Changes() <-chan struct{} { return e.changes }

// Set replaces the status without telling.
func (e *Engine) Set(s recall.Status) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.status = s
}

// Change makes the corpus a new one and tells so.
func (e *Engine) Change() {
	e.mu.Lock()
	e.status.Generation++
	e.mu.Unlock()
	select {
	case e.changes <- struct{}{}:
	default:
	}
}

// Health implements model.Engine.
func (e *Engine) Health(ctx context.Context) (recall.Health, error) { return e.OnHealth(ctx) }

// ShowSecrets implements model.Engine.
func (e *Engine) ShowSecrets(on bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.secrets = on
}

// SecretsShown implements model.Engine.
func (e *Engine) SecretsShown() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.secrets
}

// Asked are the queries so far.
func (e *Engine) Asked() []recall.Query {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]recall.Query(nil), e.asked...)
}

// MostAtOnce is how many searches were in flight at the same time, at most.
func (e *Engine) MostAtOnce() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.most
}

func (e *Engine) enter(q *recall.Query) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if q != nil {
		e.asked = append(e.asked, *q)
	}
	e.flying++
	e.most = max(e.most, e.flying)
}

func (e *Engine) leave() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.flying--
}

// Status is a complete, watched corpus.
func Status() recall.Status {
	return recall.Status{
		Sessions: 2431, Subagents: 120, Passages: 41210, Generation: 1,
		Progress: sessions.Progress{Transcripts: 2551, TranscriptsDone: 2551, Bytes: 1 << 30, BytesDone: 1 << 30, Complete: true},
		Roots: []sessions.RootState{
			{Root: sessions.Root{Harness: "claude", Path: "/home/ada/.claude/projects"}, State: "watched"},
			{Root: sessions.Root{Harness: "codex", Path: "/home/ada/.codex/sessions"}, State: "watched"},
		},
	}
}

// Indexing is a corpus of which 42 % are read.
func Indexing() recall.Status {
	s := Status()
	s.Progress = sessions.Progress{Transcripts: 2551, TranscriptsDone: 310, Bytes: 1000, BytesDone: 420}
	return s
}

// session is the n-th of the sample sessions.
func session(n int) sessions.Session {
	titles := []string{
		"Cache layout", "キャッシュの設計を見直す 🧑‍💻", "Fix the flaky upload test ❤️",
		"", "Move the constant to config", "مراجعة التصميم", "नमस्ते दुनिया", "Plan the release of the shop's new checkout, with everything that has to be told to its users",
	}
	dirs := []string{"/home/ada/shop", "/home/ada/code/very/deep/folder/of/a/client/project-with-long-name", "/srv/build", ""}
	harness := []string{"claude", "codex"}[n%2]
	last := Now.Add(-time.Duration(n*n) * 5 * time.Hour)
	id := fmt.Sprintf("%08x-0000-4000-8000-%012d", 0xa1b2c3+n, n)
	return sessions.Session{
		Key: sessions.Key{Harness: harness, ID: id}, Path: "/home/ada/.sessions/" + id + ".jsonl",
		Directory: dirs[n%len(dirs)], Title: titles[n%len(titles)], Branch: []string{"main", "", "feature/cache"}[n%3],
		Start: last.Add(-time.Hour), LastActive: last, Prompts: 3 * n, Passages: 40, Running: n == 2,
	}
}

// Sessions are the sample sessions, newest first.
func Sessions() []sessions.Session {
	var out []sessions.Session
	for n := range 16 {
		out = append(out, session(n))
	}
	return out
}

var lines = []string{
	"Sharded cache because the single file grew past what one lock can serve.",
	"The layout constant moved to config, so the cache can be sharded per project.",
	"分片缓存的布局已经决定 because the cache was one file 🧑‍💻 and too slow.",
	"We keep the cache\tin ~/.cache/shop; see `layout.go`, and do not shard by user.",
	"A very long line " + strings.Repeat("that goes on and on ", 60) + "until the cache is named at last.",
	"کش را به چند بخش تقسیم کردیم (cache layout) و تمام شد.",
	"é́́ combining: café cache, naïve layout, Ǘ.",
	"No: \x1b[31mred\x1b[0m \x1b]52;c;aGk=\x07cache \u202eesrever\u202c and a bell\a.",
}

// Hit is the n-th hit of the sample answer.
func Hit(n int) recall.Hit {
	text := "Some context before.\n" + lines[n%len(lines)] + "\nSome context after."
	at := strings.Index(text, "\n") + 1
	h := recall.Hit{
		Session: session(n), Passage: 7 + n, Span: [2]int{7 + n, 7 + n}, At: session(n).LastActive,
		Text: text, Line: at, Matched: []recall.Badge{recall.Both, recall.Words, recall.Topic}[n%3],
		Strength: 1 / float64(n+1), RankWords: n + 1,
		Subagent: n%5 == 3, Undone: n%7 == 4, Gone: n%6 == 5, Close: n%9 == 7,
	}
	h.Short = h.Session.ID[:8]
	h.Ref = h.Session.ID + "#m1+0"
	if n%4 == 1 {
		h.AlsoIn = []string{"x", "y"}
	}
	for from := at; ; {
		i := strings.Index(text[from:], "cache")
		if i < 0 {
			break
		}
		h.Matches = append(h.Matches, [2]int{from + i, from + i + len("cache")})
		from += i + len("cache")
	}
	h.Members = []recall.Member{{Passage: sessions.Passage{
		Number: h.Passage, Text: text,
		Spans: []sessions.Span{{From: 0, To: len(text), Kind: sessions.Reply, Role: sessions.Assistant, At: h.At}},
	}, Matches: h.Matches, RankWords: n + 1}}
	return h
}

// Answer is the sample answer to any query that does not speak of kafka, of
// which nothing is known.
func Answer(query string) recall.Answer {
	a := recall.Answer{Query: query, Topical: true, Complete: true, Took: 3 * time.Millisecond}
	if strings.Contains(query, "kafka") {
		a.Notes = []string{"kafka, partition occur nowhere"}
		return a
	}
	for n := range 14 {
		a.Hits = append(a.Hits, Hit(n))
	}
	a.PassagesMatched, a.SessionsMatched, a.TopicMatched = 14, 9, 20
	return a
}

// Reading is a sample passage with its neighbours.
func Reading(l recall.Locator, around int) recall.Reading {
	r := recall.Reading{Passage: l.Passage, Of: 40, Around: around, Short: l.Session[:min(8, len(l.Session))]}
	for n := range 16 {
		if s := session(n); s.ID == l.Session {
			r.Session = s
		}
	}
	from, to := max(0, l.Passage-around), min(39, l.Passage+around)
	for n := from; n <= to; n++ {
		at := Now.Add(time.Duration(n-200) * time.Minute)
		r.Passages = append(r.Passages, recall.ReadPassage{
			Number: n, Ref: fmt.Sprintf("%s#m%d+0", l.Session, n),
			Turns: []recall.ReadTurn{
				{Role: sessions.User, Kind: sessions.Prompt, At: at, Text: fmt.Sprintf("Question %d: how is the cache laid out?", n)},
				{Role: sessions.Assistant, Kind: sessions.Reply, At: at.Add(time.Minute), Text: lines[n%len(lines)] + "\n\n- first\n- second\n\n```go\nconst shards = 16\n```"},
			},
			Thinking: []recall.ReadThinking{{Locator: fmt.Sprintf("%d.h0", n), At: at, Text: "Consider the lock."}},
			Tools:    []recall.ReadTool{{Locator: fmt.Sprintf("%d.t0", n), Name: "Read", At: at, Input: "layout.go", Output: "package cache"}},
		})
	}
	return r
}
