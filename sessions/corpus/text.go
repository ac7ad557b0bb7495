package corpus

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
)

// vocabulary is drawn from by a Zipf law: earlier words are commoner, as in
// prose. It is software talk because transcripts are.
var vocabulary = strings.Fields(`
the to a of and is in it that for we on with this be not as are from by or an at if can have has was will but so
file test code function error cache config user server client request response data value type name path line key
value build run change add use make check read write call return log query index table column migration schema
service worker queue job task retry timeout limit rate token session login auth password header cookie route handler
middleware database connection pool transaction lock mutex thread goroutine channel context cancel deadline signal
process memory leak heap stack pointer buffer slice array map string number float integer boolean null empty default
option flag argument parameter environment variable secret version release branch commit merge rebase conflict diff
patch review comment issue ticket bug fix regression failure crash panic exception trace debug profile benchmark
latency throughput budget metric alert dashboard deploy rollback container image cluster node pod network socket port
address proxy gateway balancer certificate domain storage disk volume backup restore snapshot shard replica partition
topic message event stream batch window offset consumer producer broker schedule cron trigger webhook payload format
parse encode decode compress encrypt hash checksum signature validate sanitise escape quote render template style
layout component button form field input output page view model controller router state store action reducer effect
hook theme colour font margin padding border grid row cell width height scroll focus cursor keyboard mouse touch
because before after when while until between without instead should would could must may might never always often
decided decision reason option choose prefer keep remove rename move split join replace simplify measure compare
first second last next previous new old small large fast slow simple safe wrong right better worse same different
`)

// prose makes text by one random source.
type prose struct {
	r    *rand.Rand
	zipf *rand.Zipf
	// names are what this session talks about again and again.
	names []string
}

func newProse(r *rand.Rand) *prose {
	p := &prose{r: r, zipf: rand.NewZipf(r, 1.07, 4, uint64(len(vocabulary)-1))}
	for range 6 + r.IntN(10) {
		p.names = append(p.names, p.identifier())
	}
	return p
}

func (p *prose) word() string { return vocabulary[p.zipf.Uint64()] }

// identifier is one of the shapes that names in code have.
func (p *prose) identifier() string {
	a, b := vocabulary[40+p.r.IntN(len(vocabulary)-40)], vocabulary[40+p.r.IntN(len(vocabulary)-40)]
	switch p.r.IntN(6) {
	case 0:
		return a + strings.ToUpper(b[:1]) + b[1:]
	case 1:
		return a + "_" + b
	case 2:
		return fmt.Sprintf("internal/%s/%s.go:%d", a, b, 1+p.r.IntN(900))
	case 3:
		return fmt.Sprintf("%08x", p.r.Uint32())
	case 4:
		return fmt.Sprintf("v%d.%d.%d", p.r.IntN(9), p.r.IntN(30), p.r.IntN(12))
	}
	return strings.ToUpper(a) + "_" + strings.ToUpper(b)
}

// sentence is 6 to 20 words; every third names something of the session.
func (p *prose) sentence(b *strings.Builder) {
	n := 6 + p.r.IntN(15)
	for i := range n {
		w := p.word()
		switch {
		case i == 0:
			w = strings.ToUpper(w[:1]) + w[1:]
		case i == n/2 && p.r.IntN(3) == 0:
			w = p.names[p.r.IntN(len(p.names))]
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w)
	}
	b.WriteString(". ")
}

// text is prose of about n bytes, in paragraphs.
func (p *prose) text(n int) string {
	var b strings.Builder
	for b.Len() < n {
		p.sentence(&b)
		if p.r.IntN(5) == 0 {
			b.WriteString("\n\n")
		}
	}
	return strings.TrimSpace(b.String())
}

// lines is tool output of about n bytes: numbered lines, and runs of equal ones.
func (p *prose) lines(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		if p.r.IntN(12) == 0 {
			line := "WARN " + p.names[p.r.IntN(len(p.names))] + ": connection reset by peer\n"
			b.WriteString(strings.Repeat(line, 3+p.r.IntN(30)))
			continue
		}
		fmt.Fprintf(&b, "%6d\t%s(%s, %s)\n", i+1, p.identifier(), p.word(), p.word())
	}
	return b.String()
}

// size is log-normal around median, as lengths of messages and sessions are.
func (p *prose) size(median float64, sigma float64, most int) int {
	return min(most, max(1, int(median*math.Exp(sigma*p.r.NormFloat64()))))
}
