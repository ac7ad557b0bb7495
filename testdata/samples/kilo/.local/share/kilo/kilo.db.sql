-- Kilo Code's database: the columns are those of OpenCode, the rows are invented
PRAGMA journal_mode=WAL;
CREATE TABLE project (id text PRIMARY KEY, worktree text NOT NULL, vcs text, name text, icon_url text, icon_url_override text, icon_color text,
  time_created integer NOT NULL, time_updated integer NOT NULL, time_initialized integer, sandboxes text NOT NULL, commands text);
CREATE TABLE session (id text PRIMARY KEY, project_id text NOT NULL REFERENCES project(id) ON DELETE CASCADE, workspace_id text, parent_id text,
  slug text NOT NULL, directory text NOT NULL, path text, title text NOT NULL, version text NOT NULL, share_url text,
  summary_additions integer, summary_deletions integer, summary_files integer, summary_diffs text, metadata text,
  cost real NOT NULL DEFAULT 0, tokens_input integer NOT NULL DEFAULT 0, tokens_output integer NOT NULL DEFAULT 0,
  tokens_reasoning integer NOT NULL DEFAULT 0, tokens_cache_read integer NOT NULL DEFAULT 0, tokens_cache_write integer NOT NULL DEFAULT 0,
  revert text, permission text, agent text, model text,
  time_created integer NOT NULL, time_updated integer NOT NULL, time_compacting integer, time_archived integer);
CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL REFERENCES session(id) ON DELETE CASCADE,
  time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL REFERENCES message(id) ON DELETE CASCADE, session_id text NOT NULL,
  time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
CREATE TABLE todo (session_id text NOT NULL REFERENCES session(id) ON DELETE CASCADE, content text NOT NULL, status text NOT NULL, priority text NOT NULL,
  position integer NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, PRIMARY KEY (session_id, position));
CREATE INDEX session_project_idx ON session (project_id);
CREATE INDEX session_workspace_idx ON session (workspace_id);
CREATE INDEX session_parent_idx ON session (parent_id);
CREATE INDEX message_session_time_created_id_idx ON message (session_id, time_created, id);
CREATE INDEX part_message_id_id_idx ON part (message_id, id);
CREATE INDEX part_session_idx ON part (session_id);
CREATE INDEX todo_session_idx ON todo (session_id);
INSERT INTO project (id,worktree,vcs,time_created,time_updated,sandboxes) VALUES ('9d4e2b7c1a6f8e3d5c0b4a79e2f1d8c6b3a59077','/home/mira/src/ledger','git',1778486400000,1778486400000,'[]');
INSERT INTO session (id,project_id,parent_id,slug,directory,title,version,agent,model,time_created,time_updated) VALUES ('ses_1e17a3b5c001KfLgMhNiOjPkQl','9d4e2b7c1a6f8e3d5c0b4a79e2f1d8c6b3a59077',NULL,'quiet-pine','/home/mira/src/ledger','Rounding of shared costs','7.6.2','code','{"id": "anthropic/claude-sonnet-4.5", "providerID": "kilo"}',1778490000000,1778490095000);
INSERT INTO session (id,project_id,parent_id,slug,directory,title,version,agent,model,time_created,time_updated) VALUES ('ses_1e17a3b5d001LgMhNiOjPkQlRm','9d4e2b7c1a6f8e3d5c0b4a79e2f1d8c6b3a59077','ses_1e17a3b5c001KfLgMhNiOjPkQl','quiet-pine','/home/mira/src/ledger','Find the callers of Split (@explore subagent)','7.6.2','code','{"id": "anthropic/claude-sonnet-4.5", "providerID": "kilo"}',1778490012000,1778490021000);
INSERT INTO message VALUES ('msg_a1','ses_1e17a3b5c001KfLgMhNiOjPkQl',1778490000000,1778490000000,'{"role":"user","time":{"created":1778490000000},"agent":"code","model":{"providerID":"kilo","modelID":"anthropic/claude-sonnet-4.5"}}');
INSERT INTO message VALUES ('msg_a2','ses_1e17a3b5c001KfLgMhNiOjPkQl',1778490002000,1778490030000,'{"role":"assistant","parentID":"msg_a1","providerID":"kilo","modelID":"anthropic/claude-sonnet-4.5","mode":"code","agent":"code","path":{"cwd":"/home/mira/src/ledger","root":"/home/mira/src/ledger"},"cost":0.01,"tokens":{"input":10,"output":5,"reasoning":1,"cache":{"read":0,"write":0}},"time":{"created":1778490002000,"completed":1778490004000},"finish":"stop"}');
INSERT INTO message VALUES ('msg_a3','ses_1e17a3b5c001KfLgMhNiOjPkQl',1778490080000,1778490080000,'{"role":"user","time":{"created":1778490080000},"agent":"code","model":{"providerID":"kilo","modelID":"anthropic/claude-sonnet-4.5"}}');
INSERT INTO message VALUES ('msg_a4','ses_1e17a3b5c001KfLgMhNiOjPkQl',1778490082000,1778490095000,'{"role":"assistant","parentID":"msg_a3","providerID":"kilo","modelID":"anthropic/claude-sonnet-4.5","mode":"code","agent":"code","path":{"cwd":"/home/mira/src/ledger","root":"/home/mira/src/ledger"},"cost":0.01,"tokens":{"input":10,"output":5,"reasoning":1,"cache":{"read":0,"write":0}},"time":{"created":1778490082000,"completed":1778490084000},"finish":"stop"}');
INSERT INTO message VALUES ('msg_b1','ses_1e17a3b5d001LgMhNiOjPkQlRm',1778490012000,1778490012000,'{"role":"user","time":{"created":1778490012000},"agent":"code","model":{"providerID":"kilo","modelID":"anthropic/claude-sonnet-4.5"}}');
INSERT INTO message VALUES ('msg_b2','ses_1e17a3b5d001LgMhNiOjPkQlRm',1778490013000,1778490021000,'{"role":"assistant","parentID":"msg_b1","providerID":"kilo","modelID":"anthropic/claude-sonnet-4.5","mode":"explore","agent":"explore","path":{"cwd":"/home/mira/src/ledger","root":"/home/mira/src/ledger"},"cost":0.01,"tokens":{"input":10,"output":5,"reasoning":1,"cache":{"read":0,"write":0}},"time":{"created":1778490013000,"completed":1778490015000},"finish":"stop"}');
INSERT INTO part VALUES ('prt_a1','msg_a1','ses_1e17a3b5c001KfLgMhNiOjPkQl',1778490000000,1778490000000,'{"type":"text","text":"Which of three people pays the odd cent when a bill is split?"}');
INSERT INTO part VALUES ('prt_a2','msg_a1','ses_1e17a3b5c001KfLgMhNiOjPkQl',1778490000000,1778490000000,'{"type":"text","synthetic":true,"text":"<environment_details>Current time: noon</environment_details>"}');
INSERT INTO part VALUES ('prt_a3','msg_a2','ses_1e17a3b5c001KfLgMhNiOjPkQl',1778490003000,1778490003000,'{"type":"reasoning","text":"Largest remainder keeps the sum.","time":{"start":1778490003000,"end":1778490004000}}');
INSERT INTO part VALUES ('prt_a4','msg_a2','ses_1e17a3b5c001KfLgMhNiOjPkQl',1778490012000,1778490012000,'{"type":"tool","callID":"call_k1","tool":"task","state":{"status":"completed","input":{"description":"Find the callers of Split","prompt":"Who calls Split?","subagent_type":"explore"},"output":"bill.go and refund.go call it.","title":"Find the callers of Split","metadata":{"sessionId":"ses_1e17a3b5d001LgMhNiOjPkQlRm"},"time":{"start":1778490012000,"end":1778490021000}}}');
INSERT INTO part VALUES ('prt_a5','msg_a2','ses_1e17a3b5c001KfLgMhNiOjPkQl',1778490025000,1778490025000,'{"type":"text","text":"The one with the largest remainder, the first in the list among equals: so the shares always add up to the bill.","time":{"start":1778490025000,"end":1778490030000}}');
INSERT INTO part VALUES ('prt_a6','msg_a3','ses_1e17a3b5c001KfLgMhNiOjPkQl',1778490080000,1778490080000,'{"type":"text","text":"run the tests of the refund too"}');
INSERT INTO part VALUES ('prt_a7','msg_a4','ses_1e17a3b5c001KfLgMhNiOjPkQl',1778490084000,1778490084000,'{"type":"tool","callID":"call_k2","tool":"bash","state":{"status":"completed","input":{"command":"go test ./refund","description":"Test refunds"},"output":"--- FAIL: TestRefund\nFAIL\n","metadata":{"exit":1},"time":{"start":1778490084000,"end":1778490088000}}}');
INSERT INTO part VALUES ('prt_a8','msg_a4','ses_1e17a3b5c001KfLgMhNiOjPkQl',1778490090000,1778490090000,'{"type":"text","text":"One fails: refunds round each share down."}');
INSERT INTO part VALUES ('prt_b1','msg_b1','ses_1e17a3b5d001LgMhNiOjPkQlRm',1778490012000,1778490012000,'{"type":"text","text":"Who calls Split?"}');
INSERT INTO part VALUES ('prt_b2','msg_b2','ses_1e17a3b5d001LgMhNiOjPkQlRm',1778490015000,1778490015000,'{"type":"text","text":"bill.go and refund.go call it."}');
