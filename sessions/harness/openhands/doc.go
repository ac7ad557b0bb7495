// Package openhands reads the conversations of OpenHands.
//
// In: $OPENHANDS_CONVERSATIONS_DIR, $OPENHANDS_PERSISTENCE_DIR/conversations or
// ~/.openhands/conversations, and the sessions of the older server beside it.
// Out: sessions.Source.
//
// A conversation is a folder with a small file for each event, numbered. Files
// are added and not changed, so reading goes on behind the last one; only those
// that are new are opened. Of base_state.json, which may hold a key, the model
// and the directory are taken and nothing else.
package openhands
