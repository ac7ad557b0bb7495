package highlight

import (
	"strings"
	"testing"
)

// letters stand for the kinds in the tests' notation: "«k func» «f main»()".
const letters = ".ksncfh+-t"

// annotated is code with its spans marked.
func annotated(language, code string) string {
	var b strings.Builder
	at := 0
	for _, s := range Spans(language, code) {
		b.WriteString(code[at:s.Start] + "«" + letters[s.Kind:s.Kind+1] + " " + code[s.Start:s.End] + "»")
		at = s.End
	}
	return b.String() + code[at:]
}

// unmarked is the code of what a test writes down with its spans.
func unmarked(want string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(want, "«")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		inner, after, _ := strings.Cut(rest, "»")
		b.WriteString(inner[len("k "):])
		want = after
	}
}

// samples are pieces of code with all spans that they have, and so also with those that
// look-alikes must not make.
var samples = []struct{ language, name, want string }{
	{"go", "function", "«k package» main\n\n«k func» «f main»() {\n\tx := «s \"a # b // c \\\" d\"» + «s `raw»\n«s \\`» «c // it's done»\n}"},
	{"go", "unclosed string ends with its line", "x := «s \"open»\n«k return» «n 0x1F» + «n 1_000.5e-3»"},
	{"go", "unclosed comment runs on", "a «c /* b»\n«c c \"d\"»"},
	{"go", "method named like a keyword", "x.«f range»(y) + x.type + z[«n 1»:«n 2»] + «s 'a'» + «s '\\''»"},
	{"python", "docstring", "«k def» «f f»(«k self»):\n    «s \"\"\"It's \"so\".»\n\n«s     # no comment»\n«s     \"\"\"»\n    «k return» f«s \"{x}\"» «c # why»\n"},
	{"python", "decorator and slice", "@cache\n«k class» A: x = a[«n 1»:-«n 1»]"},
	{"javascript", "regexp is plain", "«k const» re = /[\"'`]\\/*x/g, u = «s 'http://x'»; «c // a»\nx = a / b / «n 2»; «k return» «f f»(/\"/)"},
	{"ts", "template", "«k let» s: «k string» = «s `a ${»b«s }»\n«s // c`»; $el.«f on»(«s \"x\"»)"},
	{"ts", "templates in templates", "x = «s `a ${»f ? «s `b ${»{ c: «s '}'» }«s }`» : «s \"`\"»«s } d`»; «c // e»"},
	{"js", "regexps behind keywords and arrows", "«k return» /it's/; x => /it's/; «k case» /[/']/: x.of / y; a / «s 'b'» / c"},
	{"jsx", "text between elements", "<p a=«s 'b'»>Don't, it's</p>; f«s `x`»"},
	{"rust", "lifetimes and raw strings", "«k fn» f<'a>(x: &'a «k str») -> «k char» { «f println!»(«s r#\"a\"b\"#», «s '\\u{1F600}'»); «s 'x'» } «c /* a /* b */ c */» y"},
	{"c", "decrement is no comment", "«k #include» <stdio.h>\n«k int» «f main»(«k void») { i--; a = b --> «n 0»; «k return» «s '\\0'»; } «c /* # */»"},
	{"c++", "separators and raw strings", "«k auto» n = «n 1'000'000»; «k auto» s = «s R\"x(a)\"b)x\"»; std::«f move»(n);"},
	{"c#", "verbatim", "«k #region» x\n«k var» p = «s @\"C:\\dir\\»\n«s \"»; «f F»($«s \"{a}\"»);"},
	{"java", "text block", "«k public» «k String» s = «s \"\"\"»\n«s   \"a\" // b»\n«s   \"\"\"»; c = «s '\"'»;"},
	{"kotlin", "names in backticks", "«k fun» `it's so`() = «f println»(«s \"$x\"») «c // a»"},
	{"swift", "raw string", "«k let» s = «s #\"a \"b\" \\c\"#»; «k guard» x > «n 0.5» «k else» { «k return» }"},
	{"swift", "expressions in strings", "«k let» s = «s \"a \\(»f[«s \"b\"»] + (c)«s ) d\"»"},
	{"kotlin", "expressions that are not closed", "x = «s \"a ${»b\n} «k else» { y = «s \"d\"» }"},
	{"scala", "symbols", "«k def» «f f»(x: «k Int») = 'sym -> «s 'c'» -> «s \"\"\"a \"b\" \"\"\"»"},
	{"groovy", "slashy", "«k def» x = «s 'a'» «c // b»"},
	{"dart", "raw", "«k var» s = «s r'a\\'»; «k final» t = «s 'it\\'s'»;"},
	{"zig", "lines", "«k const» s =\n    «s \\\\a \"b»\n    «s \\\\c»\n; «f @import»(«s \"std\"»);"},
	{"php", "variables are no keywords", "<?php $if = $x->«f if»($class);"},
	{"php", "attributes and heredocs", "#[Attr]\n«k class» A { «k function» «f f»($class) { $x = <<<EOS\n«s  it's $y»\nEOS;\n«k return» «s 'a'»; } } «c # c»"},
	{"solidity", "contract", "«k contract» A { «k uint256» «k public» n; } «c // x»"},
	{"d", "comments", "«k import» a; «c /+ b +/» «k void» «f main»() {}"},
	{"objc", "directives", "«k #import» <A.h>\n«k @interface» A : B\n[a b:@«s \"c\"»];\n«k @end»"},
	{"glsl", "shader", "«k uniform» «k vec3» c; «k void» «f main»() { x = «n 1.0»; }"},
	{"protobuf", "message", "«k message» A { «k string» b = «n 1»; «c // c»\n}"},
	{"graphql", "query", "«k query» Q($id: «k ID»!) { a(b: $type) «c # c»\n}"},
	{"hcl", "heredoc", "«k resource» «s \"a\"» «s \"b\"» {\n  x = <<-EOT\n«s    # it's»\n  EOT\n  «c # c»\n  y = «f file»(«s \"z\"»)\n}"},
	{"nginx", "location", "«k server» {\n  «k listen» «n 80»; «c # a»\n  «k proxy_pass» http://b/#c;\n}"},
	{"ruby", "symbols, heredocs, sections", "«c =begin»\n«c it's»\n«c =end»\n«k def» empty?\n  x = <<~SQL\n«s     select 'a»\n  SQL\n  y << :if; @end = «s \"#{»a«s }\"»; z =~ /'#/ «c # b»\n«k end»"},
	{"crystal", "symbols", "«k def» empty?\n  :if «c # it's»\n«k end»"},
	{"perl", "variables", "«k my» $x = $#list; «k print» «s \"a\"» «c # it's»\n$y =~ /'/;\n«c =pod»\n«c it's»\n«c =cut»\n«k sub» f {}"},
	{"lua", "long brackets", "«k local» s = «s [==[a ]] b]==]» «c --[[ c»\n«c d ]]» «f f»(t[a[«n 1»]]) «c -- e»"},
	{"r", "names with dots", "x <- «f is.na»(y) «c # it's»\n«k if» (x == «s 'a'») «k NULL»"},
	{"julia", "transpose", "«k function» «f push!»(A)\n  A' * B' «c #= a #= b =# c =#»\n«k end»"},
	{"haskell", "primes", "f' :: «k Int» -> «k String»\nf' x = g' x 'a «c -- it's {- »\n«c {- a {- b -} c -}» «s 'c'» \\x -> «k let» y = «n 1» «k in» y"},
	{"elixir", "atoms", "«k def» «f empty?»(x) «k do»\n  {:end, @doc, «s \"\"\"»\n«s  # a»\n«s \"\"\"»} |> Enum.«f map»(&f/«n 1») «c # b»\n«k end»"},
	{"erlang", "characters", "-«k module»(a).\n«f f»(X) -> [$\", $a, 'it is', «s \"b\"»]. «c % it's»"},
	{"clojure", "characters", "(«k defn» f [x] («f str» \\\" «s \"a ; b\"» :if) «c ; it's»\n)"},
	{"scheme", "nested", "(«k define» («f f» x) «c #| a #| b |# c |#» ('quoted («f +» x «n 1»)))"},
	{"ocaml", "primes", "«k let» f' x' = (g x') «c (* it's (* a *) b *)» «k in» «s 'c'»"},
	{"fsharp", "primes", "«k let» f x' = «s \"a\"» «c // b»"},
	{"nim", "comments", "«k proc» «f f»(x: «k int») = «c #[ a #[ b ]# ]#» echo"},
	{"nix", "indented strings", "{ a = «s ''»\n«s   it's # so»\n«s ''»; b-c = «s \"d\"»; } «c # e»"},
	{"sql", "quotes double", "«k SELECT» «f count»(*), \"from\" «k from» t «k where» a = «s 'it'»«s 's'» «c -- b»\n«k and» c = «n 1»"},
	{"sql", "strings with escapes", "«k select» «s E'it\\'s'», e «c -- it's»"},
	{"powershell", "commands", "«f Get-ChildItem» -Path «s \"a`\"b\"» | «k ForEach» { $foreach } «c # c»\n«c <# d»\n«c #>»"},
	{"batch", "remarks", "«c rem it's»\n«k IF» «k EXIST» a «k ECHO» «s \"b\"»\n«c :: c»\nremark"},
	{"vim", "comments", "«c \" it's»\n«k let» g:x = «s 'a'»"},
	{"vb", "comments", "«k Dim» x «k As» «k String» = «s \"a\"» «c ' b»"},
	{"pascal", "comments", "«k Begin» «f WriteLn»(«s 'it'»«s 's'») «c { a }» «k End»."},
	{"fortran", "comments", "«k program» a «c ! it's»"},
	{"matlab", "transpose", "x = A' * B'; «c % it's»"},

	{"bash", "commands", "«f git» log --oneline | «f head» -n «n 3» «c # it's»\n«k if» [ -f a ]; «k then» «f echo» if «s \"$x b\"»; «k fi»\nFOO=«s \"a b\"» «f ./run» > out 2>&1 && «f curl» https://x/#y//z"},
	{"sh", "here-documents", "«f cat» <<'EOF' > f.txt\n«s it's # $x»\n«s $(»\nEOF\n«f echo» $((«n 1» << a)) ${x#y} <<< b"},
	{"bash", "commands in strings", "x=«s \"$(»«f grep» «s \"it's # $1\"» («f f»)«s ) $(»«f ls»«s )\"» y; «f echo» «s $'it\\'s'» «c # c»\na=(b «s \"c\"») && «f d»"},
	{"zsh", "cases and loops", "«k for» x «k in» a b; «k do» «k case» $x «k in»\n  a) «f run» a ;;\n«k esac»\n«k done»\n«f f»() { «f sudo» «f rm» x; }"},
	{"bash", "prompts", "$ «f ls» -l\ntotal if then\n$ «k exit»"},
	{"console", "prompts with hosts", "me@host:~/x$ «f make» all\nmake: it's done # no\n"},
	{"makefile", "rules", "«t CC» := gcc «c # it's»\n«f .PHONY»: all\n«f all»: a.o b.o\n\t@«f gcc» -o $@ $^\n«k ifeq» ($(A),b)\n"},
	{"dockerfile", "instructions", "«c # it's»\n«k FROM» a:«n 1.2» AS b\n«k RUN» apt-get update && \\\n    echo «s \"RUN\"»\n"},
	{"cmake", "commands", "«k if»(A «k STREQUAL» «s \"b\"») «c # it's»\n  «f add_library»(x «k PRIVATE» y)\n«k endif»()"},
	{"diff", "lines", "«h diff --git a/x b/x»\n«h --- a/x»\n«h +++ b/x»\n«h @@ -1 +1 @@ f()»\n«- -old»\n«+ +new»\n same"},
	{"diff", "comments look like names of files", "«h --- a»\n«h +++ b»\n«- --- old»\n same\n«+ +++ new»\n«h *** c»\n«h --- d»\n same"},
	{"json", "keys", "{«t \"a\"»: «s \"b\"», «t \"c\"» : [«n 1.5e3», -«n 2», «k null»]}"},
	{"yaml", "keys and texts", "«t a»: b «c # it's»\n«t \"c d\"»: «s 'e: f'»\n- «t url»: http://x/#y\n  «t n»: «n -1.5»\n«t run»: |\n  «s if: it's # so»\n\n  «s echo»\n«t z»: {«t q»: «k true», r} it's"},
	{"yaml", "keys beside texts", "- «t run»: |\n    «s a: b»\n  «t env»: c\n- - >-\n    «s d»\n  - e"},
	{"toml", "sections", "«h [a.b]» «c # it's»\n«t c-d» = «s \"e # f\"»\n«t g» = [\n  [«n 1», «n 2»],\n]\n«t h» = { «t i» = «s '''j»\n«s k'''», «t l» = «k true» }"},
	{"ini", "sections", "«c ; it's»\n«h [a b]»\n«t key» = it's # so\n«t on» = «k true»"},
	{"html", "elements", "«c <!-- it's»\n«c <b> -->»\n<«t p» class=«s \"a > b\"» hidden>it's a < b</«t p»><![CDATA[<b>]]><«t br»/>"},
	{"html", "scripts and styles", "<«t script»>«k if» (a < b) «s '</p>'»</«t script»><«t style»>a { «t color»: «n #fff» }</«t style»>"},
	{"css", "rules", "«k @media» (x) {\n  a:hover, #id { «t color»: «f rgb»(«n 1», «n 2»); «t --margin»: -«n 1px» «k !important»; } «c /* it's */»\n}"},
	{"scss", "comments", "a { «t b»: «f url»(http://x); «c // it's»\n}"},
	{"tex", "commands", "«k \\section»{a \\% b} «s $x_1$» «c % it's»"},
	{"markdown", "blocks", "«h # A `b`»\n«k -» c «s `d`» it's `\n«k 12.» e\n#f\n«c ```go»\n«s # g»\n«c ```»\n"},
}

// TestLanguages also holds that every language of the tables is tried.
func TestLanguages(t *testing.T) {
	tried := map[*entry]bool{}
	for _, c := range samples {
		tried[known()[c.language]] = true
		t.Run(c.language+"/"+c.name, func(t *testing.T) {
			if got := annotated(c.language, unmarked(c.want)); got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
	for name, e := range known() {
		if !tried[e] {
			t.Errorf("%s has no sample", name)
		}
	}
}

func TestNamesOfLanguages(t *testing.T) {
	for info, is := range map[string]bool{
		"go": true, "Go": true, "C++": true, "python title=x": true, "{.ruby}": true, "js,linenos": true, "language-rust": true,
		"": false, "text": false, "log": false, "gopher": false, strings.Repeat("go", 1<<20): false,
	} {
		if Known(info) != is || (Spans(info, "\"s\" 1 return if (f(x)) 'y'") != nil) != is {
			t.Errorf("%.20q is known: %v, want %v", info, Known(info), is)
		}
	}
}
