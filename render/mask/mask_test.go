package mask

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"yore/render/mask/masktest"
)

func TestShapesAreMasked(t *testing.T) {
	shapes := masktest.Shapes()
	if len(shapes) < 60 {
		t.Errorf("%d shapes", len(shapes))
	}
	for _, shape := range shapes {
		credential, line := shape.Credential, shape.Text()
		text := "It says " + line + " there."
		got := Text(text)
		if !strings.Contains(got, "[masked ") || strings.Contains(got, credential) || !strings.HasPrefix(got, "It says ") || !strings.HasSuffix(got, " there.") {
			t.Errorf("%q\n became %q", text, got)
		}
		for _, part := range strings.FieldsFunc(credential, func(r rune) bool { return r == '\n' || r == '-' || r == '.' }) {
			if len(part) >= 16 && strings.Contains(got, part) {
				t.Errorf("%q is left in %q", part, got)
			}
		}
		if again := Text(got); again != got {
			t.Errorf("%q became %q", got, again)
		}
	}
}

func TestLookAlikesAreLeft(t *testing.T) {
	alike := masktest.LookAlikes()
	if len(alike) < 60 {
		t.Errorf("%d look-alikes", len(alike))
	}
	for _, line := range alike {
		if got := Text(line); got != line {
			t.Errorf("%q\n became %q", line, got)
		}
	}
}

// An escape sequence within a credential hides it from nobody.
func TestCredentialsAreFoundAfterCleaning(t *testing.T) {
	if got := Text("AK\x1b[1m" + masktest.AccessKey()[2:]); got != "[masked AWS key]" {
		t.Errorf("%q", got)
	}
}

// A key that somebody made up has digits that the issuer's never have, and still passes
// for one: whoever sees it cannot tell.
func TestKeysWithAnyDigits(t *testing.T) {
	for _, prefix := range []string{"AKIA", "ASIA", "ABIA", "ACCA"} {
		if got := Text("my key " + prefix + "INVENTEDKEY01890."); got != "my key [masked AWS key]." {
			t.Errorf("%q", got)
		}
	}
}

func TestOffsetsMoveWithTheText(t *testing.T) {
	key := masktest.AccessKey()
	text := "one " + key + " two"
	got, moved := at(text, []int{0, 4, 10, 24, 25, 28}, nil)
	if got != "one [masked AWS key] two" {
		t.Fatalf("%q", got)
	}
	for i, want := range []string{got, "[masked AWS key] two", " two", " two", "two", ""} {
		if got[moved[i]:] != want {
			t.Errorf("offset %d stands before %q, not %q", i, got[moved[i]:], want)
		}
	}
}

// Whatever the text, every offset comes back, in order and within it.
func TestOffsetsStayInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.SampledFrom([]string{"a ", masktest.AccessKey(), "\x1b[1m", "password=hunter2x ", "é\n", "://u:pw12@"})).Draw(t, "parts")
		text := strings.Join(parts, "")
		var offsets []int
		for i := range len(text) + 1 {
			offsets = append(offsets, i)
		}
		got, moved := at(text, offsets, nil)
		if len(moved) != len(offsets) {
			t.Fatalf("%d offsets of %d", len(moved), len(offsets))
		}
		last := 0
		for _, m := range moved {
			if m < last || m > len(got) {
				t.Fatalf("%v in %q", moved, got)
			}
			last = m
		}
	})
}

func FuzzText(f *testing.F) {
	f.Add("password=hunter2x " + masktest.AccessKey())
	f.Add("-----BEGIN PRIVATE KEY-----\n" + masktest.Letters(64))
	f.Add("--token\\\"a;b&amp;c=d\n-----END PRIVATE KEY-----")
	f.Fuzz(func(t *testing.T, s string) {
		Text(s)
		cheap(t, s)
	})
}

// cheap fails where more of a text is read than its length allows.
func cheap(t *testing.T, text string) {
	t.Helper()
	// Once the share is used up, each name, which has three letters and a sign at least,
	// may read leastReach bytes twice.
	const most = reachPart + 2*leastReach/len("pwd=")
	if _, read := assignments(text); read > most*len(text)+4*valueReach {
		t.Errorf("%d bytes were read behind names for the %d of %.60q…", read, len(text), text)
	}
	if _, read := keyBlocks(text); read > 2*len(text) {
		t.Errorf("%d bytes were read for private keys for the %d of %.60q…", read, len(text), text)
	}
}

// However often names, quotes and ends of keys stand in a text, what is read for them
// stays in proportion to its length.
func TestHostileTextsAreReadOnce(t *testing.T) {
	material := strings.Repeat(masktest.Letters(64)+"\n", 250)
	for _, part := range []string{
		"token=a,", "token=token=", "token==", "token=x;;;;", "token=\"a", "token='", "token=\"\\\"", "password='a b c ", "--token ", "--", "-", "--key--",
		"token:\n", "token|", "pwd=a(", "token=\"x\n", "key = > = ", "token=a&amp;", "token=&",
		"-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "-----END PRIVATE KEY-----\n", "-----BEGIN PRIVATE KEY-----\n" + masktest.Letters(64) + "\n",
		material + "-" + strings.Repeat("-----END PRIVATE KEY-----", 600) + "\n", material + strings.Repeat("-----END PRIVATE KEY-----\n", 600),
	} {
		text := strings.Repeat(part, 1<<15/len(part)+1)
		cheap(t, text)
		cheap(t, text+strings.Repeat(" ", 1<<14))
		cheap(t, text+strings.Repeat("x", 1<<14))
	}
}

// A pattern that looks only at fields finds what the expression finds in the whole text.
func TestFieldsHideNothing(t *testing.T) {
	type searched struct {
		keywords []string
		*pattern
	}
	var all []searched
	for _, s := range shapes {
		all = append(all, searched{[]string{s.keyword}, s.form()})
	}
	for _, f := range frames {
		all = append(all, searched{f.keywords, f.form()})
	}
	fields := 0
	for _, p := range all {
		if p.field {
			fields++
		}
	}
	if fields < 60 {
		t.Errorf("%d of %d patterns look at fields", fields, len(all))
	}
	atoms := []string{" ", "\n", "\t", "\f", "\r", "\v", "\u00a0", "-", "x", "://", "u:pw12@", "=", "\"", "é"}
	for _, s := range masktest.Shapes() {
		atoms = append(atoms, s.Text(), strings.ToUpper(s.Before)+s.Credential+strings.ToUpper(s.After), s.Credential[:len(s.Credential)/2])
	}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(atoms), 0, 12).Draw(t, "parts"), "")
		for _, p := range all {
			var got [][]int
			held := false
			for _, keyword := range p.keywords {
				if held = held || strings.Contains(text, keyword); p.field || len(got) == 0 && strings.Contains(text, keyword) {
					p.each(text, keyword, func(m []int) { got = append(got, m) })
				}
			}
			slices.SortFunc(got, slices.Compare[[]int])
			got = slices.CompactFunc(got, slices.Equal[[]int])
			if want := p.form.FindAllStringSubmatchIndex(text, -1); held && !slices.EqualFunc(got, want, slices.Equal[[]int]) {
				t.Fatalf("%s in %q: %v, want %v", p.form, text, got, want)
			}
		}
	})
}

// What stands in a frame is masked in small letters and capitals, side by side too.
func TestFramesInCapitals(t *testing.T) {
	value, sum := masktest.Letters(44), strings.Repeat("0f1e2d3c", 5)
	mixed := func(s string) string { // every second letter is a capital
		b := []byte(s)
		for i := 1; i < len(b); i += 2 {
			b[i] = strings.ToUpper(s[i : i+1])[0]
		}
		return string(b)
	}
	for _, form := range []string{
		"sig=%", "GET /a?mac=%", "<token>%</token>", "<Password>%</Password>", "X-Signature=%", "response=%", `<add key="DbPassword" value="%"/>`,
		"cookie: sid=%", "Authorization: Bearer %", "identified by '%'",
	} {
		for _, value := range []string{value, sum} {
			small := strings.ReplaceAll(form, "%", value)
			large := strings.ReplaceAll(strings.ToUpper(form), "%", value)
			odd := strings.ReplaceAll(mixed(form), "%", value)
			for _, text := range []string{large, small + " next " + large, large + "\n" + small, small + " " + odd, odd + "\n" + small} {
				if got := Text(text); strings.Contains(got, value) {
					t.Errorf("%q became %q", text, got)
				}
			}
		}
	}
}

// However many blanks stand between a name and its value, that is masked.
func TestValueBehindManyBlanks(t *testing.T) {
	for _, sign := range []string{"password:%", "{\"password\":\n%\"", "password: |%\n  ", "password:\n%**", "password:%\\\"", "password%="} {
		for _, n := range []int{10, signReach - 12, signReach - 11, signReach - 2, signReach - 1, signReach, 600, 3000} {
			if strings.Contains(sign, "%=") && n > nameReach/2 {
				continue // then it is no name
			}
			text := strings.ReplaceAll(sign, "%", strings.Repeat(" ", n)) + "hunter2Xk9z\"}"
			if got := Text(text); strings.Contains(got, "hunter2Xk9z") {
				t.Errorf("%d blanks in %q: %q", n, sign, got)
			}
		}
	}
}

func BenchmarkText(b *testing.B) {
	text := strings.Repeat("The retry limit moved to config, since the key of the cache names a token. ", 16)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		find(text)
	}
}

// BenchmarkPlainTalk is of what nearly all of a transcript is: prose and code, in which
// the beginnings of many tokens stand and none of them.
func BenchmarkPlainTalk(b *testing.B) {
	text := strings.Repeat("The path of the single author might be global: see https://example.org/patterns, zip it, and login through src/skip_list.go. ", 10)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		find(text)
	}
}

// A cut takes away what tells a credential, and leaves the credential: the text that
// it was cut out of tells it.
func TestACutTakesAwayTheName(t *testing.T) {
	for _, shape := range masktest.Shapes() {
		if strings.Contains(shape.Credential, "\n") || len(shape.Credential) < leastRest {
			continue
		}
		piece := "…" + shape.Credential + shape.After + " and more…"
		if got, _ := at(piece, nil, credentials(shape.Text())); strings.Contains(got, shape.Credential) {
			t.Errorf("%q became %q", piece, got)
		}
	}
}

// What a cut leaves of a credential is masked with it.
func TestACutLeavesNothing(t *testing.T) {
	key := "-----BEGIN PRIVATE KEY-----\n" + strings.Repeat(masktest.Letters(64)+"\n", 20) + "-----END PRIVATE KEY-----"
	for _, text := range []string{"before " + masktest.AccessKey() + " behind, and more", key} {
		whole := credentials(text)
		if len(whole) != 1 {
			t.Fatalf("%d credentials", len(whole))
		}
		for from := range text {
			for _, piece := range []string{"…" + text[from:], text[:from] + "…", "…\n```\n" + text[from:]} {
				got, _ := at(piece, nil, whole)
				for i := 0; i+leastRest <= len(whole[0]); i++ {
					if part := whole[0][i : i+leastRest]; !strings.Contains(part, "-") && strings.Contains(got, part) {
						t.Fatalf("%q is left in %q", part, got)
					}
				}
			}
		}
	}
}

// A title ends within a word only when that fills half of it: what then stands there of
// a long credential is masked as the whole is.
func TestBeginningOfALongCredential(t *testing.T) {
	const shown = 60
	for _, shape := range masktest.Shapes() {
		if c := shape.Credential; len(c) > shown && !strings.ContainsAny(c, " \n\\") {
			if got := Text(shape.Before + c[:shown] + "…"); strings.Contains(got, c[shown/2:shown]) {
				t.Errorf("%q is shown of %q", got, shape.Text())
			}
		}
	}
}

// What is left as it stands is left in JSON, where an escape breaks the lines.
func TestLookAlikesInJSON(t *testing.T) {
	more := []string{
		"\"mnemonic\": enc2080,\n\t\"other\": enc2081", "getpass.getpass('Password: ')\n\n# of realm2\nhost = parse('x')",
		"read('Password:', creds.password)\n  // with 2 factors @npm\n  say('x')", "token = oauth2.Token{\n\tAccessToken: a}",
	}
	for _, line := range append(masktest.LookAlikes(), more...) {
		out, err := json.Marshal(map[string]string{"text": "It says\n" + line + "\nthere."})
		if err != nil {
			t.Fatal(err)
		}
		if got := Text(string(out)); got != string(out) {
			t.Errorf("%s\n became %s", out, got)
		}
	}
}

// In JSON within a text, as tools give it, a line begins with the letter of "\n", which
// is no part of the word behind it.
func TestCredentialsBehindEscapedBlanks(t *testing.T) {
	for _, shape := range masktest.Shapes() {
		if strings.ContainsAny(shape.Text(), "\n\\\"") {
			continue
		}
		for _, escape := range []string{
			`\n`, `\t`, `\r\n`, `\\n`, `\u0022`, `\x0a`, `\012`, `\0`, `\a`, `\v`, `\U0000000a`, `\x22`, `\\\\n`, `\\\\\\\\n`,
			`\u001b[1;31m`, `\x1b[m`, `\033[0K`, `\u001b(B\u001b[m`, `\u001b[?2004l`, `\e[?25h`, `\x1b[38:5:1m`, `\E[0m`, `\u{1b}[0m`, `\x1b]0;title\a`, `\x1b[!p`, `\0337`,
			`%20`, `%0A`, `%0D%0A`, `&nbsp;`, `&#10;`, `&#x0a;`, `&quot;`, `^[[31m`, `^[[0;1m`, `^[[K`,
		} {
			if escape == `\0` && shape.Text()[0] <= '7' {
				continue // then it has more digits
			}
			before, after := `[{"type":"text","text":"it says:`+escape, escape+` and more"}]`
			text := before + shape.Text() + after
			if got := Text(text); strings.Contains(got, shape.Credential) || !strings.HasPrefix(got, before) || !strings.HasSuffix(got, ` more"}]`) {
				t.Errorf("%q\n became %q", text, got)
			}
		}
	}
}

// Of what escapes stand for, so much is read for the escapes in it that it costs no more
// than the text, and what lies behind is masked as it stands.
func TestNestedEscapesHaveABound(t *testing.T) {
	nested := `token=\\n` + masktest.AccessKey() + ` `
	long := `\n` + strings.Repeat("word ", mostNested/5)
	if got := Text(nested + long); strings.Contains(got, "AKIA") {
		t.Errorf("%.80q", got)
	}
	if got := Text(long + nested + masktest.AccessKey()); !strings.HasSuffix(got, "[masked AWS key]") {
		t.Errorf("…%q", got[len(got)-80:])
	}
}

// Of a text's lines those are read again that have an escape or stand beside one.
func TestLinesWithoutEscapesAreReadOnce(t *testing.T) {
	lines := make([]string, 100)
	for i := range lines {
		lines[i] = fmt.Sprintf("line %d.\n", i)
	}
	lines[50] = `a \"quoted\" word.` + "\n"
	lines[53], lines[99] = "50%25.\n", "2 &lt; 3."
	want := "line 49.\na \"quoted\" word.\nline 51.\nline 52.\n50%.\nline 54.\n" + leftOut + "line 98.\n2 < 3."
	if e, ok := unescaped(strings.Join(lines, "")); !ok || e.plain != want {
		t.Errorf("%q", e.plain)
	}
	if e, ok := unescaped("50 % of a & b ^ c\nand " + `\s+ \( \` + "\n"); ok {
		t.Errorf("%q has no escape", e.plain)
	}
}

// What is masked of lines that have nothing to do with each other is what is masked of each.
func TestEscapesMoveNothingOfOtherLines(t *testing.T) {
	line := rapid.SampledFrom([]string{
		"It is only prose, and ends here.", "", `It says "a\n", "b\\c" and ends here.`, "q=%7B%22password%22%3A%22hunter2!x%22%7D ends here.",
		`{\"password\": \"hunter2!x\"} ends here.`, "&quot;password&quot;: &quot;hunter2!x&quot; ends here.", "password: ^[[31mhunter2!x^[[0m ends here.",
		"The key " + masktest.AccessKey() + " ends here.", `"{\\\"password\\\": \\\"hunter2!x\\\"}" ends here.`, "a &lt; b ends here.",
	})
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(line, 0, 12).Draw(t, "lines")
		alone := make([]string, len(lines))
		for i, l := range lines {
			alone[i] = Text(l)
		}
		if got, want := Text(strings.Join(lines, "\n")), strings.Join(alone, "\n"); got != want || strings.Contains(got, "hunter2") {
			t.Fatalf("%q, want %q", got, want)
		}
	})
}

// What is masked as it stands is masked in JSON, and in JSON in JSON, whose letters
// beyond ASCII may be escaped.
func TestCredentialsInJSON(t *testing.T) {
	packed := func(text string) string {
		out, err := json.Marshal([]map[string]string{{"type": "text", "text": text}})
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	for _, shape := range masktest.Shapes() {
		text := packed("It says\n" + shape.Text() + "\nthere.")
		var ascii strings.Builder
		for _, r := range text {
			if r < utf8.RuneSelf {
				ascii.WriteRune(r)
				continue
			}
			fmt.Fprintf(&ascii, `\u%04x`, r)
		}
		for _, text := range []string{text, ascii.String(), packed(text), packed(packed(packed(text)))} {
			got := Text(text)
			said := got
			for range mostEscaped {
				said = strings.NewReplacer(`\n`, "\n", `\"`, `"`, `\\`, `\`).Replace(said)
			}
			if plain := strings.ReplaceAll(shape.Credential, `\`, ""); strings.Contains(strings.ReplaceAll(said, `\`, ""), plain) || !strings.Contains(got, "[masked ") || !strings.HasPrefix(got, `[{"te`) || !strings.HasSuffix(got, `"}]`) {
				t.Errorf("%s\n became %s", text, got)
			}
		}
	}
}
