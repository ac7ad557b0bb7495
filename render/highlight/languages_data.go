package highlight

// queried are languages that ask databases.
var queried = []language{
	{
		names: "sql postgresql postgres pgsql plpgsql mysql mariadb sqlite sqlite3 tsql mssql plsql oracle bigquery duckdb clickhouse",
		line:  "--", block: starred, calls: beforeParenthesis, fold: true,
		quotes: []quote{rawOpen, {open: "E'", close: "'", escape: '\\', reach: ifClosed}, {open: `"`, name: true}, {open: "`", name: true}},
		keywords: `add all alter analyze and any array as asc autoincrement auto_increment before begin between bigint blob boolean by
			bytea call cascade case cast char check collate column commit concurrently conflict constraint create cross
			current_date current_timestamp database date decimal declare default delete desc describe distinct do double drop
			each else elsif end enum except exec execute exists explain false fetch filter float for foreign from full function
			grant group having if ilike in index inner insert int integer intersect interval into is join json jsonb key
			language lateral left like limit loop materialized natural not nothing null numeric of offset on only or order
			outer over partition pragma precision primary procedure raise real recursive references replace restrict return
			returning returns revoke right rollback row rows schema select serial set show smallint table temp temporary text
			then timestamp timestamptz to transaction trigger true truncate union unique update upsert using uuid values
			varchar vacuum view virtual when where while window with without`,
	},
}

// truths are the words of configurations that stand for yes, no and nothing.
const truths = "true false null yes no on off none True False Null Yes No On Off None TRUE FALSE NULL"

// configured are formats of data and of documents, and what builds and deploys.
var configured = []language{
	{names: "diff patch udiff git-diff", family: diffs},
	{
		names: "bash sh shell zsh fish ksh dash ash shellscript shell-script bashrc zshrc envrc", family: shells, line: "#", heredoc: "<<",
		quotes: []quote{{open: `$'`, close: `'`, escape: '\\', reach: ifClosed}, holed(doubleOpen, "$("), rawOpen},
		keywords: `alias begin break case continue declare do done elif else end esac eval exit export fi for function if in local
			readonly return select set shift source switch then time trap typeset unset until while`,
	},
	{names: "console shell-session shellsession sh-session bash-session terminal", family: consoles},
	{
		names: "make makefile mk gnumakefile", family: makefiles,
		keywords: "define else endef endif export ifdef ifeq ifndef ifneq include -include sinclude override unexport vpath",
	},
	{
		names: "dockerfile docker containerfile", first: "#", leading: true, heredoc: "<<", sigils: "$", quotes: []quote{double, single},
		keywords: `ADD ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL MAINTAINER ONBUILD RUN SHELL STOPSIGNAL USER VOLUME
			WORKDIR`,
	},
	{
		names: "cmake", line: "#", block: "#[[ ]]", calls: beforeParenthesis, fold: true, quotes: []quote{doubleOpen},
		keywords: `and break continue else elseif endforeach endfunction endif endmacro endwhile exists false foreach function if in
			include interface macro matches not off on or private public required return shared static strequal true
			version_greater version_less while`,
	},
	{
		names: "json jsonc json5 jsonl ndjson jsonlines geojson webmanifest", line: slashes, block: starred, keyed: ':', letters: "$",
		quotes: []quote{double, single}, keywords: "true false null NaN Infinity undefined",
	},
	{
		names: "toml", line: "#", keyed: '=', headings: true, inner: "-.", quotes: []quote{threeTimes, {open: `'''`, reach: toTheEnd}, double, {open: `'`}},
		keywords: "true false inf nan",
	},
	{
		names: "ini cfg conf config properties env dotenv editorconfig gitconfig systemd desktop", first: "# ; !", keyed: '=', headings: true,
		inner: "-.", quotes: []quote{double}, keywords: truths + " export",
	},
	{names: "yaml yml", family: yamls, line: "#", quotes: []quote{double, {open: `'`}}, keywords: truths + " ~"},
	{
		names: "html htm xhtml xml svg vue svelte astro rss atom plist xaml xsd xsl xslt wsdl csproj pom", family: markup,
		quotes: []quote{{open: `"`, reach: ifClosed}, rawOpen},
	},
	{names: "css", family: stylesheets, block: starred, inner: "-", quotes: []quote{double, single}},
	{names: "scss sass less styl stylus postcss", family: stylesheets, block: starred, line: slashes, spaced: true, inner: "-", quotes: []quote{double, single}},
	{names: "tex latex bibtex", line: "%", commands: true, skip: '\\', quotes: []quote{{open: "$$", reach: ifClosed}, {open: "$", escape: '\\'}}},
	{names: "markdown md mdx mkd rmd qmd", family: prose},
}
