// Package continuedev reads the sessions of Continue, in editors and on the
// command line.
//
// In: the sessions folder of $CONTINUE_GLOBAL_DIR or ~/.continue, and that of
// PearAI, which was made of it. Out: sessions.Source.
//
// A session is one JSON document that is rewritten in place, so that half of one
// may be met. Most of its bytes are logs of whole prompts, which are no talk.
// When a session began stands only in the list of all sessions beside it, which
// loses some and remembers deleted ones; when somebody spoke stands nowhere.
package continuedev
