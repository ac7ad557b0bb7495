package model_test

import (
	"testing"

	"yore/model"
	"yore/model/modeltest"
)

// TestPalette does by name what a key does, where it was opened.
func TestPalette(t *testing.T) {
	start(t, model.Options{Query: "cache", Host: &modeltest.Host{}}, 100, 30, nil, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		d.Press("alt+x")
		all := len(d.Palette.Acts)
		d.Type("newest FIRST")
		d.Settle()
		if n := len(d.Palette.Acts); n != 1 || n >= all {
			t.Fatalf("%d of %d acts are called that", n, all)
		}
		d.Press("enter")
		if d.Focus != model.Query || !d.Listing.Newest {
			t.Errorf("the focus is the %v, and %+v", d.Focus, d.Listing)
		}
		d.Press("tab", ":")
		d.Type("xyzzy")
		d.Settle()
		d.Press("enter")
		if d.Notice == "" || d.Focus != model.Palette {
			t.Errorf("%q in the %v", d.Notice, d.Focus)
		}
		d.Press("esc")
		if d.Focus != model.List {
			t.Errorf("the focus is the %v", d.Focus)
		}
	})
}

// TestMarks: the digest is of what was marked, whatever is asked since, until
// all is unmarked.
func TestMarks(t *testing.T) {
	host := &modeltest.Host{}
	start(t, model.Options{Query: "cache", Host: host}, 120, 40, nil, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		digest := func() string {
			d.Press("Y")
			texts := host.Texts()
			return texts[len(texts)-1]
		}
		d.Press("tab")
		whole := digest()
		d.Press("space", "j", "space")
		marked := digest()
		if d.Marks() != 2 || marked == whole || len(marked) >= len(whole) {
			t.Fatalf("%d marked; the digest has %d bytes, %d before", d.Marks(), len(marked), len(whole))
		}
		d.Press("f6") // asks again
		if digest() != marked {
			t.Error("another query changed what was marked")
		}
		d.Press("u")
		if d.Marks() != 0 || digest() != whole {
			t.Error("it is not the answer's digest again")
		}
	})
}
