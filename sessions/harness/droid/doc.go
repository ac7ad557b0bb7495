// Package droid reads the sessions of Factory Droid.
//
// In: ~/.factory/sessions, or another folder's by $FACTORY_HOME_OVERRIDE. Out:
// sessions.Source.
//
// Each session is a file of JSON lines, <id>.jsonl, in a folder for its project
// (older ones lie beside these folders). The first line tells what the session
// is: its title, whose sub-agent, whose fork; a fork repeats its original's
// messages under their ids. The model stands in a file beside it,
// <id>.settings.json.
package droid
