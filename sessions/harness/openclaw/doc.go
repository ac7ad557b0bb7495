// Package openclaw reads the sessions of OpenClaw, whose earlier names were
// Clawdbot and Moltbot.
//
// In: the agents folder of $OPENCLAW_STATE_DIR, $OPENCLAW_DIR or ~/.openclaw, and
// the folders of the earlier names. Out: sessions.Source and sessions.Annotator.
//
// A session is a file in Pi's format. Newer releases keep its records in a database,
// one an agent, into which they took the files over. Most of it is talk over chat
// channels, and what a person wrote comes in an envelope; wake-ups and scheduled
// jobs come as prompts that nobody wrote. Sessions that were deleted or reset stay
// readable: their files are renamed, and compressed later, or the database has them
// in an archive. The database, or sessions.json beside the files, says which agent
// began which, and how they are called.
package openclaw
