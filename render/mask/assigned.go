package mask

import (
	"slices"
	"strings"

	"yore/sessions/lazy"
)

const (
	// valueReach is how many bytes behind a name are looked at: longer values are
	// masked that far, which leaves no use of the rest.
	valueReach = 4096
	// leastReach is the same where names stand in values over and over, so that a text
	// costs no more than its length allows (reachPart times it in all).
	leastReach = 128
	reachPart  = 4
)

// assignments are the values of names that end as names of credentials do: what
// follows "name =", "name: " or, for a command's flag, "--name ". It says how many bytes
// behind names were read to know that, some of them several times.
func assignments(text string) (all []replacement, read int) {
	left := reachPart*len(text) + valueReach
	for at := 0; at < len(text); {
		n := strings.IndexAny(text[at:], ":=-")
		if n < 0 {
			break
		}
		at += n + 1
		end := at - 1
		if text[end] == '-' {
			to, flag := flagAt(text, end)
			at = max(at, to)
			if end = to; !flag {
				continue
			}
		}
		name, end := nameBefore(text, end)
		if !credentialName(name) || endsText(text, end-len(name), at) {
			continue
		}
		reach := min(len(text)-end, valueReach, max(left-read, leastReach))
		from, to, n := assigned(name, text[end:end+reach])
		read += n
		if from < to {
			all = append(all, replacement{end + from, end + to, "credential"})
			at = end + to
		}
	}
	return all, read
}

// flagAt is where a name ends in which "-" stands, and whether it may be a flag of a
// command that has its value without a sign.
func flagAt(text string, dash int) (end int, flag bool) {
	end = dash
	for end < len(text) && nameByte(text[end]) {
		end++
	}
	if end < len(text) && strings.IndexByte(":=\"'", text[end]) >= 0 {
		return end, false // the sign will come
	}
	return end, strings.Contains(text[max(dash, end-nameReach):end], "--")
}

// sign is what stands between a name and its value: the end of the name's quotes or
// emphasis, the sign, or blanks behind a command's flag, the beginning of a block of
// YAML, and the beginning of emphasis or quotes, which is the group.
var sign = lazy.Regexp("\\A[\\\\\"'`*\\]]*(?:\\s*(?::=|=>|={1,3}|:)(?:\\*\\*)?\\s*|\\s+)(?:[|>][-+]?[0-9]?[ \t]*\n\\s*)?(?:\\*\\*)?(?:\\$?(\\\\*(?:\"{1,3}|['`])))?")

const (
	// signBytes are what that is made of.
	signBytes = "\\\"'`*]:=>|+-0123456789" + blanks
	// signReach is how many bytes it has nearly always. More are looked at only where all
	// of these are the bytes of one, blanks for the most part: the expression reads few
	// bytes several times faster.
	signReach = 512
)

// endsText tells whether a quote right behind the sign of a name closes what it opened
// before the name, so that the value is added by the program: "PASSWORD=" + word.
func endsText(text string, name, behind int) bool {
	if name == 0 || strings.IndexByte("\"'`", text[name-1]) < 0 || text[behind-1] != '=' {
		return false
	}
	near := text[max(0, name-nameReach):name]
	quote := near[len(strings.TrimRight(near[:len(near)-1], `\`)):] // with what escapes it
	return strings.HasPrefix(text[behind:], quote)
}

// leastWord is how many characters a password has at least that no command tells.
const leastWord = 6

// assigned is where the value of a name stands in rest, the text behind the name;
// nothing where that is no credential. It says how many bytes of rest were read to know
// that, whatever came of it.
func assigned(name, rest string) (from, to, read int) {
	front := rest[:min(len(rest), signReach)]
	if strings.TrimLeft(front, signBytes) == "" {
		front = rest
	}
	m := sign().FindStringSubmatchIndex(front)
	if m == nil {
		return 0, 0, len(front) - len(strings.TrimLeft(front, signBytes))
	}
	from = m[1]
	tight := rest[0] == '=' && (m[1] == 1 || m[2] == 1)
	if m[2] >= 0 {
		n, seen := closing(rest[from:], rest[m[2]:m[3]])
		read = from + seen
		if n >= 0 {
			if value := rest[from : from+n]; secret(name, value, tight) || phrase(name, value) {
				return from, from + n, read
			}
			return 0, 0, read
		}
	}
	head := valueHead(rest[from:])
	read = max(read, from) + len(head)
	behind := rest[from+len(head):]
	if behind != "" && (behind[0] == '(' || behind[0] == '[') {
		return 0, 0, read // it is called or looked up
	}
	if head != "" {
		more, seen := valueTail(behind)
		read += seen
		if whole := from + len(head) + len(more); more != "" && (secret(name, head, tight) || secret(name, rest[from:whole], tight)) {
			return from, whole, read
		}
	}
	if value := strings.TrimRight(head, ".:!?"); secret(name, value, tight) {
		return from, from + len(value), read
	}
	return 0, 0, read
}

// closing is where the quotes of a value close on its line that were opened before s; -1
// where they do not. It says how much of s was read.
func closing(s, quote string) (at, read int) {
	for at < len(s) {
		switch {
		case s[at] == '\n', breaksLine(s[:at+1], quote):
			return -1, at
		case !strings.HasPrefix(s[at:], quote):
			at++
		case at > 0 && s[at-1] == '\\':
			at += len(quote) // it is escaped
		default:
			return at, at
		}
	}
	return -1, len(s)
}

// breaksLine tells whether s ends with an escape that breaks the line in which quotes of
// this kind opened: JSON escapes those that it has itself, and leaves the others as they are.
func breaksLine(s, quote string) bool {
	escapes := strings.TrimSuffix(s, "n")
	deep := len(escapes) - len(strings.TrimRight(escapes, `\`))
	of := strings.Count(quote, `\`)
	return len(escapes) < len(s) && deep > 0 && (deep <= of || quote[of] != '"')
}

// ends are the characters that end a value for sure, signs those that may stand in a
// password as well.
const (
	ends  = " \t\r\n\v\f\"'`"
	signs = ",;()[]{}<>&|\\"
)

// until is a text up to the first of some characters.
func until(s, chars string) string {
	if n := strings.IndexAny(s, chars); n >= 0 {
		return s[:n]
	}
	return s
}

// valueHead is a value up to a character that may end it.
func valueHead(s string) string { return until(s, ends+signs) }

// next is what follows a value: another one with its name, an escape, a tag or the
// end of a bracket.
var next = lazy.Regexp(`\A(?:(?:[&;,|]|&amp;)+\s*[\w.\[\]-]+\s*[:=]|[&;,|(){}<>[\]]*\\[nrt]|\\|</?[A-Za-z!]|[)\]}])`)

// nextReach is how long that is at most, but for names that are longer than others.
const nextReach = 2 * nameReach

// valueTail is what follows the head of a value and belongs to it: a password may have
// any sign. It says how much of s was read.
func valueTail(s string) (more string, read int) {
	if near := until(s[:min(len(s), nextReach)], ends); next().MatchString(near) {
		return "", len(near)
	}
	s = until(s, ends)
	return strings.TrimRight(s, signs+".:!?"), len(s)
}

// nameByte tells what names are made of.
func nameByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '_' || b == '.' || b == '-'
}

// nameReach is how long a name is at most, with the blanks behind it.
const nameReach = 64

// nameBefore is the name that ends at to, with blanks, quotes, emphasis and a bracket
// between, and where it ends.
func nameBefore(text string, to int) (name string, end int) {
	least := max(0, to-nameReach)
	to = least + len(strings.TrimRight(text[least:to], " \t"))
	to = least + len(strings.TrimRight(text[least:to], "\"'`*]\\"))
	from := to
	for from > least && nameByte(text[from-1]) {
		from--
	}
	if from > least && text[from-1] == ' ' && strings.EqualFold(text[from:to], "key") {
		from = keyWord(text, least, from)
	}
	return text[from:to], to
}

// keyWords are those that two words have before "key" that are one name: "the API key: ".
var keyWords = strings.Split(keyOf, "|")

// keyWord is where such a word begins, not before least, that stands with a blank before
// from; from where none does.
func keyWord(text string, least, from int) int {
	word := from - 1
	for word > least && nameByte(text[word-1]) && text[word-1] != '.' && text[word-1] != '-' {
		word--
	}
	if slices.ContainsFunc(keyWords, func(w string) bool { return strings.EqualFold(w, text[word:from-1]) }) {
		return word
	}
	return from
}

// credentialNames are how names of credentials end, "-" and capitals aside.
var credentialNames = []string{
	"password", "passwd", "passphrase", "passcode", "pwd", "secret", "token", "credential", "credentials", "mnemonic",
	"seed_phrase", "recovery_phrase",
	"api_key", "access_key", "secret_key", "private_key", "account_key", "auth_key", "encryption_key", "signing_key",
	"secret_key_base", "client_key", "service_key", "shared_key",
	"apikey", "accesskey", "secretkey", "privatekey", "accountkey", "authkey", "encryptionkey", "signingkey",
	"clientkey", "servicekey", "sharedkey",
}

// keyNames are how names end that some give to credentials and others to the keys of
// tables, stores and keyboards, or to patterns: only the value tells which.
var keyNames = []string{"_pat", "master_key", "admin_key", "app_key", "application_key", "write_key", "storage_key"}

// passOf are what a name that ends with "pass" and means a password has before it: a
// pass may be one of many other things.
var passOf = []string{
	"db", "database", "sql", "mysql", "pg", "postgres", "redis", "mongo", "mq", "smtp", "imap", "mail", "ftp", "ssh", "http", "proxy",
	"ldap", "user", "admin", "root", "login", "auth", "basic", "wifi", "wpa", "app", "service",
}

func credentialName(name string) bool {
	if len(name) < len("pwd") || name == "PWD" || name == "OLDPWD" { // the current directory
		return false
	}
	low := underscored(name)
	return strings.HasSuffix(low, "key") || endsAs(low, credentialNames) || endsAs(low, keyNames) || passName(name)
}

// endsAs tells whether a name, underscored, ends as one of some.
func endsAs(low string, names []string) bool {
	return slices.ContainsFunc(names, func(end string) bool { return strings.HasSuffix(low, end) })
}

// namedKey tells whether a name is one of those of a key that is a credential or another
// one: in two words, as in prose, all are.
func namedKey(name string) bool {
	return strings.Contains(name, " ") || endsAs(underscored(name), keyNames)
}

// passName tells whether a name that ends with "pass" is one of a password.
func passName(name string) bool {
	of, ok := strings.CutSuffix(underscored(name), "pass")
	if !ok {
		return false
	}
	return strings.HasSuffix(name, "_PASS") || of == "__" ||
		slices.ContainsFunc(passOf, func(p string) bool { return strings.HasSuffix(strings.TrimRight(of, "_."), p) })
}

// parts is what joins the parts of a name.
var parts = strings.NewReplacer("-", "_", " ", "_")

// underscored is a name in small letters whose parts "_" joins.
func underscored(name string) string {
	return parts.Replace(strings.ToLower(name))
}
