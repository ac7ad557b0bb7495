// Package openclaw reads the sessions of OpenClaw, whose earlier names were
// Clawdbot and Moltbot.
//
// In: the agents folder of $OPENCLAW_STATE_DIR, $OPENCLAW_DIR or ~/.openclaw, and
// the folders of the earlier names. Out: sessions.Source and sessions.Annotator.
//
// A session is a file in Pi's format. Most of it is talk over chat channels, and
// what a person wrote comes in an envelope; wake-ups and scheduled jobs come as
// prompts that nobody wrote. Sessions that were deleted or reset are renamed and
// stay readable. sessions.json beside them says which agent began which, and how
// they are called.
package openclaw
