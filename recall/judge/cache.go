package judge

import (
	"sync"

	"yore/recall"
)

// cacheSize is how many grades are remembered, of some 50 answers. With their
// questions and excerpts they take about 1 MB; they are never written to disk.
const cacheSize = 1000

// cacheKey is what a grade depends on, the model aside.
type cacheKey struct{ question, item string }

// cache remembers grades; the oldest one gives way.
type cache struct {
	mu     sync.Mutex
	grades map[cacheKey]recall.Grade
	order  []cacheKey // oldest first
}

func newCache() *cache { return &cache{grades: map[cacheKey]recall.Grade{}} }

// known are the grades remembered of items; missing are the places of others.
func (c *cache) known(question string, items []string) (grades []recall.Grade, missing []int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	grades = make([]recall.Grade, len(items))
	for i, item := range items {
		if grades[i] = c.grades[cacheKey{question, item}]; grades[i] == recall.Unjudged {
			missing = append(missing, i)
		}
	}
	return grades, missing
}

// keep remembers what was judged.
func (c *cache) keep(question, item string, g recall.Grade) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := cacheKey{question, item}
	if _, had := c.grades[k]; !had && g != recall.Unjudged {
		c.grades[k] = g
		c.order = append(c.order, k)
	}
	if len(c.order) > cacheSize {
		delete(c.grades, c.order[0])
		c.order = c.order[1:]
	}
}
