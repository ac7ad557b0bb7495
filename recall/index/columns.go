package index

import "sync"

// column is numbers, one for each document or part of a turn. Those of a file are read when
// the first of them is asked for: of the tools' texts, of which there are many times more than
// of conversation, a question hardly ever asks for one.
type column[T element] struct {
	held []T
	left *leftColumn[T] // nil: they are held
}

// leftColumn is a column that is left to a file until somebody asks for it.
type leftColumn[T element] struct {
	n    int
	read func(p *[]T) bool // reports false, and the file fails, when they are not what was written

	once    sync.Once
	numbers []T
	failed  bool
}

// columnar is a column of some kind.
type columnar interface {
	size() int64 // of one number
	save(emit func([]byte)) bool
	readFrom(n int, read func(p any) bool)
}

func (c *column[T]) len() int {
	if c.left != nil {
		return c.left.n
	}
	return len(c.held)
}

// all are the numbers, which must not be changed. Ok is false where they cannot be read:
// then they are zeros, by which no text may be found and nothing decided that lasts, and the
// segment's file has failed for good (origin.fail). So whoever makes something of them that
// stays asks the segment's err after all is read.
func (c *column[T]) all() (numbers []T, ok bool) {
	if c.left == nil {
		return c.held, true
	}
	l := c.left
	l.once.Do(func() {
		if l.failed = !l.read(&l.numbers) || len(l.numbers) != l.n; l.failed {
			l.numbers = make([]T, l.n)
		}
	})
	return l.numbers, !l.failed
}

// sound tells whether they can be read.
func (c *column[T]) sound() bool {
	_, ok := c.all()
	return ok
}

func (c *column[T]) append(numbers ...T) { c.held = append(c.held, numbers...) }

func (c *column[T]) trim() { c.held = trimmed(c.held) }

func (c *column[T]) size() int64 { return numberSize(&c.held) }

func (c *column[T]) save(emit func([]byte)) bool {
	numbers, ok := c.all()
	encodeNumbers(&numbers, emit)
	return ok
}

func (c *column[T]) readFrom(n int, read func(p any) bool) {
	*c = column[T]{left: &leftColumn[T]{n: n, read: func(p *[]T) bool { return read(p) }}}
}

// reserved is an empty column with room for so many.
func reserved[T element](n int) column[T] { return column[T]{held: make([]T, 0, n)} }
