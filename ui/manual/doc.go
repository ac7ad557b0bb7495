// Package manual writes the command line down for shells, which complete it, and
// for man.
//
// In: the model that the command line is parsed by. Out: text, in the syntax of a
// shell or of troff. Nothing stands in it that the model does not say.
package manual
