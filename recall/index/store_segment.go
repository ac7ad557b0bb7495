package index

import "path/filepath"

// writeSegment writes what of a segment is not on disk yet, and notes the sizes
// of its files.
func (s *Store) writeSegment(seg *Segment, dir *directory, sizes map[string]int64) error {
	name := segmentName(seg.id)
	sizes[name] = s.sizes[name]
	if !s.has(seg.id) {
		path := filepath.Join(s.dir, name)
		size, err := writeSegment(path, seg.content, dir.owners(seg.content))
		if err != nil {
			return err
		}
		sizes[name] = size
	}
	if seg.vectors.dim == 0 {
		return nil
	}
	name = vectorsName(seg.id)
	sizes[name] = s.sizes[name]
	if sizes[name] > 0 && !s.outdated(seg) {
		return nil
	}
	s.makeWay(name)
	size, err := writeVectors(filepath.Join(s.dir, name), &seg.vectors)
	sizes[name] = size
	if err == nil {
		s.models[seg.id] = seg.vectors.model
	}
	return err
}

// outdated tells whether the vectors of a segment on disk are another model's than
// those in memory.
func (s *Store) outdated(seg *Segment) bool {
	return seg.vectors.dim > 0 && s.models[seg.id] != seg.vectors.model
}
