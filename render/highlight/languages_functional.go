package highlight

// functional are languages that come from lisp or from ML.
var functional = []language{
	{
		names: "haskell hs purescript purs elm", line: "--", block: "{- -}", nested: true, inner: "'", quotes: []quote{double, character},
		keywords: `as case class data default deriving do else family forall foreign hiding if import in infix infixl infixr
			instance let module newtype of otherwise pattern qualified then type where Bool Char Double Either False Float Int
			Integer IO Just Left Maybe Nothing Right String True`,
	},
	{
		names: "ocaml ml mli reasonml sml", block: "(* *)", nested: true, inner: "'", quotes: []quote{doubleOpen, character},
		keywords: `and as assert begin class constraint do done downto else end exception external false for fun function functor
			if in include inherit initializer lazy let match method module mutable new object of open or private rec sig
			struct then to true try type val virtual when while with bool char float int list option string unit`,
	},
	{
		names: "f# fsharp fs fsx fsi", line: slashes, block: "(* *)", nested: true, inner: "'", quotes: []quote{threeTimes, doubleOpen, character},
		keywords: `abstract and as assert async base begin class default do done downto elif else end exception extern false finally
			for fun function if in inherit inline interface internal lazy let match member module mutable namespace new null
			of open or override private public rec return sig static struct then to true try type use val when while with
			yield bool char float int list option seq string unit`,
	},
	{
		names: "clojure clj cljs cljc edn", line: ";", calls: behindParenthesis, letters: "+-*/<>=!?&%", inner: ".'#", sigils: ":", skip: '\\',
		quotes: []quote{doubleOpen},
		keywords: `and as-> binding case catch comment cond cond-> cond->> condp declare def defmacro defmethod defmulti defn defn-
			defonce defprotocol defrecord deftest deftype do doall doseq dosync dotimes false finally fn for if if-let if-not
			import let letfn loop new nil ns or quote recur require set! some-> throw true try use var when when-let when-not
			while -> ->>`,
	},
	{
		names: "lisp common-lisp commonlisp cl elisp emacs-lisp emacslisp el scheme scm racket rkt fennel fnl",
		line:  ";", block: "#| |#", nested: true, calls: behindParenthesis, letters: "+-*/<>=!?&%", inner: ".:#", sigils: ":", skip: '\\',
		quotes: []quote{doubleOpen},
		keywords: `and begin call/cc case cond condition-case declare define define-record-type define-syntax defclass defconst
			defcustom defgeneric define-macro defmacro defmethod defpackage defparameter defstruct defun defvar do dolist
			dotimes else eval-when flet if in-package interactive labels lambda let let* letrec loop match module nil not or
			progn prog1 provide quote require save-excursion set! setf setq syntax-rules t unless when while with-open-file`,
	},
	{
		names: "nix", line: "#", block: starred, inner: "-'", quotes: []quote{holed(doubleOpen, "${"), {open: "''", reach: toTheEnd, hole: "${"}},
		keywords: `assert builtins else false if import in inherit let map null or rec then throw toString true with`,
	},
}
