package mask

import (
	"encoding/base64"
	"slices"
	"strings"
	"unicode"

	"yore/sessions/lazy"
)

// frame is a shape in which only the place tells a credential, which is the
// expression's last group that matches; what stands there has to look like one, too.
type frame struct {
	kind     string
	keywords []string // each such place has one of them, or the text another such place that has
	also     string   // and this
	form     func() *pattern
	looks    func(value string) bool
}

// in is a frame of one kind; "|" stands between its keywords, which are looked for in
// capitals as well where the expression is for both.
func in(kind, keywords, form string, looks func(string) bool) frame {
	f := frame{kind: kind, keywords: strings.Split(keywords, "|"), form: searched(form), looks: looks}
	if strings.HasPrefix(form, "(?i)") {
		f.keywords = append(f.keywords, strings.Split(strings.ToUpper(keywords), "|")...)
	}
	return f
}

// ran is the frame of a password on a command line: the programs that take it so, what
// the flag before it begins with, the flag, and who it is of where that stands before it.
func ran(keywords, programs, dash, flag, who string, looks func(string) bool) frame {
	f := in("password", keywords, `\b(?:`+programs+`)(?:\s(?:[^\n]|\\\n)*?)?\s["']?(?:`+flag+`)`+
		`(?:"`+who+`([^"\n]{3,})"|'`+who+`([^'\n]{3,})'|`+who+`([^\s"'`+"`"+`]{3,}))`, looks)
	f.also = dash
	return f
}

// user is who a password is of, with the sign that stands between.
const user = `[^\s:"']+:`

// keyOf are the words before "key" that make the two a credential's name, of those that
// people write as two words. What signs is not among them: people write its fingerprint.
const keyOf = `api|access|secret|private|account|auth|encryption|client|service|shared|master|admin|app`

// What sets a variable without a sign has the keywords of settings; setting is its
// beginning, to within the name, set what stands between that and the value.
const (
	settings = "ENV |setenv |setx |set -|ecret set|ecrets set|onfig set"
	setting  = `\b(?:(?:ENV|setenv|setx|secrets?\s+set|config\s+set)\s+(?:-{1,2}[\w-]+\s+)*|set\s+(?:-{1,2}[\w-]+\s+)+)[\w.:/@-]*`
	set      = `\s+(?:(?:--body|-b|--value)[ =])?["']?`
)

// frames are those of addresses, headers, files of credentials, and commands.
var frames = []frame{
	in("password", `://|:\/\/`, `\b[A-Za-z][A-Za-z0-9+.-]*:\\?/\\?/[^\s/:@'"<>`+"`"+`]*:([^\s/'"<>`+"`"+`]{3,})@`, userinfo),
	in("password", `://|:\/\/`, `\b[A-Za-z][A-Za-z0-9+.-]*:\\?/\\?/[^\s/:@'"<>`+"`"+`]+:([^\s'"<>`+"`"+`]+)@`, userinfo), // with "/"
	in("credential", `://|:\/\/`, `\bhttps?:\\?/\\?/([A-Za-z0-9_-]{20,})@`, bare),
	in("credential", "uthorization", `(?i)authorization[\\"'`+"`"+`*\]]*(?:[ \t]*(?:=>|[:=,])|[ \t]+["'])[\\"'`+"`"+`* \t]*(?:bearer|basic|token|digest|negotiate|ntlm|oauth|hawk|bot|jwt|key|api-?key|[a-z]+-?key)[ \t]+([A-Za-z0-9._~+/=:|-]{12,})`, header),
	in("credential", "uthorization", `(?i)authorization[\\"'`+"`"+`*\]]*(?:[ \t]*(?:=>|[:=,])|[ \t]+["'])[\\"'`+"`"+`* \t]*(?:[a-z][a-z0-9-]*[ \t]+)?([A-Za-z0-9._~+/=:|-]{16,})`, unnamed),
	in("credential", "earer ", `\b[Bb]earer ([A-Za-z0-9._~+/=-]{16,})`, header),
	in("signature", "ignature=|sig=|Sig=|response=|Response=|mac=|Mac=", `(?i)\b(?:[a-z-]*signature|sig|response|mac)=["']?([0-9a-f]{32,}|[A-Za-z0-9+/%_-]{40,}={0,2})`, mixed),
	in("credential", `auth:|auth=|auth"|auth'|auth\|auth |auth`+"\t|auth\n", `\b_?auth[\\"']*\s*[:=]\s*[\\"']*([A-Za-z0-9+/]{8,}={0,2})`, login), // of Docker and npm
	in("password", "machine", `\bmachine\s+\S+\s+(?:(?:login|account)\s+\S+\s+){1,2}password\s+["']?([^\s"']{3,})`, chosen),                      // of a .netrc
	in("password", "password", `\b(?:machine\s+\S+|default\s+login\s+\S+)\s+password\s+["']?([^\s"']{3,})`, passwordLike),
	in("password", ":543|:6432:", `(?m)^[A-Za-z0-9.*-]+:(?:5432|5433|6432):[^\s:]+:[^\s:]+:(\S{4,})$`, chosen), // of a .pgpass
	in("password", "assword>|asswd>|ecret>|oken>|ey>", `(?i)<(?:[a-z]\w*:)?[\w.-]*(?:password|passwd|secret|token|api_?key)>([^<\s]{6,})</`, passwordLike),
	in("password", "assword\"|ecret\"|oken\"|ey\"", `(?i)<add\s+(?:key|name)="[\w.:-]*(?:password|passwd|secret|token|api_?key)"\s+value="([^"]{6,})"`, passwordLike), // of .NET
	in("credential", "configure set", `\bset\s+[\w.-]*(?:secret_access_key|session_token|password)\s+["']?([^\s"']{6,})`, header),
	in("credential", "alue:|alue\":|alue':", `(?i)\bname["']?:\s*["']?[\w.-]*(?:password|passwd|secret|token|key)["']?,?\s+["']?value["']?:\s*["']?([^\s"']{6,})`, header), // of a container's environment
	in("password", "assword '|dentified", `(?i)\b(?:password|identified\s+(?:with\s+\S+\s+)?by)\s+'([^'\n]{4,})'`, passwordLike),                                           // of SQL
	in("password", "assword", `(?i)\bpassword[\\"'`+"`"+`*]*\s+(?:is|was)\s+[\\"'`+"`"+`*]*([^\s"'`+"`"+`*]{6,})`, spoken),
	in("password", "--password-stdin", `\becho\s+(?:-n\s+)?["']?([^"'\n|]{4,}?)["']?\s*\|[^\n]*--password-stdin`, chosen),
	in("password", "jdbc:oracle", `jdbc:oracle:\w+:[^\s/@]+/([^\s/@]{3,})@`, chosen),
	in("cookies", "ookie", `(?i)\bcookie["']?:[ \t]*["']?([^\n"'`+"`"+`]{16,})`, cookies),
	in("password", "pass:", `\s-(?:passin|passout|pass)\s+["']?pass:([^\s"']{3,})`, chosen),
	in("Discord token", "MT|Mj|Mz|ND|NT|Nj|Nz|OD|OT", `\b((?:M[Tjz]|N[DTjz]|O[DT])[A-Za-z0-9]{20,28}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,})`, chosen),
	in("password", "asswort|ennwort|ontraseña|enha:|enha=|ot de passe|achtwoord|asło|ароль|密码|密碼|パスワード|비밀번호",
		`(?i)(?:passwort|kennwort|contraseña|senha|mot de passe|wachtwoord|hasło|пароль|密码|密碼|パスワード|비밀번호)["'`+"`"+`*]*\s*(?:[:=：]|是|は)\s*["'`+"`"+`*「“]*([!#-&(-\[\]-_a-~]{6,})`, passwordLike),
	in("credential", "ey is|ey was|ey** is|oken is|oken was|ecret is|ecret was", `(?i)\b(?:(?:`+keyOf+`)[ _-]?key|token|secret)[\\"'`+"`"+`*]*\s+(?:is|was)\s+[\\"'`+"`"+`*]*([A-Za-z0-9+/_-]{16,}={0,2})`, unnamed),
	in("credential", `ey",|ey',|ecret",|ecret',|oken",|oken',`, `(?i)["'][\w.-]*(?:(?:`+keyOf+`)[_-]?key|secret|token)["'],\s*["']([A-Za-z0-9._~+/=-]{16,})["']`, unnamed), // set("X-Api-Key", …)
	in("password", `assword",|assword',`, `(?i)(?:env|set|put|add|property|header)\w*\(\s*["'][\w.-]*password["'],\s*["']([^"'\s]{6,})["']`, header),
	in("credential", settings, setting+`(?i:password|passwd|secret|token)`+set+`([^\s"']{6,})`, header),
	in("credential", settings, setting+`(?i:`+keyOf+`)[_-]?(?i:key)`+set+`([^\s"']{16,})`, unnamed),
	in("password", `pass:|pass":|pass':|pw:|pw":|pw':`, `(?i)\b(?:user|username|login|email)["']?\s*:\s*["'][^"'\n]*["'],\s*["']?(?:pass|pw)["']?\s*:\s*["']([^"'\n]{3,})["']`, chosen),
	in("password", "PASS=", `(?m)(?:^|export\s+|-e\s+|--env[ =])PASS=["']?([^\s"'\\]{6,})`, passwordLike),
	in("password", "requirepass|masterauth", `(?m)(?:^[ \t]*|[+:"'\x60-]|\bset\s+)(?:requirepass|masterauth)\s+["']?([^\s"']{4,})`, passwordLike),
	in("password", "@tcp(|@unix(", `[^\s:@"'/`+"`"+`]+:([^\s"'`+"`"+`]+)@(?:tcp|unix)\(`, userinfo), // of MySQL's drivers
	in("password", "chpasswd", `\becho\s+(?:-\w+\s+)?["']?[A-Za-z_][\w.-]*:([^\s"'|]{3,})["']?\s*\|\s*(?:sudo\s+)?chpasswd`, chosen),
	in("password", "SecureString", `\bConvertTo-SecureString\s+(?:-String\s+)?["']([^"'\n]{3,})["']`, chosen),
	in("password", "storepass|keypass", `\s-(?:src|dest|new)?(?:store|key)pass\s+["']?([^\s"']{4,})`, chosen), // of Java's key stores
	in("password", "nmcli", `\bnmcli\s[^\n]*?\spassword\s+["']?([^\s"']{6,})`, passwordLike),
	in("password", "net user", `\bnet\s+user\s+\S+\s+["']?([^\s"'/]{4,})["']?\s+/add\b`, ofOne),
	in("password", "rabbitmqctl", `\brabbitmqctl\s+(?:add_user|change_password)\s+\S+\s+["']?([^\s"']{4,})`, chosen),
	in("credential", "otpauth://", `\botpauth://\S*?[?&]secret=([A-Za-z2-7]{10,})`, chosen),
	in("credential", `variable "`, `\bvariable\s+"[\w-]*(?:password|secret|token)"\s*\{[^{}]*?\bdefault\s*=\s*"([^"\n]{6,})"`, header), // of Terraform
	in("credential", `variable "`, `\bvariable\s+"[\w-]*(?:`+keyOf+`)_?key"\s*\{[^{}]*?\bdefault\s*=\s*"([^"\n]{16,})"`, unnamed),
	in("credential", "wandb login", `\bwandb\s+login\s+(?:--\S+\s+)*([A-Za-z0-9_-]{32,})`, unnamed),
	ran("curl", `curl`, "-", `(?:-[a-zA-Z]*[uU]|--user|--proxy-user)[ =]*`, user, passwordLike),
	ran(" -a| --auth", `https?|xhs?`, "-", `(?:-a|--auth)[ =]?`, user, passwordLike),
	ran("mysql", `mysql\w*`, "-p", `(?:-u\s*|--user[= ])\S+(?:\s[^\n]*?)?\s["']?-p`, "", chosen),
	ran("mysql", `mysql\w*`, "-p", `-p`, "", passwordLike),
	ran("mariadb", `mariadb[\w-]*`, "-p", `-p`, "", passwordLike),
	ran("sshpass", `sshpass`, "-p", `-p\s*`, "", chosen),
	ran("login", `docker|podman|nerdctl|buildah|skopeo|helm|oras|crane|oc|argocd|az|cf`, "-p", `login(?:\s[^\n]*?)?\s-p[ =]`, "", portless),
	ran("creds", `skopeo|podman|buildah|docker`, "--", `--(?:src-|dest-)?creds[ =]`, user, chosen),
	ran("redis-cli", `redis-cli`, "-a", `-a[ =]`, "", chosen),
	ran("mongo", `mongo\w*`, "-p", `-p[ =]?`, "", passwordLike),
	ran("ldap", `ldap[a-z]+`, "-w", `-w\s+`, "", chosen),
	ran("sqlcmd", `sqlcmd`, "-P", `-P\s*`, "", chosen),
	ran("mosquitto_", `mosquitto_\w+`, "-P", `-P\s*`, "", chosen), //nolint:misspell // the program's name
	ran("twine", `twine`, "-p", `-p\s*`, "", passwordLike),
	ran("zip", `zip|unzip`, "-P", `-P\s*`, "", chosen),
	ran("7z", `7za?`, "-p", `-p`, "", passwordLike),
	ran("smbclient", `smbclient`, "-U", `-U\s*`, `[^\s%"']+%`, chosen),
}

// framedIn are the credentials that their place tells.
func framedIn(text string, there *pairs) []replacement {
	var all []replacement
	for i := range frames {
		f := &frames[i]
		for _, keyword := range f.keywords {
			if !there.holds(text, keyword) || !there.holds(text, f.also) {
				continue
			}
			p := f.form()
			p.each(text, keyword, func(m []int) {
				if from, to := lastGroup(m); f.looks(text[from:to]) {
					all = append(all, replacement{from, to, f.kind})
				}
			})
			if !p.field {
				break // all of the text was looked at
			}
		}
	}
	return all
}

// lastGroup is where the last group stands that a match has; the frames' have one.
func lastGroup(m []int) (from, to int) {
	g := len(m) - 2
	for m[g] < 0 {
		g -= 2
	}
	return m[g], m[g+1]
}

// prose are words that stand behind a flag where a sentence is about it.
var prose = []string{
	"and", "are", "argument", "because", "can", "does", "flag", "flags", "for", "from", "has", "instead", "interactively", "option", "options",
	"parameter", "switch", "takes", "that", "the", "then", "when", "where", "which", "with", "without",
}

// chosen tells whether a value that its place tells is one, and nothing in its stead.
func chosen(value string) bool {
	return !placeholder(value) && !slices.Contains(prose, strings.TrimRight(until(value, `\`), ".,;:)`"))
}

// portless tells the same where a port may stand in the place.
func portless(value string) bool { return chosen(value) && !portOnly().MatchString(value) }

// passwordLike tells the same where something else may stand in the place, too.
func passwordLike(value string) bool {
	return len(value) >= 3 && chosen(value) && passwordish(value) && !path().MatchString(value)
}

// ofOne tells the same where a sample of a command has what it calls a value, with a number.
func ofOne(value string) bool {
	return chosen(value) && !slices.Contains(said, strings.TrimRight(strings.ToLower(value), "0123456789"))
}

// spoken tells whether what somebody says a password is, is one.
func spoken(value string) bool {
	value = strings.TrimRight(value, ".,;:!?)")
	return passwordLike(value) && mixed(value) && strings.ContainsAny(value, "!@#$%^&*+=~?")
}

// cookie is one that tells who somebody is.
var cookie = lazy.Regexp(`=([A-Za-z0-9%._~+/-]{16,})`)

// cookies tells whether one of several does.
func cookies(value string) bool {
	return slices.ContainsFunc(cookie().FindAllStringSubmatch(value, -1), func(m []string) bool { return header(m[1]) && entropy(m[1]) >= leastEntropy })
}

// port and release are what else stands behind ":" in an address; portOnly is nothing but a
// port.
var (
	port     = lazy.Regexp(`^(?:\d{2,5}(?:\W|$)|[/\\])`)
	portOnly = lazy.Regexp(`^\d{1,5}$`)
	release  = lazy.Regexp(`^v?\d+(?:\.\d+)+(?:-[a-z0-9.]+)?$`)
)

// userinfo tells whether what stands before "@" in an address is a password.
func userinfo(value string) bool {
	return chosen(value) && !strings.Contains(value, "[^") /* it is an expression */ && !release().MatchString(value) && (!port().MatchString(value) || !strings.ContainsAny(value, `/\?`))
}

// hexadecimal is what hashes and addresses are made of.
var hexadecimal = lazy.Regexp(`^(?:0[xX])?[0-9a-fA-F]+$`)

// bare tells whether a name before "@" is a token.
func bare(value string) bool {
	return random(value) || len(value) >= 32 && hexadecimal().MatchString(value)
}

// header tells whether what follows a scheme of authorization is a credential.
func header(value string) bool {
	return chosen(value) && mixed(value) && !identifier().MatchString(value)
}

// unnamed tells the same where the scheme is missing, or not known.
func unnamed(value string) bool {
	return header(value) && !path().MatchString(value) && (random(value) || bare(strings.TrimRight(value, "=")))
}

// login tells whether a value is a name and a password in base64.
func login(value string) bool {
	said, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(value, "="))
	return err == nil && slices.Contains(said, ':') && !strings.ContainsFunc(string(said), func(r rune) bool { return !unicode.IsPrint(r) })
}
