// A client of the Model Context Protocol, of the TypeScript SDK: it starts a server,
// lists and calls its tools, cancels a call, sends what is no message, and ends with 1
// at the first thing that is not as the protocol or the tools' own schemas have it.
//
//   node client.mjs COMMAND [ARGUMENT...]
//
// HANGS in the environment is a query that the server answers only by being cancelled.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { EmptyResultSchema, ErrorCode, JSONRPCMessageSchema, LATEST_PROTOCOL_VERSION } from "@modelcontextprotocol/sdk/types.js";

const [command, ...args] = process.argv.slice(2);
const hangs = process.env.HANGS;
const server = { command, args, env: process.env, stderr: "inherit" };
const names = ["context", "get_session", "list_sessions", "read_passage", "recall"];

async function step(name, does) {
  await does();
  console.log("ok:", name);
}

// call calls a tool; the SDK compares what comes with the tool's schema.
async function call(client, name, given = {}) {
  const answer = await client.callTool({ name, arguments: given });
  assert(!answer.isError, `${name}: ${JSON.stringify(answer.content)}`);
  assert.equal(answer.content[0].type, "text");
  assert(answer.content[0].text.trim() !== "", `${name} says nothing`);
  return answer.structuredContent;
}

async function listed(client) {
  assert(client.getInstructions().includes("Ask before"));
  assert.deepEqual(Object.keys(client.getServerCapabilities()), ["tools"]);
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((t) => t.name).sort(), names);
  for (const t of tools) {
    assert(t.annotations.readOnlyHint && t.annotations.openWorldHint === false, t.name);
    assert(t.description && t.inputSchema.type === "object" && t.outputSchema.type === "object", t.name);
  }
}

async function called(client) {
  const found = await call(client, "recall", { query: "why is the cache sharded", limit: 3 });
  assert.equal(found.schema, "yore.recall/1");
  const hit = found.passages[0];
  const read = await call(client, "read_passage", { session: hit.session_id, passage: hit.passage, around: 0 });
  assert.deepEqual([read.schema, read.passage, read.passages.length], ["yore.read/1", hit.passage, 1]);
  assert.equal((await call(client, "read_passage", { session: hit.ref })).passage, hit.passage);
  assert.equal((await call(client, "get_session", { session: hit.session_id })).session_id, hit.session_id);
  assert.equal((await call(client, "list_sessions", { limit: 2 })).sessions.length, 2);
  const digest = await call(client, "context", { query: "sharded cache", budget: 500 });
  assert(digest.tokens <= 500 && digest.markdown.includes("cache"));
  await Promise.all(Array.from({ length: 20 }, (_, i) => call(client, "recall", { query: `sharded cache ${i}`, limit: 1 })));
}

async function mistaken(client) {
  for (const [name, given, says] of [
    ["recall", { query: "x", limmit: 3 }, "limmit"],
    ["recall", { query: "" }, "blank"],
    ["recall", {}, "query"],
    ["recall", { query: 7 }, "query"],
    ["recall", { query: "x", since: "nonsense" }, "since"],
    ["read_passage", { session: "no-such-session" }, "no-such-session"],
    ["read_passage", { session: "1c9936b1", passage: 99999 }, "99999"],
    ["get_session", {}, "session"],
    ["list_sessions", { agent: ["nobody"] }, "nobody"],
    ["context", { query: "x", budget: -1 }, "budget"],
  ]) {
    const answer = await client.callTool({ name, arguments: given });
    assert(answer.isError && answer.content[0].text.includes(says), `${name} ${JSON.stringify(given)}: ${JSON.stringify(answer)}`);
  }
  await assert.rejects(client.callTool({ name: "forget", arguments: {} }), { code: ErrorCode.InvalidParams });
  await assert.rejects(client.request({ method: "no/such", params: {} }, EmptyResultSchema), { code: ErrorCode.MethodNotFound });
  await assert.rejects(client.request({ method: "tools/call", params: { name: 7 } }, EmptyResultSchema), { code: ErrorCode.InvalidParams });
}

async function cancelled(client) {
  const enough = new AbortController();
  let told = 0;
  const onprogress = () => {
    told++;
    enough.abort();
  };
  const answer = client.callTool({ name: "recall", arguments: { query: hangs ?? "sharded cache" } }, undefined, { signal: enough.signal, onprogress });
  if (!hangs) enough.abort();
  await assert.rejects(answer);
  assert(!hangs || told > 0, "nothing was said of how far the call is");
  await client.ping();
  await call(client, "list_sessions");
}

// hello begins a session without the SDK.
const hello = [
  { jsonrpc: "2.0", id: "hello", method: "initialize", params: { protocolVersion: LATEST_PROTOCOL_VERSION, capabilities: {}, clientInfo: { name: "raw", version: "0" } } },
  { jsonrpc: "2.0", method: "notifications/initialized" },
].map((m) => JSON.stringify(m));

// malformed are lines, and the id and the code of the answer to each.
const malformed = [
  ["}{", null, ErrorCode.ParseError],
  ['{"jsonrpc":"2.0","id":1', null, ErrorCode.ParseError],
  ['"ping"', null, ErrorCode.InvalidRequest],
  ["[]", null, ErrorCode.InvalidRequest],
  ['{"jsonrpc":"1.0","id":2,"method":"ping"}', 2, ErrorCode.InvalidRequest],
  ['{"jsonrpc":"2.0","id":{},"method":"ping"}', null, ErrorCode.InvalidRequest],
  ['{"jsonrpc":"2.0","id":3,"method":"no/such"}', 3, ErrorCode.MethodNotFound],
  ['{"jsonrpc":"2.0","id":4,"method":"tools/call","params":[1]}', 4, ErrorCode.InvalidParams],
  ['{"jsonrpc":"2.0","id":5,"method":"tools/call"}', 5, ErrorCode.InvalidRequest],
  ['{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"recall","arguments":[]}}', 6, undefined],
];

async function misspelt() {
  const child = spawn(command, args, { env: process.env, stdio: ["pipe", "pipe", "inherit"] });
  const answers = new Map();
  const nameless = [];
  child.stdin.end([...hello, ...malformed.map(([line]) => line), '{"jsonrpc":"2.0","id":"last","method":"ping"}', ""].join("\n"));
  for await (const line of createInterface({ input: child.stdout })) {
    const { id, ...rest } = JSON.parse(line);
    // JSON-RPC has null where no id could be read, the SDK's schema has none.
    JSONRPCMessageSchema.parse(id === null ? rest : { id, ...rest });
    id === null ? nameless.push(rest.error.code) : answers.set(id, rest);
  }
  const expected = malformed.filter(([, id]) => id === null).map(([, , code]) => code);
  assert.deepEqual(nameless.sort(), expected.sort());
  for (const [line, id, code] of malformed.filter(([, id]) => id !== null)) {
    const { error, result } = answers.get(id) ?? {};
    assert(code === undefined ? result?.isError || error : error?.code === code, `${line}: ${JSON.stringify(answers.get(id))}`);
  }
  assert(answers.get("hello").result && answers.get("last").result);
}

const client = new Client({ name: "npm", version: "0" });
await client.connect(new StdioClientTransport(server));
await step("tools are listed", () => listed(client));
await step("tools are called", () => called(client));
await step("mistakes are answered", () => mistaken(client));
await step("a call is cancelled", () => cancelled(client));
await client.close();
await step("lines that are no messages are answered", misspelt);
