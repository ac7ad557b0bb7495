package highlight

// Ways of writing strings that several languages share.
var (
	double     = quote{open: `"`, escape: '\\'}
	single     = quote{open: `'`, escape: '\\'}
	doubleOpen = quote{open: `"`, escape: '\\', reach: ifClosed}
	singleOpen = quote{open: `'`, escape: '\\', reach: ifClosed}
	rawOpen    = quote{open: `'`, reach: ifClosed} // '' in it is two strings side by side
	character  = quote{open: `'`, escape: '\\', reach: oneRune}
	backtick   = quote{open: "`", reach: toTheEnd}
	template   = quote{open: "`", escape: '\\', reach: toTheEnd, hole: "${"}
	apart      = quote{open: `'`, escape: '\\', apart: true}
	threeTimes = quote{open: `"""`, escape: '\\', reach: toTheEnd}
	threeMarks = quote{open: `'''`, escape: '\\', reach: toTheEnd}
)

const (
	slashes = "//"
	starred = "/* */"

	script = `as async await break case catch class const continue debugger default delete do else export extends
		false finally for from function get if import in instanceof let new null of return set static super switch this
		throw true try typeof undefined var void while with yield NaN Infinity`
	cWords = `auto break case char const continue default do double else enum extern float for goto if inline int long
		register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
		bool true false NULL nullptr size_t ssize_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t
		intptr_t uintptr_t alignas alignof static_assert thread_local _Bool _Atomic _Generic _Static_assert`
)

// curly are languages whose blocks stand in braces.
var curly = []language{
	{
		names: "go golang", line: slashes, block: starred, calls: beforeParenthesis,
		quotes: []quote{double, backtick, character},
		keywords: `break case chan const continue default defer else fallthrough for func go goto if import interface map
			package range return select struct switch type var any bool byte comparable complex64 complex128 error float32
			float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr true false nil iota`,
	},
	{
		names: "javascript js mjs cjs jsx node es6", line: slashes, block: starred, first: "#!", calls: beforeParenthesis, letters: "$",
		quotes: []quote{double, apart, template}, regexp: true, keywords: script,
	},
	{
		names: "typescript ts tsx mts cts", line: slashes, block: starred, first: "#!", calls: beforeParenthesis, letters: "$",
		quotes: []quote{double, apart, template}, regexp: true,
		keywords: script + ` abstract any asserts bigint boolean declare enum implements infer interface is keyof module
			namespace never number object override private protected public readonly satisfies string symbol type unknown`,
	},
	{
		names: "rust rs", line: slashes, block: starred, nested: true, calls: orBang, raw: hashes,
		quotes: []quote{{open: `"`, escape: '\\', reach: toTheEnd}, character},
		keywords: `as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod
			move mut pub ref return self Self static struct super trait true type union unsafe use where while yield bool
			char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize String Vec Option Result Box Some None Ok Err`,
	},
	{
		names: "c h", line: slashes, block: starred, calls: beforeParenthesis, directive: true,
		quotes: []quote{double, character}, separator: '\'', keywords: cWords,
	},
	{
		names: "c++ cpp cc cxx hpp hh hxx cuda cu ino arduino", line: slashes, block: starred, calls: beforeParenthesis, directive: true,
		quotes: []quote{double, character}, separator: '\'', raw: delimited,
		keywords: cWords + ` and bitand bitor catch char8_t char16_t char32_t class co_await co_return co_yield concept
			consteval constexpr constinit const_cast decltype delete dynamic_cast explicit export final friend import module
			mutable namespace new noexcept not operator or override private protected public reinterpret_cast requires
			static_cast string template this throw try typeid typename using virtual wchar_t xor`,
	},
	{
		names: "objective-c objectivec objc obj-c m mm", line: slashes, block: starred, calls: beforeParenthesis, directive: true,
		quotes: []quote{double, character}, letters: "@",
		keywords: cWords + ` @interface @implementation @end @property @protocol @class @selector @synthesize @dynamic @public
			@private @protected @import @autoreleasepool @try @catch @finally @throw @optional @required id self super nil
			YES NO BOOL SEL Class instancetype nonatomic strong weak copy assign readonly readwrite`,
	},
	{
		names: "c# csharp cs", line: slashes, block: starred, calls: beforeParenthesis, directive: true,
		quotes: []quote{threeTimes, {open: `@"`, close: `"`, reach: toTheEnd}, {open: `$@"`, close: `"`, reach: toTheEnd}, double, character},
		keywords: `abstract as async await base bool break byte case catch char checked class const continue decimal default
			delegate do double dynamic else enum event explicit extern false finally fixed float for foreach get global goto
			if implicit in init int interface internal is lock long nameof namespace new not null object operator out
			override params partial private protected public readonly record ref required return sbyte sealed set short
			sizeof stackalloc static string struct switch this throw true try typeof uint ulong unchecked unsafe ushort
			using var virtual void volatile when where while with yield`,
	},
	{
		names: "java", line: slashes, block: starred, calls: beforeParenthesis, letters: "$",
		quotes: []quote{threeTimes, double, character},
		keywords: `abstract assert boolean break byte case catch char class const continue default do double else enum extends
			final finally float for goto if implements import instanceof int interface long native new null package permits
			private protected public record return sealed short static strictfp super switch synchronized this throw throws
			transient true false try var void volatile while yield String Object Integer Long Boolean Double`,
	},
	{
		names: "kotlin kt kts", line: slashes, block: starred, nested: true, first: "#!", calls: beforeParenthesis,
		quotes: []quote{{open: `"""`, reach: toTheEnd, hole: "${"}, holed(double, "${"), character, {open: "`", name: true}},
		keywords: `abstract actual annotation as break by catch class companion const constructor continue crossinline data do
			else enum expect external false final finally for fun get if import in infix init inline inner interface
			internal is lateinit noinline null object open operator out override package private protected public reified
			return sealed set super suspend tailrec this throw true try typealias val value var vararg when where while
			Any Boolean Byte Char Double Float Int List Long Map Nothing Set Short String Unit`,
	},
	{
		names: "swift", line: slashes, block: starred, nested: true, first: "#!", calls: beforeParenthesis, directive: true,
		quotes: []quote{holed(threeTimes, `\(`), {open: `#"`, close: `"#`}, holed(double, `\(`), {open: "`", name: true}},
		keywords: `actor any as associatedtype async await break case catch class continue convenience default defer deinit do
			else enum extension fallthrough false fileprivate final for func get guard if import in indirect init inout
			internal is isolated lazy let mutating nil nonisolated open operator optional override private protocol public
			repeat required rethrows return self Self set some static struct subscript super switch throw throws true try
			typealias unowned var weak where while Any Bool Character Double Float Int String UInt Void`,
	},
	{
		names: "scala sc sbt", line: slashes, block: starred, nested: true, calls: beforeParenthesis,
		quotes: []quote{holed(threeTimes, "${"), holed(double, "${"), character, {open: "`", name: true}},
		keywords: `abstract case catch class def do else enum export extends extension false final finally for forSome given if
			implicit import infix inline lazy match new null object opaque open override package private protected return
			sealed super then this throw trait transparent true try type using val var while with yield Any AnyRef Boolean
			Byte Char Double Float Int List Long Map Nothing Option Seq Set Short Some None String Unit`,
	},
	{
		names: "groovy gradle jenkinsfile", line: slashes, block: starred, first: "#!", calls: beforeParenthesis,
		quotes: []quote{holed(threeTimes, "${"), threeMarks, holed(double, "${"), single}, regexp: true,
		keywords: `abstract as assert boolean break byte case catch char class const continue def default do double else enum
			extends false final finally float for if implements import in instanceof int interface long new null package
			private protected public return short static super switch this throw throws trait true try var void while String`,
	},
	{
		names: "dart flutter", line: slashes, block: starred, nested: true, calls: beforeParenthesis, letters: "$",
		quotes: []quote{
			holed(threeTimes, "${"), holed(threeMarks, "${"), {open: `r"`, close: `"`}, {open: `r'`, close: `'`}, holed(double, "${"), holed(single, "${"),
		},
		keywords: `abstract as assert async await base bool break case catch class const continue covariant default deferred do
			double dynamic else enum export extends extension external factory false final finally for get if implements
			import in int interface is late library mixin new null num on operator part required rethrow return sealed set
			show static super switch sync this throw true try typedef var void when while with yield Future List Map Set
			Stream String`,
	},
	{
		names: "zig", line: slashes, calls: beforeParenthesis, letters: "@",
		quotes: []quote{{open: `\\`, close: "\n"}, double, character},
		keywords: `align allowzero and anyframe anytype asm async await break callconv catch comptime const continue defer else
			enum errdefer error export extern false fn for if inline linksection noalias noinline null nosuspend opaque or
			orelse packed pub resume return struct suspend switch test threadlocal true try undefined union unreachable
			usingnamespace var volatile while anyerror bool comptime_float comptime_int f16 f32 f64 i8 i16 i32 i64 i128
			isize noreturn type u8 u16 u32 u64 u128 usize void`,
	},
	{
		names: "php php3 phtml", line: "// #", except: "#[", block: starred, calls: beforeParenthesis, sigils: "$", heredoc: "<<<", fold: true,
		quotes: []quote{doubleOpen, singleOpen},
		keywords: `abstract and array as bool break callable case catch class clone const continue declare default do echo else
			elseif empty enddeclare endfor endforeach endif endswitch endwhile enum extends false final finally float fn for
			foreach function global goto if implements include include_once instanceof insteadof int interface isset list
			match mixed namespace never new null object or parent print private protected public readonly require
			require_once return self static string switch throw trait true try unset use var void while xor yield`,
	},
	{
		names: "d dlang", line: slashes, block: "/* */ /+ +/", calls: beforeParenthesis,
		quotes: []quote{double, backtick, character},
		keywords: cWords + ` alias assert byte cast class debug delegate foreach function immutable import in interface is lazy
			module mixin new null out override package private public pure real scope shared string super template this
			throw try ubyte uint ulong unittest ushort version`,
	},
	{
		names: "solidity sol", line: slashes, block: starred, calls: beforeParenthesis, quotes: []quote{double, single},
		keywords: `abstract address anonymous assembly bool break bytes bytes32 calldata catch constant constructor continue
			contract delete do else emit enum error event external fallback false for function if immutable import indexed
			int int256 interface internal is library mapping memory modifier new override payable pragma private public pure
			receive return returns revert storage string struct super this throw true try type uint uint8 uint256 unchecked
			using view virtual while`,
	},
	{
		names: "glsl hlsl wgsl metal shader", line: slashes, block: starred, calls: beforeParenthesis, directive: true,
		keywords: cWords + ` attribute fn fragment half highp in inout layout let lowp mat2 mat3 mat4 mediump out precision
			sampler2D samplerCube texture2D uniform var varying vec2 vec3 vec4 f32 i32 u32 float2 float3 float4 float4x4`,
	},
	{
		names: "protobuf proto proto3", line: slashes, block: starred, quotes: []quote{double, single},
		keywords: `bool bytes double enum extend extensions false fixed32 fixed64 float import int32 int64 map max message oneof
			option optional package public repeated required reserved returns rpc service sfixed32 sfixed64 sint32 sint64
			stream string syntax to true uint32 uint64 weak`,
	},
	{
		names: "graphql gql", line: "#", quotes: []quote{{open: `"""`, reach: toTheEnd}, double}, sigils: "$",
		keywords: `directive enum extend false fragment implements input interface mutation null on query repeatable scalar schema
			subscription true type union Boolean Float ID Int String`,
	},
	{
		names: "terraform tf hcl tfvars", line: "# //", block: starred, calls: beforeParenthesis, heredoc: "<<", inner: "-",
		quotes: []quote{holed(double, "${")},
		keywords: `any bool check data dynamic each else false for for_each if import in list local locals map module moved null
			number object output path provider provisioner removed resource self set string terraform true tuple var variable`,
	},
	{
		names: "nginx nginxconf", line: "#", spaced: true, leading: true, quotes: []quote{double, single}, sigils: "$",
		keywords: `access_log add_header alias auth_basic break client_max_body_size default_type deny allow error_log error_page
			events expires fastcgi_pass gzip http if include index keepalive_timeout limit_req listen location log_format map
			proxy_cache proxy_http_version proxy_pass proxy_read_timeout proxy_redirect proxy_set_header resolver return
			rewrite root sendfile server server_name set ssl_certificate ssl_certificate_key ssl_ciphers ssl_protocols
			stream try_files types upstream user uwsgi_pass worker_connections worker_processes`,
	},
}
