package harness

import (
	"slices"
	"strings"
)

// names are the harnesses' contract names.
var names = []string{
	"claude", "codex", "opencode", "gemini", "copilot", "qwen", "pi", "droid", "cursor", "vscode-copilot",
	"cline", "roo", "kilo", "aider", "goose", "kimi", "crush", "zed", "continue", "vibe", "kiro",
	"antigravity", "amp", "openclaw", "hermes", "openhands",
}

// spellings are other names by which people know them.
var spellings = map[string]string{
	"claude-code":         "claude",
	"claudecode":          "claude",
	"codex-cli":           "codex",
	"open-code":           "opencode",
	"gemini-cli":          "gemini",
	"copilot-cli":         "copilot",
	"github-copilot":      "copilot",
	"qwen-code":           "qwen",
	"factory":             "droid",
	"factory-droid":       "droid",
	"vscode":              "vscode-copilot",
	"vscode-copilot-chat": "vscode-copilot",
	"copilot-chat":        "vscode-copilot",
	"roo-code":            "roo",
	"roocode":             "roo",
	"kilo-code":           "kilo",
	"kilocode":            "kilo",
	"kilo-code-legacy":    "kilo",
	"kimi-cli":            "kimi",
	"kimi-code":           "kimi",
	"continuedev":         "continue",
	"continue-dev":        "continue",
	"mistral-vibe":        "vibe",
	"mistral":             "vibe",
	"agy":                 "antigravity",
	"antigravity-cli":     "antigravity",
	"amazon-q":            "kiro",
	"q":                   "kiro",
	"kiro-amazonq":        "kiro",
	"ampcode":             "amp",
	"open-hands":          "openhands",
}

// Names lists the contract names of all harnesses.
func Names() []string { return slices.Clone(names) }

// Canonical turns a harness's name, as somebody spells it, into its contract
// name; false when there is no such harness.
func Canonical(name string) (string, bool) {
	n := strings.ToLower(strings.TrimSpace(name))
	n = strings.NewReplacer(" ", "-", "_", "-").Replace(n)
	if s, ok := spellings[n]; ok {
		n = s
	}
	return n, slices.Contains(names, n)
}
