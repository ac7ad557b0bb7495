// Package install tells agent programs of the server, and takes it back.
//
// In: the configuration files of agents, and the command that starts the server. Out:
// changes, which can be looked at before they are made. Files are edited in place and
// never written anew: all but the entry stays byte for byte as it was, comments
// included. What cannot be read for certain is refused and left alone.
//
// agents.go says where each agent has its configuration and in which form; json.go,
// splice.go and toml.go edit the two languages; change.go writes files.
package install
