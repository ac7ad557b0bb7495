package aider

import (
	"strconv"
	"strings"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/lazy"
)

// block is what the lines that are collected are.
type block int

const (
	nothing block = iota
	prompt        // somebody typed it
	reply         // the model wrote it
	output        // of a tool, in several lines
)

// talk reads the lines of one run.
type talk struct {
	gather.Session
	strict bool
	typed  times

	block block
	lines []string
	blank bool   // the last line was
	count int    // of turns
	call  string // whose output Aider's next lines are; "" for none's
	tool  string // of that call
	said  string // the last answer's words
}

// line reads one line. An answer is markdown, and may hold headings and quotes
// that look like Aider's own lines, but for the two blanks at their ends.
func (k *talk) line(text string) {
	own := !k.strict || strings.HasSuffix(text, string(ownEnd))
	said, isPrompt := strings.CutPrefix(text, string(promptMark))
	printed, isOutput := strings.CutPrefix(text, string(outputMark))
	blank := k.blank
	k.blank = strings.TrimSpace(text) == ""
	switch {
	case isPrompt && own:
		k.begin(prompt)
		k.lines = append(k.lines, strings.TrimSuffix(said, string(ownEnd)))
	case k.block == output:
		k.lines = append(k.lines, text)
		if own {
			k.flush()
		}
	case isOutput && own && (k.strict || k.block != reply || known().MatchString(printed)):
		k.flush()
		k.print(printed)
	case isOutput && k.strict && k.block != reply && !blank: // only its first line begins so
		k.begin(output)
		k.lines = append(k.lines, printed)
	case k.blank:
		if k.block == prompt {
			k.flush()
		}
		k.lines = append(k.lines, "")
	default:
		k.begin(reply)
		k.lines = append(k.lines, text)
	}
}

// begin begins a block, unless it goes on.
func (k *talk) begin(b block) {
	if k.block != b {
		k.flush()
		k.block = b
	}
}

// flush tells the block that is over.
func (k *talk) flush() {
	b, text := k.block, strings.Join(k.lines, "\n")
	k.block, k.lines = nothing, nil
	switch b {
	case prompt:
		k.asked(strings.TrimSpace(text))
	case reply:
		k.answered(strings.TrimSpace(text))
	case output:
		k.print(text)
	case nothing:
	}
}

// end ends the run for now. An output that is not written to its end is left out
// until it is, and so is a prompt that may become the plan that an architect's
// answer was, or one that was typed.
func (k *talk) end() {
	if k.block == prompt {
		text := words(strings.Join(k.lines, "\n"))
		if k.said != "" && strings.HasPrefix(k.said, text) || k.typed.may(text) {
			return
		}
	}
	if k.block != output {
		k.flush()
	}
}

// add adds a turn under an id of its own.
func (k *talk) add(t sessions.Turn) {
	k.count++
	t.ID = k.ID + "/" + strconv.Itoa(k.count)
	if t.At.After(k.LastActive) {
		k.LastActive = t.At
	}
	if t.Kind == sessions.ToolCall {
		t.Call = t.ID
		k.call, k.tool = t.Call, t.Tool
	}
	k.Add(t)
}

// nothingTyped is what stands for an empty prompt.
const nothingTyped = "<blank>"

// confirmed is a question of Aider, of which an earlier answer is the answer too:
// it is written as if it were typed.
var confirmed = lazy.Regexp(`^[^\n]+ \(Y\)es/\(N\)o(?:/\(A\)ll)?(?:/\(S\)kip all)?(?:/\(D\)on't ask again)? \[[^\]\n]*\]: (?:all|skip)$`)

// command is a prompt that calls a command of Aider, or one of a shell.
var command = lazy.Regexp(`^(?:/([a-z][a-z-]*)(?:\s+|$)|(!)\s*)`)

// asked tells what was typed. In architect mode a plan is given to the editor's
// model in the user's name.
func (k *talk) asked(text string) {
	k.call = ""
	plan := k.said != "" && words(text) == k.said
	k.said = ""
	if plan || text == nothingTyped || text == "" || confirmed().MatchString(text) {
		return
	}
	t := sessions.Turn{Kind: sessions.Prompt, Role: sessions.User, At: k.typed.next(text), Text: text}
	if match := command().FindStringSubmatch(text); match != nil {
		t.Kind, t.Tool, t.Text = sessions.ToolCall, match[1], text[len(match[0]):]
		if match[2] != "" {
			t.Tool = "run" // which it is short for
		}
	}
	k.add(t)
}

// What stands before and behind the reasoning in an answer.
const (
	thinkingMark = "► **THINKING**"
	answerMark   = "► **ANSWER**"
)

// answered tells what the model wrote.
func (k *talk) answered(text string) {
	k.call = ""
	if before, thought, found := strings.Cut(text, thinkingMark); found {
		thought, answer, _ := strings.Cut(thought, answerMark)
		text = strings.TrimSpace(unruled(before) + "\n\n" + strings.TrimSpace(answer))
		if thought = unruled(thought); thought != "" {
			k.add(sessions.Turn{Kind: sessions.Thinking, Role: sessions.Assistant, Text: thought})
		}
	}
	if text == "" {
		return
	}
	k.said = words(text)
	k.add(sessions.Turn{Kind: sessions.Reply, Role: sessions.Assistant, Text: text})
}

// unruled is a text without the line of dashes at its end.
func unruled(text string) string {
	return strings.TrimSpace(strings.TrimRight(strings.TrimSpace(text), "-"))
}

var (
	// model is the line that names the model. Those of the weak and the editor's model
	// begin otherwise.
	model = lazy.Regexp(`^(?:Main model|Model): (\S+) with `)
	// edited is the line about a change of a file, which the answer before it asks for.
	edited = lazy.Regexp(`^Applied edit to (.+)$`)
	// known are lines that stand right behind an answer, where nothing else tells
	// Aider's lines from quotes.
	known = lazy.Regexp(`^(?:Tokens: |Applied edit to |Commit [0-9a-f]{7} |Main model: |Model: )`)
	// silent are lines that say nothing of the work: about Aider itself, and what the
	// user confirmed.
	silent = lazy.Regexp(`^(?:Aider v|Weak model: |Editor model: |Git repo: |Git working dir: |Repo-map: |Tokens: )|\((?:Y\)es|N\)o)`)
)

// print reads what Aider printed: what it did, and what came of a call.
func (k *talk) print(text string) {
	text = strings.TrimSpace(text)
	first, _, _ := strings.Cut(text, "\n")
	if match := model().FindStringSubmatch(first); match != nil {
		k.Model = match[1]
		return
	}
	if match := edited().FindStringSubmatch(first); match != nil {
		k.add(sessions.Turn{Kind: sessions.ToolCall, Role: sessions.Assistant, Tool: "edit", Text: strings.TrimSpace(match[1])})
		return
	}
	if k.call == "" || text == "" || silent().MatchString(first) {
		return
	}
	k.add(sessions.Turn{Kind: sessions.ToolOutput, Role: sessions.Assistant, Call: k.call, Tool: k.tool, Text: text})
}
