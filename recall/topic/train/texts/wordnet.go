package texts

import (
	"bufio"
	"cmp"
	"io/fs"
	"strconv"
	"strings"
)

// synset is one meaning: the words that have it, its gloss and what it is near to.
type synset struct {
	lemmas      []string
	gloss       string
	examples    []string
	relatedKeys []string
}

func (s *synset) text() string { return strings.Join(s.lemmas, ", ") + ": " + s.gloss }

// WordNet reads the four data files of WordNet 3.0 in dir: each word and its gloss,
// each synonym and each example with the meaning it belongs to, and each meaning
// with those it is related to, opposites left out.
func WordNet(dir fs.FS, yield func(Pair)) (Stats, error) {
	e := &emitter{yield: yield, least: leastGloss}
	var order []string
	all := map[string]*synset{}
	for _, name := range []string{"noun", "verb", "adj", "adv"} {
		f, err := dir.Open("data." + name)
		if err != nil {
			return e.stats, err
		}
		e.stats.Files++
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			line := lines.Text()
			if strings.HasPrefix(line, " ") { // the licence at the head
				continue
			}
			if key, s, ok := parseSynset(line); ok {
				order = append(order, key)
				all[key] = s
			}
		}
		if err := cmp.Or(lines.Err(), f.Close()); err != nil {
			return e.stats, err
		}
	}
	for _, key := range order {
		e.synset(all[key], all)
	}
	return e.stats, nil
}

func (e *emitter) synset(s *synset, all map[string]*synset) {
	text := s.text()
	for i, lemma := range s.lemmas {
		e.pair(lemma, s.gloss)
		if i > 0 {
			e.pair(lemma, s.lemmas[0]+": "+s.gloss)
		}
	}
	for _, example := range s.examples {
		e.pair(example, text)
	}
	for _, key := range s.relatedKeys {
		if other := all[key]; other != nil {
			e.pair(text, other.text())
		}
	}
}

// parseSynset reads one line of a data file, as wndb(5WN) lays it out.
func parseSynset(line string) (key string, s *synset, ok bool) {
	head, gloss, ok := strings.Cut(line, " | ")
	f := strings.Fields(head)
	if !ok || len(f) < 6 {
		return "", nil, false
	}
	kind := f[2]
	words, err := strconv.ParseUint(f[3], 16, 8)
	if err != nil || len(f) < 5+2*int(words) {
		return "", nil, false
	}
	s = &synset{}
	for i := range int(words) {
		lemma, _, _ := strings.Cut(f[4+2*i], "(") // adjectives can have a place: afraid(p)
		s.lemmas = append(s.lemmas, strings.ReplaceAll(lemma, "_", " "))
	}
	rest := f[4+2*int(words):]
	pointers, err := strconv.Atoi(rest[0])
	if err != nil || len(rest) < 1+4*pointers {
		return "", nil, false
	}
	for i := range pointers {
		p := rest[1+4*i:]
		if symbol := p[0]; symbol != "!" && !strings.HasPrefix(symbol, ";") && !strings.HasPrefix(symbol, "-") && !strings.HasPrefix(symbol, "~") {
			s.relatedKeys = append(s.relatedKeys, synsetKey(p[2], p[1]))
		}
	}
	s.gloss, s.examples = parseGloss(gloss)
	return synsetKey(kind, f[0]), s, len(s.lemmas) > 0 && s.gloss != ""
}

// synsetKey names a synset over all files; satellites stand in the adjectives'.
func synsetKey(kind, offset string) string {
	if kind == "s" {
		kind = "a"
	}
	return kind + offset
}

// parseGloss parts the definition from the quoted examples behind it.
func parseGloss(gloss string) (definition string, examples []string) {
	parts := strings.Split(gloss, `"`)
	for i := 1; i < len(parts); i += 2 {
		if example := strings.TrimSpace(parts[i]); example != "" {
			examples = append(examples, example)
		}
	}
	return strings.Trim(strings.TrimSpace(parts[0]), "; "), examples
}
