// Package config is what the user has set: the configuration file, the
// environment, and what holds without them.
//
// In: one TOML file and the environment's YORE_ variables. Out: a Config, with
// where each value comes from. Every key is declared once (Keys): the default
// file, what "yore config" prints and what is checked all follow from that. A
// file that cannot be used is an error that names it; one that is there is never written.
package config
