package index

import (
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"
)

// wordIndex is what a segment knows of the words of its texts.
type wordIndex struct {
	terms    vocabulary
	stems    stems
	postings postings
	begun    beginnings
	verbatim verbatim
}

// lateWords are left to a file until somebody asks for them. The tools' texts have several
// times as many words as all conversation, and a question that does not search them is not
// to pay for reading and holding these.
type lateWords struct {
	read func() wordIndex

	once  sync.Once
	words wordIndex
}

// words are those of the content: none where they cannot be read, of which the segment's
// file tells then (origin.fail).
func (c *content) words() *wordIndex {
	if c.late == nil {
		return &c.held
	}
	l := c.late
	l.once.Do(func() { l.words, l.read = l.read(), nil })
	return &l.words
}

// noWords say that nothing is known.
func noWords() wordIndex {
	return wordIndex{postings: postings{first: newOffsets([]uint32{0})}}
}

// ReadWords reads the words of a scope's segments that are left to files, as many at once as
// there are processors: a question would else have them read one after the other.
func (s *Snapshot) ReadWords(scope Scope) {
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, seg := range s.segs[scope] {
		if seg.late == nil {
			continue
		}
		group.Go(func() error {
			seg.words()
			return nil
		})
	}
	_ = group.Wait() // what goes wrong, the snapshot's Err tells
}

// sections saves or fills those sections that every file has; beginnings and verbatim not
// all have.
func (w *wordIndex) sections(io sections) {
	io.numbers(secTermBytes, &w.terms.arena)
	io.offsets(secTerms, &w.terms.first)
	io.stems(&w.stems, &w.terms)
	io.offsets(secPostings, &w.postings.first)
	io.paged(secPostingDocs, &w.postings.docs)
	io.paged(secPostingTfs, &w.postings.tfs)
}

// words reads those of so many documents, and checks what they say.
func (r *fileReader) words(docs int) (w wordIndex) {
	w.sections(r)
	w.begun, w.verbatim = r.beginnings(docs), r.verbatim(w.terms.len())
	w.postings.last = uint16(max(docs, 1) - 1)
	if r.err == nil && !w.postings.valid(w.terms.len()) {
		r.fail(errDamaged)
	}
	return w
}

// lateWords leaves them to the file.
func (r *fileReader) lateWords(docs int) *lateWords {
	again := fileReader{f: r.f, dir: r.dir}
	return &lateWords{read: func() wordIndex {
		w := again.words(docs)
		if again.err != nil {
			again.f.fail(again.err)
			return noWords()
		}
		return w
	}}
}

func (w *wordIndex) trim() {
	w.terms.trim()
	w.stems.trim()
	w.verbatim = trimmed(w.verbatim)
	w.postings.first.trim()
	w.postings.docs.trim()
	w.postings.tfs.trim()
}
