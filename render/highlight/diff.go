package highlight

// diffHeads are what begins the lines of a diff that tell of a file or a place in it.
var diffHeads = [...]string{"@@", "+++ ", "--- ", "diff ", "index ", "*** ", "Index: ", "rename ", "new file ", "deleted file ", "similarity "}

// diffLine marks a line of a diff as a whole.
func (s *scanner) diffLine(end int) {
	kind := Plain
	switch s.byteAt(s.at) {
	case '+', '>':
		kind = Inserted
	case '-', '<':
		kind = Deleted
	}
	for _, head := range diffHeads {
		if s.has(head, s.at) {
			kind = Heading
		}
	}
	s.mark(s.at, end, kind)
}
