package mask

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"yore/sessions/lazy"
)

// positions are words in names of tokens that tell a place and nothing secret.
var positions = []string{"page", "next", "cursor", "continuation", "cancel", "sync", "start", "end", "stop", "pad", "eos", "bos"}

// judged is how many bytes of a value tell whether it is a credential.
const judged = 256

// secret tells whether the value of a name that ends as credentials' names do can
// be one. It is tight behind "=" without a blank.
func secret(name, value string, tight bool) bool {
	value = value[:min(len(value), judged)]
	// A variable of the environment, or a command's flag, is given its value as it is,
	// and no name of another.
	literal := name == strings.ToUpper(name) && plain().MatchString(value)
	if tight && (name == strings.ToUpper(name) || strings.HasPrefix(name, "--")) && passwordName(name) && given(value) {
		return true
	}
	if placeholder(value) || !literal && identifier().MatchString(value) || path().MatchString(value) {
		return false
	}
	low := underscored(name)
	switch {
	case strings.HasSuffix(low, "token") && slices.ContainsFunc(positions, func(p string) bool { return strings.Contains(low, p) }):
		return false
	case passwordName(name):
		return len(value) >= leastWord && !strings.Contains(value, " ") && passwordish(value)
	case namedKey(name):
		return keyLike(strings.TrimRight(value, "=…"))
	case !endsAs(low, credentialNames):
		return len(value) >= leastKey && random(value) // any "key"
	}
	return len(value) >= 12 && !strings.Contains(value, " ") && mixed(value) && entropy(value) >= leastEntropy
}

// keyLike tells whether a value is a key by its looks, and no name, pattern or path.
func keyLike(value string) bool {
	return len(value) >= leastKey && strings.IndexFunc(value, func(r rune) bool { return r >= utf8.RuneSelf || class(byte(r)) == 0 && r != '.' }) < 0 &&
		(random(value) || bare(value) || oneCase(value))
}

// passwordName tells whether a name of a credential is one of a password, which
// somebody may have chosen.
func passwordName(name string) bool {
	low := underscored(name)
	return slices.ContainsFunc([]string{"word", "wd", "phrase", "passcode"}, func(end string) bool { return strings.HasSuffix(low, end) }) || passName(name)
}

// passwordish tells whether somebody who chose a password may have chosen this.
func passwordish(value string) bool {
	return mixed(value) || strings.ContainsAny(value, "!@#%^*+=~?&$")
}

// said are words in the place of a password that only tell of it.
var said = []string{"required", "optional", "string", "none", "null", "true", "false", "undefined", "stdin", "prompt", "value", "hidden", "unset", "empty"}

// word is a password without digits and signs.
var word = lazy.Regexp(`^[A-Za-z]*[a-z][A-Za-z]*$`)

// given tells whether a password without digits and signs is given as it is.
func given(value string) bool {
	return len(value) >= leastWord && (word().MatchString(value) || plain().MatchString(value)) && !placeholder(value) && !slices.Contains(said, strings.ToLower(value))
}

// phraseWords is how many words a phrase of which keys are made has at least.
const phraseWords = 12

var (
	phraseWord = lazy.Regexp(`^[a-z]{3,8}$`)
	chosenWord = lazy.Regexp(`^[^\s]{6,}$`)
)

// phrase tells whether a value in quotes that has blanks is a credential: a password
// with a word in it that might be one alone, or the words of which keys are made.
func phrase(name, value string) bool {
	words := strings.Fields(value)
	if len(words) < 2 || !passwordName(name) && !strings.HasSuffix(underscored(name), "mnemonic") || placeholder(value) {
		return false
	}
	if !slices.ContainsFunc(words, func(w string) bool { return !phraseWord().MatchString(w) }) {
		return len(words) >= phraseWords && len(words)%3 == 0
	}
	signed := strings.ContainsAny(value, "@#$%^&*+=~")
	return slices.ContainsFunc(words, func(w string) bool {
		return signed && plain().MatchString(w) || chosenWord().MatchString(w) && mixed(w) && !identifier().MatchString(w) && !path().MatchString(w)
	})
}

// identifier is a name in a program, also with what it belongs to; plain is one that
// a password may be as well; path is a file's or an address.
var (
	plain      = lazy.Regexp(`^[A-Za-z]+\d$`)
	identifier = lazy.Regexp(`^(?:[A-Za-z_]+\d?(?:(?:\.|::|->)[A-Za-z_]+\d?)*|[a-z]+\d?(?:[_-][a-z]+\d?)+)$`)
	path       = lazy.Regexp(`^(?:~?/|\.{1,2}/|[A-Za-z]:[\\/]|[a-z]+://|sha\d+[:-]|[A-Za-z0-9_-]+/[A-Za-z0-9_./-]+\.[a-z]{1,5}$)`)
)

// placeholders are words by which examples say that nothing is secret there, variable
// is what something else is put for.
var (
	placeholders = []string{"example", "your", "xxxx", "****", "...", "…", "placeholder", "changeme", "redacted", "masked", "dummy", "process.env", "environ", "getenv", "required",
		"mindestens", "zeichen", "caracter", "minim", "tekens", "znak"} // how long it has to be, in other languages
	variable = lazy.Regexp(`^[$%]\w|\$[{(]|\{\{|^[<{]|%\(|\{\w+\}|<[\w. -]{3,}>`)
	// algorithm is how passwords are kept, which is told in the place of one.
	algorithm = lazy.Regexp(`^(?i:(?:hmac-?)?sha-?\d{1,3}|md5|bcrypt\d*|scrypt\d*|argon2(?:id?|d)?|pbkdf2[\w-]*|aes-?\d{3}[\w-]*|base64|utf-?8\w*)$`)
)

func placeholder(value string) bool {
	if value == "" {
		return true
	}
	if len(value) >= leastRandom && entropy(value) >= randomEntropy {
		return false // a word may stand in what is random, as in published sample keys
	}
	if len(value) >= leastRandom {
		value = strings.TrimRight(value, "…") // it is cut, as in a title
	}
	low := strings.ToLower(value)
	return strings.Trim(low, low[:1]) == "" || slices.Contains([]string{"password", "passwd", "pass", "secret", "token"}, low) || strings.ContainsAny(value, "$%{<") && variable().MatchString(value) || algorithm().MatchString(value) ||
		slices.ContainsFunc(placeholders, func(p string) bool { return strings.Contains(low, p) })
}

// mixed tells whether there are letters and digits.
func mixed(s string) bool {
	return strings.ContainsFunc(s, unicode.IsDigit) && strings.ContainsFunc(s, unicode.IsLetter)
}

// leastEntropy, in bits a character, lies between words with a number (below)
// and random text of twelve characters (above 3).
const leastEntropy = 2.8

// randomEntropy lies between 32 or more characters of words (below 4) and as many
// random letters and digits (above 4.3).
const randomEntropy = 4.25

// entropy is Shannon's, of the bytes' frequencies.
func entropy(s string) float64 {
	var counts [256]int
	for i := range len(s) {
		counts[s[i]]++
	}
	sum := 0.0
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(len(s))
			sum -= p * math.Log2(p)
		}
	}
	return sum
}
