package main

import (
	"cmp"
	"hash/maphash"
	"math"
	"slices"

	"yore/recall/topic"
	"yore/recall/topic/train"
	"yore/recall/topic/train/texts"
)

const (
	// perSource bounds what one package says, so that none drowns the others: its
	// pairs are thinned evenly. The dictionary may say more: it alone covers what
	// people talk about beside software.
	perSource, perDictionary = 50_000, 300_000

	// sameFound and sameAsked are how many pairs of a source may have the same
	// text: boilerplate of generated pages has thousands.
	sameFound, sameAsked = 4, 8

	// leastCount is how often a stem of the texts occurs at least, and commonest
	// how many of them get a row. Stems of the commonest words of the start vectors
	// fill the table up to tableRows.
	leastCount           = 6
	commonest, tableRows = 26_000, 32_000
)

// corpus is all pairs as stems by number, in order of first occurrence.
type corpus struct {
	numbers map[string]int32 // by stem
	stems   []string
	words   map[string]int32 // by word; -1 for filler

	counts, documents []int32 // by stem
	pairs             []stemPair
	texts             int
}

type stemPair struct{ asked, found []int32 }

func newCorpus() *corpus {
	return &corpus{numbers: map[string]int32{}, words: map[string]int32{}}
}

// number gives a word's stem a number, -1 for filler words.
func (c *corpus) number(word []byte) int32 {
	if n, known := c.words[string(word)]; known {
		return n
	}
	n := int32(-1)
	if stem := topic.Stem(string(word)); stem != "" {
		known := false
		if n, known = c.numbers[stem]; !known {
			n = int32(len(c.stems))
			c.numbers[stem] = n
			c.stems = append(c.stems, stem)
			c.counts, c.documents = append(c.counts, 0), append(c.documents, 0)
		}
	}
	c.words[string(word)] = n
	return n
}

func (c *corpus) text(s string) []int32 {
	var all []int32
	topic.Words(s, func(word []byte) {
		if n := c.number(word); n >= 0 {
			all = append(all, n)
		}
	})
	return all
}

// source takes the pairs that read gives, at most so many, and says how many were
// kept.
func (c *corpus) source(most int, read func(yield func(texts.Pair)) (texts.Stats, error)) (kept int, err error) {
	seed := maphash.MakeSeed()
	asked, found, both := map[uint64]int{}, map[uint64]int{}, map[uint64]bool{}
	var pairs []stemPair
	_, err = read(func(p texts.Pair) {
		a, f := maphash.String(seed, p.Asked), maphash.String(seed, p.Found)
		if both[a^f] || asked[a] >= sameAsked || found[f] >= sameFound {
			return
		}
		both[a^f] = true
		asked[a]++
		found[f]++
		pair := stemPair{c.text(p.Asked), c.text(p.Found)}
		if len(pair.asked) > 0 && len(pair.found) > 1 {
			pairs = append(pairs, pair)
		}
	})
	kept = min(len(pairs), most)
	for k := range kept {
		p := pairs[k*len(pairs)/kept]
		c.count(p.asked)
		c.count(p.found)
		c.pairs = append(c.pairs, p)
	}
	return kept, err
}

// count counts the stems of a text; documents holds how many texts have each.
func (c *corpus) count(text []int32) {
	c.texts++
	distinct := slices.Clone(text)
	slices.Sort(distinct)
	for _, n := range text {
		c.counts[n]++
	}
	for _, n := range slices.Compact(distinct) {
		c.documents[n]++
	}
}

// vocabulary chooses the stems that get a row: the commonest of the texts, then
// those of common in their order.
func (c *corpus) vocabulary(common []string) []string {
	order := make([]int32, len(c.stems))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(c.counts[b], c.counts[a]) })
	var all []string
	chosen := map[string]bool{}
	take := func(stem string, most int) {
		if len(all) < most && !chosen[stem] {
			chosen[stem] = true
			all = append(all, stem)
		}
	}
	for _, n := range order {
		if c.counts[n] >= leastCount {
			take(c.stems[n], commonest)
		}
	}
	for _, stem := range common {
		take(stem, tableRows)
	}
	return all
}

// idf is by row the logarithm of how rare its stem is, brought to a mean of 1 over
// the rows whose stem occurs.
func (c *corpus) idf(vocabulary []string) []float32 {
	idf := make([]float32, len(vocabulary))
	var sum, n float64
	for row, stem := range vocabulary {
		var documents int32
		if number, known := c.numbers[stem]; known {
			documents = c.documents[number]
		}
		x := math.Log(float64(c.texts) / float64(max(documents, 1)))
		idf[row] = float32(x)
		if documents > 0 {
			sum, n = sum+x, n+1
		}
	}
	for row := range idf {
		idf[row] *= float32(n / max(sum, 1e-9))
	}
	return idf
}

// bags gives the pairs by row; those with nothing left on one side are dropped.
func (c *corpus) bags(vocabulary []string) []train.Pair {
	rows := make([]int32, len(c.stems))
	for i := range rows {
		rows[i] = -1
	}
	for row, stem := range vocabulary {
		if n, known := c.numbers[stem]; known {
			rows[n] = int32(row)
		}
	}
	var pairs []train.Pair
	for _, p := range c.pairs {
		pair := train.Pair{Asked: bag(p.asked, rows), Found: bag(p.found, rows)}
		if len(pair.Asked.Rows) > 0 && len(pair.Found.Rows) > 0 {
			pairs = append(pairs, pair)
		}
	}
	return pairs
}

func bag(text, rows []int32) train.Bag {
	var known []int32
	for _, n := range text {
		if rows[n] >= 0 {
			known = append(known, rows[n])
		}
	}
	slices.Sort(known)
	return train.NewBag(known)
}
