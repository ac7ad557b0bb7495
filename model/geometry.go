package model

// The sizes between which the screen can be used. Smaller windows are told so
// in words.
const (
	MinWidth  = 40
	MinHeight = 12
)

const (
	// wideWidth is the width from which list and pane stand side by side.
	wideWidth = 100
	// tallHeight is the height from which a narrow window shows the pane below
	// the list; a lower one shows one of the two.
	tallHeight = 30
	// listShare is the list's part of a wide window, in percent, within the
	// limits that follow: a hit's line has to say something, and beyond 90
	// cells it says no more.
	listShare, listMin, listMax = 45, 46, 90
	// readerWidth is the longest line that the reader sets; longer ones are
	// hard to read.
	readerWidth = 110
	// itemRows is the height of a hit or a session in the list.
	itemRows = 2
)

// Rect is a part of the window, in cells from its upper left corner.
type Rect struct{ X, Y, W, H int }

// Contains tells whether the cell lies in r.
func (r Rect) Contains(x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// Layout is where everything stands. A part with no height is not shown.
type Layout struct {
	W, H  int
	Small bool // below the smallest size

	Title, Query, Status, Keys Rect
	Notes                      Rect // below the status line, of notes that do not fit into it

	List     Rect
	Pane     Rect // with its head and border
	PaneText Rect // where the pane's lines go
	Beside   bool // the pane stands at the right of the list, a border at its left

	Reader     Rect // the reader with its head
	ReaderText Rect
	Help       Rect
}

// Arrange places the parts of the main screen in a window of w by h cells.
func Arrange(w, h int) Layout { return arrange(w, h, false, Split{}, 0) }

// arrange places everything in a window of w by h cells. paneFirst says which
// of list and pane is shown where there is room for one, split how they share it, and
// notes how many rows the answer's notes take from both.
func arrange(w, h int, paneFirst bool, split Split, notes int) Layout {
	l := Layout{W: w, H: h}
	if w < MinWidth || h < MinHeight {
		l.Small = true
		return l
	}
	l.Title = Rect{0, 0, w, 1}
	l.Query = Rect{0, 1, w, 1}
	l.Status = Rect{0, 2, w, 1}
	l.Keys = Rect{0, h - 1, w, 1}
	l.Notes = Rect{0, 3, w, notes}
	body := Rect{0, 3 + notes, w, h - 4 - notes}
	switch {
	case split.Hidden && paneFirst:
		l.Pane = body
	case split.Hidden:
		l.List = body
	case w >= wideWidth:
		lw := part(w, split.Wide, min(max(w*listShare/100, listMin), listMax), listLeast, paneLeast)
		l.Beside = true
		l.List = Rect{0, body.Y, lw, body.H}
		l.Pane = Rect{lw, body.Y, w - lw, body.H}
	case h >= tallHeight:
		lh := part(body.H, split.Tall, body.H/2, rowsLeast, rowsLeast)
		l.List = Rect{0, body.Y, w, lh}
		l.Pane = Rect{0, body.Y + lh, w, body.H - lh}
	case paneFirst:
		l.Pane = body
	default:
		l.List = body
	}
	if l.Pane.H > 0 {
		l.PaneText = Rect{l.Pane.X + 2, l.Pane.Y + 1, l.Pane.W - 3, l.Pane.H - 1}
	}
	// Reader and help leave the title and the key line where they are.
	l.Reader = Rect{0, 1, w, h - 2}
	l.ReaderText = Rect{2, 3, min(w-3, readerWidth), h - 4}
	l.Help = Rect{0, 1, w, h - 2}
	return l
}

// Scroll is a window of Height rows on Total rows, the first shown being Top.
type Scroll struct{ Top, Total, Height int }

// Max is the largest Top.
func (s Scroll) Max() int { return max(0, s.Total-s.Height) }

// Bottom is the row after the last one shown.
func (s Scroll) Bottom() int { return min(s.Total, s.Top+s.Height) }

// Percent says how far down the window stands; 100 when all is shown.
func (s Scroll) Percent() int {
	if s.Max() == 0 {
		return 100
	}
	return s.Top * 100 / s.Max()
}

func (s *Scroll) to(top int) { s.Top = min(max(0, top), s.Max()) }
func (s *Scroll) move(d int) { s.to(s.Top + d) }

// resize sets new limits and keeps Top as far as they allow.
func (s *Scroll) resize(total, height int) {
	s.Total, s.Height = total, max(0, height)
	s.to(s.Top)
}

// reveal begins at row head, or, where that leaves row to out of view, so far
// below that to is seen with what leads to it.
func (s *Scroll) reveal(head, to int) {
	s.to(head)
	if to >= s.Top+s.Height {
		s.to(to - s.Height/3)
	}
}

// show moves as little as possible to have rows from..to (exclusive) in view;
// where they do not fit, their first is.
func (s *Scroll) show(from, to int) {
	if to > s.Top+s.Height {
		s.Top = to - s.Height
	}
	if from < s.Top {
		s.Top = from
	}
	s.to(s.Top)
}
