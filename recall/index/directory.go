package index

// chunk is how many entries are copied when one changes.
const chunk = 256

// page is the entries of some ordinals in a row. Those of sub-agents may be packed: there
// may be a hundred thousand, and hardly one is ever looked at.
type page struct {
	entries [chunk]*Entry
	side    *packedEntries // nil when none is
	packed  slots          // which of side count; entries has none of these
}

// slots are some of the places on a page.
type slots [chunk / 64]uint64

func (b *slots) has(i uint32) bool { return b[i/64]&(1<<(i%64)) != 0 }
func (b *slots) set(i uint32)      { b[i/64] |= 1 << (i % 64) }
func (b *slots) drop(i uint32)     { b[i/64] &^= 1 << (i % 64) }

// directory is the entries of all sessions by ordinal. Setting one copies its
// page and the list of pages, not the whole.
type directory struct {
	pages []*page
	size  int // one more than the largest ordinal
}

// page is the one on which an ordinal stands, nil when there is none: its sessions were
// met, their updates are not published yet.
func (d *directory) page(ord uint32) (p *page, i uint32) {
	if int64(ord) >= int64(d.size) {
		return nil, 0
	}
	return d.pages[ord/chunk], ord % chunk
}

// at is the entry of a session, nil when there is none. One that is packed is made at
// each call.
func (d *directory) at(ord uint32) *Entry {
	p, i := d.page(ord)
	return p.at(i)
}

// all is the entry of a session that is there; its error is why that is no more than the
// Brief.
func (d *directory) all(ord uint32) (*Entry, error) {
	p, i := d.page(ord)
	var read unpacker
	e, err := read.all(p, i)
	if err != nil {
		e = read.at(i) // which asks no more than once
	}
	return e, err
}

func (p *page) at(i uint32) *Entry {
	switch {
	case p == nil:
		return nil
	case p.packed.has(i):
		return p.side.at(i)
	}
	return p.entries[i]
}

// each gives all entries by ordinal, in their order: those that are packed at less than
// at does.
func (d *directory) each(yield func(ord uint32, e *Entry) bool) {
	d.since(Roll{}, true, func(ord uint32, e *Entry) bool { return e == nil || yield(ord, e) })
}

// since gives those on pages that are not the ones of before, nil where there is none, and
// for one that is packed unless unpack says that it is to be made.
func (d *directory) since(before Roll, unpack bool, yield func(ord uint32, e *Entry) bool) {
	for at, p := range d.pages {
		if p == nil || at < len(before.pages) && before.pages[at].Value() == p {
			continue
		}
		side := unpacker{from: p.side}
		for i, e := range p.entries[:min(chunk, d.size-at*chunk)] {
			if unpack && p.packed.has(uint32(i)) {
				e = side.at(uint32(i))
			}
			if !yield(uint32(at*chunk+i), e) {
				return
			}
		}
	}
}

// brief is the least that is known of a session, at no cost; false when there is none.
func (d *directory) brief(ord uint32) (b Brief, ok bool) {
	p, i := d.page(ord)
	return p.brief(i)
}

func (p *page) brief(i uint32) (b Brief, ok bool) {
	switch {
	case p == nil:
		return Brief{}, false
	case p.packed.has(i):
		return p.side.brief(i), true
	case p.entries[i] == nil:
		return Brief{}, false
	}
	return p.entries[i].brief(), true
}

// briefs gives what brief does of all sessions by ordinal, in their order.
func (d *directory) briefs(yield func(ord uint32, b Brief) bool) {
	for at, p := range d.pages {
		for i := range uint32(chunk) {
			if b, ok := p.brief(i); ok && !yield(uint32(at)*chunk+i, b) {
				return
			}
		}
	}
}

// count is how many sessions there are, and how many of them are sub-agents.
func (d *directory) count() (all, side int) {
	for _, p := range d.pages {
		if p == nil {
			continue
		}
		n := p.packed.count()
		all, side = all+n, side+n
		for _, e := range p.entries {
			if e != nil {
				all++
				if e.Subagent {
					side++
				}
			}
		}
	}
	return all, side
}

// same tells whether a session is the same on two pages.
func (p *page) same(o *page, i uint32) bool {
	if p.packed.has(i) || o.packed.has(i) {
		return p.side == o.side && p.packed.has(i) == o.packed.has(i)
	}
	return p.entries[i] == o.entries[i]
}

// entry is one entry to be set.
type entry struct {
	ord uint32
	*Entry
}

// with is the directory with some entries set.
func (d *directory) with(changed []entry) directory {
	out := directory{size: d.size}
	for _, c := range changed {
		out.size = max(out.size, int(c.ord)+1)
	}
	out.pages = make([]*page, (out.size+chunk-1)/chunk)
	copy(out.pages, d.pages)
	own := make(map[uint32]bool)
	for _, c := range changed {
		at, i := c.ord/chunk, c.ord%chunk
		if !own[at] {
			own[at] = true
			fresh := new(page)
			if old := out.pages[at]; old != nil {
				*fresh = *old
			}
			out.pages[at] = fresh
		}
		out.pages[at].entries[i] = c.Entry
		out.pages[at].packed.drop(i)
	}
	return out
}

// pack is the directory with the entries of sub-agents packed where there are many on a
// page. Others stay as they are.
func (d *directory) pack() (out directory, changed bool) {
	out = directory{size: d.size, pages: make([]*page, len(d.pages))}
	for i, p := range d.pages {
		out.pages[i] = p.pack()
		changed = changed || out.pages[i] != p
	}
	return out, changed
}

// replace is the directory with the pages of another where they are still those of
// before.
func (d *directory) replace(before, by *directory) directory {
	out := directory{size: d.size, pages: make([]*page, len(d.pages))}
	for i, p := range d.pages {
		if i < len(before.pages) && before.pages[i] == p {
			p = by.pages[i]
		}
		out.pages[i] = p
	}
	return out
}
