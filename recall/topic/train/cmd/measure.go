package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"yore/recall/topic"
	"yore/recall/topic/train"
)

// line is one of a set: a passage of a pool and of a session in it, or a question to the pool with the
// passages, by their place in it from 0, that answer it.
type line struct {
	Pool     string `json:"pool"`
	Session  string `json:"session"`
	Passage  string `json:"passage"`
	Query    string `json:"query"`
	Relevant []int  `json:"relevant"`
}

// pool is what one set of questions is asked of.
type pool struct {
	passages  []string
	sessions  [][]string // the same; a passage without a session is one of its own
	last      string     // the session that was read last
	questions []line
}

// measureSets prints how well a table alone finds the passages of each set.
func measureSets(ctx context.Context, dir string, adapted bool, sets []string) error {
	table, err := openTable(dir)
	if err != nil {
		return err
	}
	all := make([][]*pool, len(sets))
	for i, path := range sets {
		if all[i], err = readSet(path); err != nil {
			return err
		}
	}
	for i, pools := range all {
		used := table
		if adapted {
			if used, err = topic.Adapt(ctx, table, everySession(pools)); err != nil {
				return err
			}
		}
		var f figures
		for _, p := range pools {
			f.ask(used, p)
		}
		var foreign histogram
		for j, others := range all {
			if i != j {
				foreign.addAll(embedAll(used, questionsOf(others)), embedAll(used, passagesOf(pools)))
			}
		}
		fmt.Printf("%s: %s; floor %.3f, reached by %.1e of the pairs with questions of the other sets\n",
			filepath.Base(sets[i]), f, used.Floor(), foreign.share(float64(used.Floor())))
	}
	return nil
}

func questionsOf(pools []*pool) []string {
	var all []string
	for _, p := range pools {
		for _, q := range p.questions {
			all = append(all, q.Query)
		}
	}
	return all
}

func passagesOf(pools []*pool) []string {
	var all []string
	for _, p := range pools {
		all = append(all, p.passages...)
	}
	return all
}

func everySession(pools []*pool) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for _, p := range pools {
			for _, session := range p.sessions {
				if !yield(session) {
					return
				}
			}
		}
	}
}

func openTable(dir string) (*topic.Table, error) {
	if dir == "" {
		return topic.Embedded(), nil
	}
	rows, wide, err := readTable(dir)
	if err != nil {
		return nil, err
	}
	scales, err := os.ReadFile(filepath.Join(dir, "scale.f32"))
	if err != nil {
		return nil, err
	}
	stems, err := os.ReadFile(filepath.Join(dir, "vocab.txt"))
	if err != nil {
		return nil, err
	}
	return topic.NewTable(wide*len(rows)/max(len(scales)/4, 1), string(rows), string(scales), string(stems))
}

// readTable reads a table's rows, and how many numbers a byte of them holds.
func readTable(dir string) (rows []byte, wide int, err error) {
	rows, err = os.ReadFile(filepath.Join(dir, "table.i4"))
	if err == nil {
		return rows, 2, nil
	}
	rows, err = os.ReadFile(filepath.Join(dir, "table.i8"))
	return rows, 1, err
}

func readSet(path string) ([]*pool, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	var order []*pool
	byName := map[string]*pool{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		var l line
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		p := byName[l.Pool]
		if p == nil {
			p = &pool{}
			byName[l.Pool] = p
			order = append(order, p)
		}
		if l.Query != "" {
			p.questions = append(p.questions, l)
		} else {
			p.add(l)
		}
	}
	return order, lines.Err()
}

func (p *pool) add(l line) {
	p.passages = append(p.passages, l.Passage)
	if n := len(p.sessions); n > 0 && l.Session != "" && l.Session == p.last {
		p.sessions[n-1] = append(p.sessions[n-1], l.Passage)
	} else {
		p.sessions = append(p.sessions, []string{l.Passage})
	}
	p.last = l.Session
}

// figures sum up answers: how often a right passage is first, among the first 8,
// the share of the right ones among the first 8, and one over the best rank.
type figures struct {
	questions          int
	first, any8, share float64
	reciprocal         float64
	above              float64 // questions of which a right passage reaches the floor
}

func (f figures) String() string {
	n := float64(max(f.questions, 1))
	return fmt.Sprintf("%d questions, R@1 %.1f, one at 8 %.1f, R@8 %.1f, MRR %.3f, above the floor %.1f",
		f.questions, 100*f.first/n, 100*f.any8/n, 100*f.share/n, f.reciprocal/n, 100*f.above/n)
}

func (f *figures) ask(table *topic.Table, p *pool) {
	vectors := embedAll(table, p.passages)
	asked := make([]float32, table.Dim())
	cosines, order := make([]float32, len(vectors)), make([]int, len(vectors))
	for _, q := range p.questions {
		table.Vector(q.Query, asked)
		for i, v := range vectors {
			order[i] = i
			cosines[i] = train.Dot(asked, v)
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(cosines[b], cosines[a]) })
		f.add(order, q.Relevant)
		if best, ok := bestOf(asked, vectors, q.Relevant); ok && best >= table.Floor() {
			f.above++
		}
	}
}

func (f *figures) add(order, relevant []int) {
	f.questions++
	var found int
	for rank, passage := range order {
		if !slices.Contains(relevant, passage) {
			continue
		}
		if found == 0 {
			f.reciprocal += 1 / float64(rank+1)
		}
		if rank == 0 {
			f.first++
		}
		if rank < 8 {
			found++
		}
		if rank >= 8 || found == len(relevant) {
			break
		}
	}
	if found > 0 {
		f.any8++
	}
	f.share += float64(found) / float64(max(len(relevant), 1))
}
