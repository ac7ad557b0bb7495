package index

import (
	"math"
	"path/filepath"
	"testing"

	"yore/sessions"
)

// A file whose sums are right but whose words and texts belong to no one another is found
// out when it is merged, and costs no text.
func TestAMadeUpSegmentIsFoundOutByMerging(t *testing.T) {
	dir, c := t.TempDir(), corpus{}
	x, s, _ := keptIn(t, dir, hashedOptions)
	x.closed.Store(true)
	for _, u := range []sessions.Update{one("a", "alpha"), one("b", "beta")} {
		c.apply(u)
		x.Apply([]sessions.Update{u})
	}
	publish(t, s, "state")
	seg := x.Snapshot().Segments(Talk)[0]
	x.Close()
	s.Close()
	made, _, err := openSegment(filepath.Join(dir, segmentName(seg.id)))
	if err != nil || made.held.postings.docs.len() != 2 {
		t.Fatal(err)
	}
	made.held.postings.docs.hold()
	copy(made.held.postings.docs.held, []uint16{0, 0}) // both words are the first text's
	if _, err := writeSegment(filepath.Join(dir, segmentName(seg.id)), made, nil); err != nil {
		t.Fatal(err)
	}
	x, s, _ = keptIn(t, dir, hashedOptions)
	defer s.Close()
	defer x.Close()
	for _, u := range []sessions.Update{removed("a"), one("c", "gamma")} {
		c.apply(u)
		x.Apply([]sessions.Update{u})
	}
	x.Compact() // which finds it out
	x.Compact()
	c.check(t, x.Snapshot())
	publish(t, s, "state")
	if notes := s.Kept().Notes; len(notes) == 0 {
		t.Errorf("notes %q", notes)
	}
}

// A manifest that tells of more sessions than there ever are is none: what is known of
// sessions takes memory by the highest number.
func TestAManifestOfTooManySessions(t *testing.T) {
	m := manifest{ordinals: maxOrdinals}
	if _, err := decodeManifest(m.encode()); err != nil {
		t.Error(err)
	}
	for _, n := range []uint32{maxOrdinals + 1, math.MaxUint32} {
		m.ordinals = n
		if _, err := decodeManifest(m.encode()); err == nil {
			t.Errorf("%d sessions are taken", n)
		}
	}
}
