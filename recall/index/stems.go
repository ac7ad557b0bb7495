package index

import (
	"bytes"
	"cmp"
	"slices"
)

// stems tie the terms of a vocabulary to their stems. Nine terms of ten are names,
// numbers and rare words that are spelled like their stem and are the only term of it:
// of those nothing is kept, the vocabulary says it all.
type stems struct {
	names vocabulary // the stems that some term spelled otherwise has
	first offsets    // the terms of stem i are those of terms from first.part(i), ascending
	terms []uint32
	named bitmap // by term: it stands in terms
}

// inflected is a term with its stem, which is spelled otherwise.
type inflected struct {
	stem []byte
	term uint32
}

// newStems makes the stems of a vocabulary of which all terms that are not in list are
// spelled like their stem. A term may stand there several times.
func newStems(terms *vocabulary, list []inflected) stems {
	slices.SortFunc(list, func(a, b inflected) int {
		return cmp.Or(bytes.Compare(a.stem, b.stem), cmp.Compare(a.term, b.term))
	})
	s := stems{named: newBitmap(terms.len())}
	for i := range list {
		s.named.set(list[i].term)
	}
	s.first.append(0)
	for len(list) > 0 {
		stem, from := list[0].stem, len(s.terms)
		for ; len(list) > 0 && bytes.Equal(list[0].stem, stem); list = list[1:] {
			if last := len(s.terms) - 1; last < from || s.terms[last] != list[0].term {
				s.terms = append(s.terms, list[0].term)
			}
		}
		if id, ok := terms.find(string(stem)); ok && !s.named.has(id) {
			at, _ := slices.BinarySearch(s.terms[from:], id)
			s.terms = slices.Insert(s.terms, from+at, id)
		}
		s.names.add(stem)
		s.first.append(uint32(len(s.terms)))
	}
	for _, id := range s.terms {
		s.named.set(id)
	}
	return s
}

// of are the terms of a stem, ascending.
func (s *stems) of(stem string, terms *vocabulary) []uint32 {
	if i, ok := s.names.find(stem); ok {
		return s.having(i)
	}
	if id, ok := terms.find(stem); ok && !s.named.has(id) {
		return []uint32{id}
	}
	return nil
}

// having are the terms of stem i of the names.
func (s *stems) having(i uint32) []uint32 {
	from, to := s.first.part(i)
	return s.terms[from:to:to]
}

// appendTo adds the terms that are spelled otherwise than their stem to list, under
// the ids that to gives them; those that it says are gone are left out.
func (s *stems) appendTo(list []inflected, terms *vocabulary, to []uint32) []inflected {
	for i := range uint32(s.names.len()) {
		stem := s.names.at(i)
		for _, id := range s.having(i) {
			if to[id] != gone && !bytes.Equal(terms.at(id), stem) {
				list = append(list, inflected{stem, to[id]})
			}
		}
	}
	return list
}

// trim gives back the memory that appending left unused.
func (s *stems) trim() {
	s.names.trim()
	s.first.trim()
	s.terms = trimmed(s.terms)
}

// spread gives the stems as a file holds them: all, in order, and which of them each
// term has.
func (s *stems) spread(terms *vocabulary) (all vocabulary, of []uint32) {
	of = make([]uint32, terms.len())
	named := uint32(0)
	upTo := func(term []byte) {
		for ; int(named) < s.names.len() && (term == nil || bytes.Compare(s.names.at(named), term) < 0); named++ {
			for _, id := range s.having(named) {
				of[id] = uint32(all.len())
			}
			all.add(s.names.at(named))
		}
	}
	for id := range uint32(terms.len()) {
		if s.named.has(id) {
			continue
		}
		upTo(terms.at(id))
		of[id] = uint32(all.len())
		all.add(terms.at(id))
	}
	upTo(nil)
	return all, of
}

// gathered is what spread was made of. It reports false when the file is made up.
func gathered(terms, all *vocabulary, of []uint32) (s stems, ok bool) {
	if !terms.valid() || !all.valid() || len(of) != terms.len() || !below(of, all.len()) {
		return stems{}, false
	}
	var list []inflected
	for id, stem := range of {
		if name := all.at(stem); !bytes.Equal(name, terms.at(uint32(id))) {
			list = append(list, inflected{name, uint32(id)})
		}
	}
	s = newStems(terms, list)
	s.trim()
	return s, true
}
