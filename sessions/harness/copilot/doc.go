// Package copilot reads the sessions of GitHub Copilot CLI.
//
// In: $COPILOT_HOME or ~/.copilot. Out: sessions.Source and sessions.Annotator.
//
// A session is a folder with a file of events, JSON lines, and one of facts,
// workspace.yaml, in which alone a rename is written. Older sessions are a file
// of events without a folder, and the oldest are one JSON object each.
// Sub-agents speak in their parent's events.
package copilot
