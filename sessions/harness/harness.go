package harness

import (
	"yore/sessions"
	"yore/sessions/harness/aider"
	"yore/sessions/harness/amp"
	"yore/sessions/harness/antigravity"
	"yore/sessions/harness/claude"
	"yore/sessions/harness/cline"
	"yore/sessions/harness/codex"
	"yore/sessions/harness/continuedev"
	"yore/sessions/harness/copilot"
	"yore/sessions/harness/crush"
	"yore/sessions/harness/cursor"
	"yore/sessions/harness/droid"
	"yore/sessions/harness/gemini"
	"yore/sessions/harness/goose"
	"yore/sessions/harness/hermes"
	"yore/sessions/harness/kilo"
	"yore/sessions/harness/kimi"
	"yore/sessions/harness/kiro"
	"yore/sessions/harness/openclaw"
	"yore/sessions/harness/opencode"
	"yore/sessions/harness/openhands"
	"yore/sessions/harness/pi"
	"yore/sessions/harness/qwen"
	"yore/sessions/harness/roo"
	"yore/sessions/harness/vibe"
	"yore/sessions/harness/vscode"
	"yore/sessions/harness/zed"
)

// All are the harnesses that can be read.
func All() []sessions.Source {
	return []sessions.Source{
		claude.New(),
		codex.New(),
		copilot.New(),
		crush.New(),
		droid.New(),
		gemini.New(),
		goose.New(),
		opencode.New(),
		pi.New(),
		qwen.New(),
		zed.New(),
		kiro.New(),
		cursor.New(),
		amp.New(),
		openclaw.New(),
		hermes.New(),
		openhands.New(),
		cline.New(),
		roo.New(),
		kilo.New(),
		vibe.New(),
		vscode.New(),
		kimi.New(),
		aider.New(),
		continuedev.New(),
		antigravity.New(),
	}
}
