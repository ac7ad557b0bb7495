package highlight

// queried are languages that ask databases.
var queried = []language{
	{
		names: "sql postgresql postgres pgsql plpgsql mysql mariadb sqlite sqlite3 tsql mssql plsql oracle bigquery duckdb clickhouse",
		line:  "--", block: starred, calls: beforeParenthesis, fold: true,
		quotes: []quote{rawOpen, {open: `"`, name: true}, {open: "`", name: true}},
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

// configured are formats of data, of documents and of what builds and deploys.
var configured = []language{
	{names: "diff patch udiff git-diff", family: diffs},
}
