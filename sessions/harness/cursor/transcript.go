package cursor

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// The two forms of transcripts.
const (
	linesExt = ".jsonl"
	textExt  = ".txt"
)

// reader reads one session.
type reader struct {
	gather.Session
	s     *Source
	t     sessions.Transcript
	to    sessions.Sink
	named []string // paths that calls name
}

// Read reads a session whole and sends what is new in it.
func (s *Source) Read(ctx context.Context, t sessions.Transcript, from sessions.Mark, to sessions.Sink) (sessions.Mark, error) {
	r := &reader{s: s, t: t, to: to}
	r.Harness, r.ID, r.Path = harness, t.ID, t.Path
	var err error
	switch {
	case filepath.Base(t.Path) == chatName:
		err = r.chat(ctx)
	case strings.HasPrefix(t.Unit, tabUnit):
		err = r.tab(ctx)
	case filepath.Base(t.Path) == editorName:
		err = r.composer(ctx)
	case filepath.Ext(t.Path) == textExt:
		err = r.text(ctx)
	default:
		err = r.lines(ctx)
	}
	if err != nil {
		return from, err
	}
	return r.Send(from, to)
}

// placed finds where a transcript's session worked, and for whom.
func (r *reader) placed() {
	dir := filepath.Dir(r.t.Path)
	if filepath.Base(dir) == subagentsDir {
		dir = filepath.Dir(dir)
		r.Subagent, r.Parent = true, filepath.Base(dir)
	}
	for dir != filepath.Dir(dir) && filepath.Base(dir) != transcriptsDir {
		dir = filepath.Dir(dir)
	}
	r.Directory = r.s.directory(filepath.Base(filepath.Dir(dir)), r.named)
	if !r.LastActive.IsZero() {
		r.TimeFrom = sessions.TimeMessage
	}
}

// lines reads a transcript of JSON lines.
func (r *reader) lines(ctx context.Context) error {
	_, err := store.Lines(ctx, r.t, 0, []string{`{"role":`, `{"type":`}, r.to, func(rec jsonl.Record) {
		line := gjson.Parse(rec.JSON())
		switch role, kind := line.Get("role").String(), line.Get("type").String(); {
		case role == "user":
			r.asked(store.Text(line.Get("message.content").Raw))
		case role == "assistant":
			r.answered(line.Get("message.content"))
		case kind == "turn_ended":
		default:
			r.to.Skip(store.Unknown(cmp.Or(role, kind)), store.Place(r.t, rec.Offset))
		}
	})
	r.placed()
	return err
}

// asked reads a prompt, with its time when it tells one.
func (r *reader) asked(text string) {
	at := stamped(text)
	if r.Start.IsZero() {
		r.Start = at
	}
	if at.After(r.LastActive) {
		r.LastActive = at
	}
	r.Add(sessions.Turn{Kind: sessions.Prompt, Role: sessions.User, At: at, Text: typed(text)})
}

// answered reads a message of the assistant. Its calls have mostly no ids, and
// no outputs.
func (r *reader) answered(content gjson.Result) {
	r.Add(sessions.Turn{Kind: sessions.Reply, Role: sessions.Assistant, Text: unredacted(store.Text(content.Raw))})
	for _, block := range content.Array() {
		if block.Get("type").String() != "tool_use" {
			continue
		}
		input := block.Get("input")
		input.ForEach(func(_, v gjson.Result) bool {
			if path := gather.Text(v); filepath.IsAbs(path) {
				r.named = append(r.named, path)
			}
			return true
		})
		t := sessions.Turn{Kind: sessions.ToolCall, Role: sessions.Assistant, Tool: gather.Text(block.Get("name")), Call: gather.Text(block.Get("id"))}
		t.Text, t.Cut = store.Input(input.Raw)
		r.Add(t)
	}
}

// maxText is how much of a transcript of plain text is read.
const maxText = 64 << 20

// text reads the oldest form: a line "user:" or "assistant:" begins a turn, and
// in an answer thoughts, calls and results are marked. What belongs to a call is
// indented.
func (r *reader) text(ctx context.Context) error {
	file, err := sessions.OpenFile(r.t.Path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // only read
	p := plain{r: r}
	in := bufio.NewReader(io.LimitReader(file, maxText))
	for {
		line, err := in.ReadString('\n')
		p.line(strings.TrimRight(line, "\r\n"))
		if err != nil {
			p.end()
			r.placed()
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return errors.Join(err, ctx.Err())
		}
	}
}

// plain is the state of reading plain text: the turn that is open.
type plain struct {
	r     *reader
	turn  sessions.Turn
	lines []string
}

// The marks in an answer.
var marks = []struct {
	mark string
	kind sessions.Kind
}{{"[Thinking] ", sessions.Thinking}, {"[Tool call] ", sessions.ToolCall}, {"[Tool result] ", sessions.ToolOutput}}

func (p *plain) line(line string) {
	switch line {
	case "user:":
		p.begin(sessions.Turn{Kind: sessions.Prompt, Role: sessions.User})
		return
	case "assistant:":
		p.begin(sessions.Turn{Kind: sessions.Reply, Role: sessions.Assistant})
		return
	}
	if p.turn.Kind != sessions.Prompt {
		for _, m := range marks {
			rest, ok := strings.CutPrefix(line, m.mark)
			if !ok {
				continue
			}
			p.begin(sessions.Turn{Kind: m.kind, Role: sessions.Assistant})
			if m.kind == sessions.Thinking {
				p.lines = append(p.lines, rest)
			} else {
				p.turn.Tool = strings.TrimSpace(rest)
			}
			return
		}
		indented := line == "" || line[0] == ' ' || line[0] == '\t'
		if p.turn.Kind != sessions.Reply && !indented {
			p.begin(sessions.Turn{Kind: sessions.Reply, Role: sessions.Assistant})
		}
	}
	p.lines = append(p.lines, line)
}

func (p *plain) begin(t sessions.Turn) {
	p.end()
	p.turn, p.lines = t, nil
}

// end sends the open turn.
func (p *plain) end() {
	text := strings.TrimSpace(strings.Join(p.lines, "\n"))
	switch p.turn.Kind {
	case sessions.Prompt:
		if text != "" {
			p.r.asked(text)
		}
		return
	case sessions.Reply:
		text = unredacted(text)
	case sessions.ToolCall:
		for i, line := range p.lines {
			p.lines[i] = strings.TrimSpace(line)
		}
		text = strings.TrimSpace(strings.Join(p.lines, "\n"))
	}
	p.turn.Text = text
	p.r.Add(p.turn)
}
