package index

import "yore/sessions"

// The formats of the files. A change of what is written changes the version. What
// of files of former versions is still read says former.go; those of newer versions
// are left alone, see newer.go.
const (
	segmentMagic   = "yoreseg\n"
	segmentVersion = 3
	vectorsMagic   = "yorevec\n"
	vectorsVersion = 2

	// tempPattern names files that are not finished.
	tempPattern = "tmp-*"
)

// format is a kind of file.
type format struct {
	magic   string
	version uint32
}

var (
	segmentFormat = format{segmentMagic, segmentVersion}
	vectorsFormat = format{vectorsMagic, vectorsVersion}
	// formats are those of the files that the manifest names, by what their names end with.
	formats = map[string]format{"seg": segmentFormat, "vec": vectorsFormat, "log": {ledgerMagic, ledgerVersion}}
)

// The sections of a segment's file and of its vectors' file. A number is never
// given to another section.
const (
	secShape uint32 = iota + 1
	secTermBytes
	secTerms
	secStemBytes
	secStems
	secStemOf
	secPostings
	secPostingDocs
	secPostingTfs
	secSession
	secNumber
	secOrder
	secLength
	secAt
	secSequences
	secSequence
	secTurns
	secTurnKeys
	secTurnIDs
	secUndone
	secCopyKeys
	secCopyDocs
	secPacked
	secBlockEnds
	secBlockDocs
	secBlockSums
	secTextAt
	secVectorsShape
	secKnown
	secWhole
	secPartsOf
	secParts
	secSigns
	secTurnKinds
	secTurnAt
	secTurnWords
	secOwners
	secBeginningBytes
	secBeginnings
	secBeginningSums
	secVerbatim
)

// shape is what a segment's file says beside its slices.
type shape struct {
	scope  Scope
	unread bool
	cut    uint32
}

func (s *shape) sections(io sections) {
	words := []uint32{uint32(s.scope), 0, s.cut}
	if s.unread {
		words[1] = 1
	}
	io.numbers(secShape, &words)
	if len(words) == 3 && words[0] < uint32(scopes) {
		s.scope, s.unread, s.cut = Scope(words[0]), words[1] != 0, words[2]
	} else {
		s.scope = scopes
	}
}

// sections saves or fills all of c that cannot be worked out from the rest; the
// packed texts aside.
func (c *content) sections(io sections) {
	c.textSections(io)
	c.words().sections(io)
	c.otherSections(io)
}

// otherSections are those of them that stand beside texts and words.
func (c *content) otherSections(io sections) {
	io.numbers(secLength, &c.table.length)
	io.offsets(secSequences, &c.first)
	io.paged(secSequence, &c.sequence)
	io.column(secTurnKinds, &c.turns.kinds)
	io.column(secTurnAt, &c.turns.at)
	io.numbers(secTurnWords, &c.turns.words)
	io.numbers(secCopyKeys, &c.copies.keys)
	io.numbers(secCopyDocs, &c.copies.docs)
}

// textSections are those of them that say whose the texts are and where they lie.
func (c *content) textSections(io sections) {
	s := shape{c.scope, c.unread, c.cut}
	s.sections(io)
	c.scope, c.unread, c.cut = s.scope, s.unread, s.cut
	io.numbers(secSession, &c.table.session)
	io.numbers(secNumber, &c.table.number)
	io.numbers(secOrder, &c.table.order)
	io.column(secAt, &c.table.at)
	io.offsets(secTurns, &c.turns.first)
	io.numbers(secTurnKeys, &c.turns.keys)
	io.column(secTurnIDs, &c.turns.ids)
	io.numbers(secUndone, (*[]uint64)(&c.turns.undone))
	io.numbers(secBlockEnds, &c.texts.ends)
	io.numbers(secBlockDocs, &c.texts.docs)
	io.numbers(secBlockSums, &c.texts.sums)
	io.column(secTextAt, &c.texts.at)
}

func (v *vectors) sections(io sections) {
	words := []uint64{v.model, uint64(v.dim)}
	io.numbers(secVectorsShape, &words)
	io.numbers(secKnown, (*[]uint64)(&v.known))
	io.paged(secWhole, &v.whole)
	io.numbers(secSigns, &v.signs)
	io.offsets(secPartsOf, &v.first)
	io.paged(secParts, &v.parts)
	v.model, v.dim = 0, 0
	if len(words) == 2 {
		v.model, v.dim = words[0], int(min(words[1], maxDim))
	}
}

// maxDim is more elements than a vector of any table has.
const maxDim = 1 << 12

// writeSegment writes the file of a segment that has none, with what is known
// of its sessions: see directory.owners.
func writeSegment(path string, c *content, owners []byte) (int64, error) {
	if c.words(); c.file.err() != nil { // it would else be written as one without words
		return 0, c.file.err()
	}
	return writeFile(path, segmentMagic, segmentVersion, func(io *fileWriter) {
		saved := *c // others read c meanwhile
		saved.sections(io)
		io.section(secPacked, saved.texts.save)
		io.numbers(secOwners, &owners)
		w := saved.words()
		if b := newBeginnings(&w.terms, &w.postings, saved.table.len()); b.names.len() > 0 {
			b.sections(io, summing{&b.sums, &saved, &b.names})
		}
		w.verbatim.section(io)
	})
}

// writeVectors writes the vectors of a segment, stamped with the hash of the model
// they are of.
func writeVectors(path string, v *vectors) (int64, error) {
	return writeFile(path, vectorsMagic, vectorsVersion, func(io *fileWriter) {
		saved := *v // others read v meanwhile
		saved.sections(io)
	})
}

// openSections opens a file of sections, which stays open until nobody has what was
// read of it any more.
func openSections(path string, is format) (r *fileReader, size int64, err error) {
	f, err := sessions.OpenFile(path)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err == nil {
		r, err = readSections(f, info.Size(), is.magic, is.version)
	}
	if err != nil {
		_ = f.Close() // it was only read
		return nil, 0, err
	}
	return r, info.Size(), nil
}

// openSegment reads of a segment's file what is held in memory: all but its
// postings, sequences, texts and vectors.
func openSegment(path string) (c *content, size int64, err error) {
	r, size, err := openSections(path, segmentFormat)
	if err != nil {
		return nil, 0, err
	}
	if c, err = r.segment(); err != nil {
		r.close()
	}
	return c, size, err
}

// leave is c with what need not be in memory left to the file in which it was
// written.
func (c *content) leave(path string) (*content, error) {
	r, _, err := openSections(path, segmentFormat)
	if err != nil {
		return nil, err
	}
	left := *c
	left.otherSections(pagedAlone{r})
	left.held.sections(pagedAlone{r}) // what was just written had its words in memory
	left.held.begun = r.beginnings(left.table.len())
	if left.leaveTo(r); r.err != nil {
		r.close()
		return nil, r.err
	}
	return &left, nil
}

// pagedAlone passes over all sections that are held in memory.
type pagedAlone struct{ *fileReader }

func (pagedAlone) numbers(uint32, any) {}

func (pagedAlone) column(uint32, columnar) {}

func (pagedAlone) offsets(uint32, *offsets) {}

func (pagedAlone) stems(*stems, *vocabulary) {}

// leaveTo makes r the file of c's texts.
func (c *content) leaveTo(r *fileReader) (packed int64) {
	s, ok := r.dir[secPacked]
	if !ok {
		r.fail(errDamaged)
	}
	c.file = r.f
	c.texts.packed, c.texts.file, c.texts.base = nil, r.f, s.offset
	if c.scope == Tools {
		c.sequence = run[uint32]{}
	}
	return s.length
}

// segment reads all sections of a segment and checks what they say.
func (r *fileReader) segment() (*content, error) {
	c := new(content)
	c.textSections(r)
	if c.otherSections(r); c.scope == Tools {
		c.late = r.lateWords(c.table.len())
	} else {
		c.held = r.words(c.table.len())
	}
	packed := c.leaveTo(r)
	if r.err != nil {
		return nil, r.err
	}
	c.derive()
	if !c.valid(packed) {
		return nil, errDamaged
	}
	return c, nil
}

// derive fills in what the file leaves out.
func (c *content) derive() {
	if c.scope == Tools {
		c.first = offsets{}
	} else {
		c.table.order = nil
	}
	if len(c.turns.undone) == 0 {
		c.turns.undone = nil
	}
	for doc, ord := range c.table.session[:min(len(c.table.session), MaxDocs)] {
		if n := len(c.table.ords); n == 0 || c.table.ords[n-1] != ord {
			c.table.ords = append(c.table.ords, ord)
			c.table.first = append(c.table.first, uint16(doc))
		}
	}
}

// heldVectors is how many documents a segment has at most whose vectors are held in
// memory: a small one is searched exactly, and has no file open for it.
const heldVectors = 4096

// openVectors reads the vectors of a segment of docs documents. They are those of
// a model that is not known where known gives none for what they are stamped with, and
// an error then.
func openVectors(path string, known func(hash uint64) *Model, docs int) (v vectors, size int64, err error) {
	r, size, err := openSections(path, vectorsFormat)
	if err != nil {
		return v, 0, err
	}
	v, err = r.vectors(known, docs)
	if err == nil && (docs > heldVectors && !v.takeSample() || docs <= heldVectors && !v.hold()) {
		err = r.f.err()
	}
	if err != nil || docs <= heldVectors {
		r.close()
	}
	return v, size, err
}

// leave is v left to the file in which it was written, where there are many.
func (v *vectors) leave(path string) (vectors, error) {
	if v.dim == 0 || v.whole.len() <= heldVectors*v.dim {
		return *v, nil
	}
	r, _, err := openSections(path, vectorsFormat)
	if err != nil {
		return vectors{}, err
	}
	left := *v
	left.sections(pagedAlone{r})
	left.file, left.sample = r.f, nil
	if r.err == nil && !left.takeSample() {
		r.fail(r.f.err())
	}
	if r.err != nil {
		r.close()
	}
	return left, r.err
}

func (r *fileReader) vectors(known func(hash uint64) *Model, docs int) (v vectors, err error) {
	v.sections(r)
	if r.err != nil {
		return vectors{}, r.err
	}
	if m := known(v.model); m == nil || v.dim != m.Dim || !v.valid(docs) {
		return vectors{}, errDamaged
	}
	v.file = r.f
	return v, nil
}
