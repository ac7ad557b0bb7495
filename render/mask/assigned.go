package mask

import (
	"slices"
	"strings"
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
// follows "name =", "name: " or, for a command's flag, "--name ".
func assignments(text string) []replacement {
	var all []replacement
	left := reachPart*len(text) + valueReach
	for at := 0; at < len(text); {
		n := strings.IndexAny(text[at:], ":=-")
		if n < 0 {
			return all
		}
		at += n + 1
		end := at - 1
		if text[end] == '-' {
			if !strings.HasPrefix(text[end:], "--") {
				continue
			}
			end += len(nameAt(text[end:]))
			if end < len(text) && strings.IndexByte(":=\"'", text[end]) >= 0 {
				continue // the sign will come
			}
		}
		name, end := nameBefore(text, end)
		if !credentialName(name) || endsText(text, end-len(name), at) {
			continue
		}
		reach := min(len(text)-end, valueReach, max(left, leastReach))
		from, to, read := assigned(name, text[end:end+reach])
		left -= read
		if from < to {
			all = append(all, replacement{end + from, end + to, "credential"})
			at = end + to
		}
	}
	return all
}

// sign is what stands between a name and its value: the end of the name's quotes or
// emphasis, the sign, or blanks behind a command's flag, the beginning of a block of
// YAML, and the beginning of emphasis or quotes, which is the group.
var sign = compiled("\\A[\\\\\"'`*\\]]*(?:\\s*(?::=|=>|={1,3}|:)(?:\\*\\*)?\\s*|\\s+)(?:[|>][-+]?[0-9]?[ \t]*\n\\s*)?(?:\\*\\*)?(\\\\*(?:\"{1,3}|['`]))?")

// endsText tells whether a quote right behind the sign of a name closes what it opened
// before the name, so that the value is added by the program: "PASSWORD=" + word.
func endsText(text string, name, behind int) bool {
	return name > 0 && behind < len(text) && strings.IndexByte("\"'`", text[name-1]) >= 0 && text[behind] == text[name-1] && text[behind-1] == '='
}

// leastWord is how many characters a password has at least that no command tells.
const leastWord = 6

// assigned is where the value of a name stands in rest, the text behind the name;
// nothing where that is no credential. It says how much was read to know that.
func assigned(name, rest string) (from, to, read int) {
	m := sign().FindStringSubmatchIndex(rest)
	if m == nil {
		return 0, 0, 0
	}
	from = m[1]
	tight := rest[0] == '=' && (m[1] == 1 || m[2] == 1)
	if m[2] >= 0 {
		line, _, _ := strings.Cut(rest[from:], "\n")
		if n := closing(line, rest[m[2]:m[3]]); n >= 0 {
			if value := line[:n]; secret(name, value, tight) || phrase(name, value) {
				return from, from + n, n
			}
			return 0, 0, n
		}
	}
	head := valueHead(rest[from:])
	behind := rest[from+len(head):]
	if behind != "" && (behind[0] == '(' || behind[0] == '[') {
		return 0, 0, len(head) // it is called or looked up
	}
	more := ""
	if head != "" {
		more = valueTail(behind)
	}
	read = len(head) + len(more)
	if more != "" && (secret(name, head, tight) || secret(name, head+more, tight)) {
		return from, from + read, read
	}
	if value := strings.TrimRight(head, ".:!?"); secret(name, value, tight) {
		return from, from + len(value), read
	}
	return 0, 0, read
}

// closing is where the quotes of a value close that were opened before line; -1 where
// they do not.
func closing(line, quote string) int {
	for at := 0; ; {
		n := strings.Index(line[at:], quote)
		if n < 0 {
			return -1
		}
		if at += n; at == 0 || line[at-1] != '\\' {
			return at
		}
		at += len(quote) // it is escaped
	}
}

// ends are the characters that end a value for sure, signs those that may stand in a
// password as well.
const (
	ends  = " \t\r\n\v\f\"'`"
	signs = ",;()[]{}<>&|\\"
)

// valueHead is a value up to a character that may end it.
func valueHead(s string) string {
	if n := strings.IndexAny(s, ends+signs); n >= 0 {
		return s[:n]
	}
	return s
}

// next is what follows a value: another one with its name, an escape, a tag or the
// end of a bracket.
var next = compiled(`\A(?:(?:[&;,|]|&amp;)+\s*[\w.\[\]-]+\s*[:=]|\\|</?[A-Za-z!]|[)\]}])`)

// valueTail is what follows the head of a value and belongs to it: a password may have
// any sign.
func valueTail(s string) string {
	if n := strings.IndexAny(s, ends); n >= 0 {
		s = s[:n]
	}
	if next().MatchString(s) {
		return ""
	}
	return strings.TrimRight(s, signs+".:!?")
}

// nameByte tells what names are made of.
func nameByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '_' || b == '.' || b == '-'
}

// nameAt is the name at the front of s.
func nameAt(s string) string {
	n := 0
	for n < len(s) && n < nameReach && nameByte(s[n]) {
		n++
	}
	return s[:n]
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
	return text[from:to], to
}

// credentialNames are how names of credentials end, "-" and capitals aside.
var credentialNames = []string{
	"password", "passwd", "passphrase", "passcode", "pwd", "secret", "token", "credential", "credentials", "mnemonic",
	"seed_phrase", "recovery_phrase",
	"api_key", "access_key", "secret_key", "private_key", "account_key", "auth_key", "encryption_key", "signing_key",
	"client_key", "service_key", "shared_key",
	"apikey", "accesskey", "secretkey", "privatekey", "accountkey", "authkey", "encryptionkey", "signingkey",
	"clientkey", "servicekey", "sharedkey",
}

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
	return strings.HasSuffix(low, "key") || slices.ContainsFunc(credentialNames, func(end string) bool { return strings.HasSuffix(low, end) }) || passName(name)
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

// underscored is a name in small letters whose parts "_" joins.
func underscored(name string) string {
	return strings.ReplaceAll(strings.ToLower(name), "-", "_")
}
