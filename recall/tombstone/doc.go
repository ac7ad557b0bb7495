// Package tombstone keeps the names of sessions that their user had removed for
// good, so that no reading of their transcripts brings them back.
//
// In and out: a file of lines in the folder of the index, one for each session that was
// forgotten and one for each that was called back: a JSON object and its sum. It only
// grows, the last line about a session counts, and each append begins a line of its own:
// one that was cut short or changed costs itself, and stays where it is, since another
// process may append at any moment. One that was cut short was never acknowledged, so it
// is no damage. The file holds names and directories, and no word of a transcript.
//
// What the file loses stays forgotten: the index remembers its hash and a hash of each
// name (Memory), and whoever has read the file before remembers it too.
package tombstone
