package highlight

// scripted are languages whose blocks are told by words or by how far lines are indented.
var scripted = []language{
	{
		names: "python py python3 py3 pyi ipython starlark bazel bzl", line: "#", calls: beforeParenthesis,
		quotes: []quote{threeTimes, threeMarks, double, single},
		keywords: `and as assert async await break class continue def del elif else except False finally for from global if
			import in is lambda None nonlocal not or pass raise return True try while with yield self cls bool bytes dict
			float frozenset int list object set str tuple`,
	},
	{
		names: "ruby rb rake gemfile rakefile podfile", line: "#", spaced: true, sections: "=begin =end", calls: beforeParenthesis,
		quotes: []quote{holed(doubleOpen, "#{"), singleOpen, {open: "`", escape: '\\', hole: "#{"}}, heredoc: "<<", inner: "?!", sigils: ":@$", regexp: true,
		keywords: `alias and begin BEGIN break case class def defined? do else elsif end END ensure false for if in module next
			nil not or redo rescue retry return self super then true undef unless until when while yield attr_accessor
			attr_reader attr_writer extend include lambda loop private proc protected public raise require require_relative`,
	},
	{
		names: "crystal cr", line: "#", spaced: true, calls: beforeParenthesis,
		quotes: []quote{holed(doubleOpen, "#{"), character}, inner: "?!", sigils: ":@$",
		keywords: `abstract alias as begin break case class def do else elsif end ensure enum extend false for fun if in include
			lib loop macro module next nil of out private property protected raise require rescue return self struct super
			then true type union unless until when while with yield`,
	},
	{
		names: "perl pl pm raku", line: "#", spaced: true, calls: beforeParenthesis, sections: "=pod =cut =head =cut =over =cut =item =cut =begin =cut =for =cut",
		quotes: []quote{doubleOpen, singleOpen}, heredoc: "<<", sigils: "$@", skip: '$', regexp: true,
		keywords: `and bless chomp cmp continue defined delete die do each else elsif eq eval exists for foreach ge given gt if
			keys last le local lt map my ne next no not or our package print printf push qw redo ref require return say
			scalar shift sort sub tr undef unless until use values wantarray warn when while xor`,
	},
	{
		names: "lua luau", line: "--", block: "--[[ ]] --[=[ ]=] --[==[ ]==]", first: "#!", calls: beforeParenthesis,
		quotes: []quote{double, single}, raw: longBracket,
		keywords: `and break do else elseif end false for function goto if in local nil not or repeat return self then true until
			while`,
	},
	{
		names: "r rscript rlang", line: "#", calls: beforeParenthesis, letters: ".", quotes: []quote{doubleOpen, singleOpen, {open: "`", name: true}},
		keywords: `break else FALSE for function if in Inf NA NA_character_ NA_integer_ NA_real_ NaN next NULL repeat return TRUE
			while library require`,
	},
	{
		names: "julia jl", line: "#", block: "#= =#", nested: true, calls: orBang, inner: "!",
		quotes: []quote{holed(threeTimes, "$("), holed(doubleOpen, "$("), {open: "```", reach: toTheEnd}, {open: "`"}, character},
		keywords: `abstract baremodule begin break catch const continue do else elseif end export false finally for function
			global if import in isa let local macro missing module mutable nothing primitive quote return struct true try
			type using where while Any Bool Char Float32 Float64 Int Int32 Int64 Nothing Number String Vector`,
	},
	{
		names: "elixir ex exs heex", line: "#", spaced: true, calls: beforeParenthesis, inner: "?!", sigils: ":@",
		quotes: []quote{holed(threeTimes, "#{"), threeMarks, holed(doubleOpen, "#{"), single},
		keywords: `after alias and case catch cond def defdelegate defexception defguard defimpl defmacro defmacrop defmodule defp
			defprotocol defstruct do else end false fn for if import in nil not or quote raise receive require rescue reraise
			super throw true try unless unquote use when with`,
	},
	{
		names: "erlang erl hrl", line: "%", calls: beforeParenthesis, sigils: "?", skip: '$', inner: "@",
		quotes: []quote{doubleOpen, {open: `'`, escape: '\\', name: true}},
		keywords: `after and andalso begin bnot bor bsl bsr bxor case catch div else end false fun if let maybe not of or orelse
			receive rem true try undefined when xor module export import record define include behaviour spec type opaque`,
	},
	{
		names: "nim", line: "#", block: "#[ ]#", nested: true, calls: beforeParenthesis,
		quotes: []quote{{open: `"""`, reach: toTheEnd}, double, character},
		keywords: `addr and as asm bind block break case cast concept const continue converter defer discard distinct div do elif
			else end enum except export finally for from func if import in include interface is isnot iterator let macro
			method mixin mod nil not notin object of or out proc ptr raise ref result return shl shr static template true
			false try tuple type using var when while xor yield bool char float int seq string`,
	},
	{
		names: "powershell ps1 pwsh posh psm1", line: "#", block: "<# #>", calls: withHyphen, fold: true, inner: "-", sigils: "$", skip: '`',
		quotes: []quote{{open: `@"`, close: "\n\"@", reach: toTheEnd}, {open: `@'`, close: "\n'@", reach: toTheEnd}, {open: `"`, escape: '`', reach: ifClosed, hole: "$("}, rawOpen},
		keywords: `begin break catch class continue data do dynamicparam else elseif end enum exit filter finally for foreach from
			function hidden if in param process return static switch throw trap try until using var while`,
	},
	{
		names: "batch bat cmd batchfile", first: "rem @rem ::", calls: noCalls, fold: true, inner: "-", quotes: []quote{{open: `"`}},
		keywords: `call cd chdir cls copy defined del dir do echo else endlocal equ errorlevel exist exit for geq goto gtr if in leq lss
			md mkdir move neq not off on path pause popd pushd rd ren rmdir set setlocal shift start title type`,
	},
	{
		names: "vim viml vimscript nvim", first: `"`, calls: beforeParenthesis, inner: "#:", quotes: []quote{double, {open: `'`}},
		keywords: `augroup autocmd autocmd! au call command command! const echo echomsg echoerr else elseif endfor endfunction endif
			endtry endwhile execute finally finish for func function function! if imap in inoremap let lua map nmap nnoremap
			noremap normal return set setlocal silent source syntax throw tnoremap try unlet vmap vnoremap while xnoremap
			abort colorscheme filetype highlight runtime catch`,
	},
	{
		names: "vb vbnet vb.net visualbasic vba vbs vbscript basic", line: "'", calls: noCalls, fold: true, quotes: []quote{{open: `"`}},
		keywords: `and as boolean byref byval case class const dim do double each else elseif end enum exit false for friend function
			get if imports in inherits integer interface is let long loop me mod module namespace new next not nothing object
			of on option optional or private property protected public redim return select set shared single string
			structure sub then throw to true try using wend while with`,
	},
	{
		names: "pascal delphi objectpascal", line: slashes, block: "{ } (* *)", calls: beforeParenthesis, fold: true, quotes: []quote{{open: `'`}},
		keywords: `and array as asm begin boolean case char class const constructor destructor div do downto else end except exports
			file finalization finally for function goto if implementation in inherited initialization integer interface is
			label library mod nil not object of or packed private procedure program property public raise real record repeat
			set shl shr string then to try type unit until uses var while with xor true false`,
	},
	{
		names: "fortran f90 f95 f03", line: "!", calls: noCalls, fold: true, quotes: []quote{{open: `"`}, {open: `'`}},
		keywords: `allocatable allocate call case character complex contains cycle deallocate dimension do double else elseif end
			enddo endif exit function goto if implicit integer intent interface kind logical module none only parameter
			pointer precision print private program public pure read real recursive result return select stop subroutine
			then type use where while write`,
	},
	{
		names: "matlab octave", line: "%", first: "#", block: "%{ %}", calls: beforeParenthesis, quotes: []quote{{open: `"`}},
		keywords: `break case catch classdef continue else elseif end endfunction endif endfor endwhile false for function global if
			methods otherwise parfor persistent properties return switch true try while`,
	},
}
