// Package tasks reads the folders in which Cline, and what was made of it, keep
// a task each.
//
// In: a folder of tasks, below an editor extension's storage or in the home
// folder of a command line. Out: a Source for a harness to build on, which tells one
// session for each task.
//
// ui_messages.json is what the user saw, complete and with times; it is rewritten
// whole. What it does not tell stands beside it: the directory and often the model
// in the task's history_item.json, in the list of all tasks, or in what the
// extension told the model about its surroundings, and whole outputs in what was
// exchanged with the model.
package tasks
