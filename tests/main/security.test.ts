import { pino } from "pino";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { openWideLog } from "../../src/platform/telemetry/log.ts";
import { openSecurityEvents } from "../../src/platform/telemetry/security-events.ts";
import { commandWatch } from "../../src/workers/watch/keep-records.ts";
import { type Answer, startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { operate } from "../support/operate.ts";
import { startWatch } from "../support/watch.ts";

const app = closing(await startApp());

const run = (...words: string[]) => operate(words, { DATABASE_URL: app.fresh.url });

/** One of several processes, and the commands that it told of. */
function startProcess(): { readonly reply: string[]; readonly loop: { stop(): Promise<void> }; report(): void } {
  const reply: string[] = [];
  const write = (line: string) => {
    const { event, source, count, about } = JSON.parse(line);
    reply.push(`${event} ${source} ${count} ${about.join("; ")}`);
  };
  const log = pino({ level: "warn" }, { write });
  const security = openSecurityEvents({ log, registry: new Registry() });
  const loop = startWatch(commandWatch, { database: app.services.database, security, log });
  return { reply, loop, report: () => security.report() };
}

test("a command that changed something is in the log of one process, with who did it; what it only read is not", async () => {
  const id = `mer_${app.merchant.id}`;
  // While no process ran.
  await run("--as", "ada", "suspend-merchant", id);
  const processes = [startProcess(), startProcess(), startProcess()];
  const reply = () => processes.flatMap(({ reply }) => reply).toSorted();
  await expect.poll(reply).toEqual(["security.operator_command ada 1 suspend-merchant (entry 1)"]);
  await run("--as", "ada", "merchants");
  await run("--as", "ben", "resume-merchant", id);
  await run("--as", "cyd", "withdraw-approval", id);
  const all = [
    "security.operator_command ada 1 suspend-merchant (entry 1)",
    "security.operator_command ben 1 resume-merchant (entry 2)",
    "security.operator_command cyd 1 withdraw-approval (entry 3)",
  ];
  await expect.poll(reply).toEqual(all);
  await Promise.all(processes.map(({ loop }) => loop.stop()));
  for (const { report } of processes) report();
  expect(reply()).toEqual(all);
});

test("the service writes one wide line for a command that changed something beside it, without its arguments", async () => {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const wide = openWideLog({ log, share: 1, chance: () => 0, monotonicMs: () => performance.now() });
  const service = await startApp({ wide });
  const operateHere = (...words: string[]) => operate(words, { DATABASE_URL: service.fresh.url });
  await operateHere("--as", "ada", "ip-allowlist", `mer_${service.merchant.id}`, "203.0.113.0/24");
  await operateHere("--as", "ada", "merchants");
  const stop = service.services.startWatching();
  const reply = () => lines.filter(({ event }) => event === "operator.command");
  await expect.poll(reply).toHaveLength(1);
  await stop();
  const [{ level: _level, time: _time, pid: _pid, hostname: _host, ...line } = {}] = reply();
  expect(line).toEqual({
    ...{ event: "operator.command", who: "ada", command: "ip-allowlist", entry: 1 },
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  });
  expect(JSON.stringify(lines)).not.toContain("203.0.113");
  await service.close();
});

test("keys shows when and from where each key was last used, and bumps no revision for it", async () => {
  const { id, testKey } = await app.createMerchant();
  const revision = async () =>
    (await app.fresh.pool.query("select revision from revisions where subject = 'merchants'")).rows;
  const listed = async () => (await run("keys", `mer_${id}`, "--json")).lines;
  expect(await listed()).toMatchObject([
    { last_used_at: null, last_used_from: null },
    { last_used_at: null, last_used_from: null },
  ]);
  const before = await revision();
  const begun = Date.now() - 1;
  const answer: Answer = await app.call(testKey, "/wallet/balance");
  expect(answer.status).toBe(200);
  await app.services.keyUses.flush();
  const used = (await listed()).find(({ last_used_at }) => last_used_at !== null);
  expect(used).toMatchObject({ key: expect.stringMatching(/^ds_test_/), last_used_from: "127.0.0.1" });
  expect(Date.parse(used.last_used_at)).toBeGreaterThanOrEqual(Math.floor(begun / 1_000) * 1_000);
  expect(await revision()).toEqual(before);
  expect((await run("keys", `mer_${id}`)).out).toMatch(/last used.*from/);
});

test("a key that is refused for its address is not used", async () => {
  const { id, testKey } = await app.createMerchant();
  await run("ip-allowlist", `mer_${id}`, "203.0.113.0/24");
  await expect.poll(async () => (await app.call(testKey, "/wallet/balance")).status).toBe(403);
  await app.services.keyUses.flush();
  const [{ last_used_at: atFirst }] = (await run("keys", `mer_${id}`, "--json")).lines;
  await app.call(testKey, "/wallet/balance");
  await app.services.keyUses.flush();
  expect((await run("keys", `mer_${id}`, "--json")).lines[0].last_used_at).toBe(atFirst);
});

test("what was noted is written when the service stops", async () => {
  const other = await startApp({ database: app.fresh });
  await other.call(other.merchant.testKey, "/wallet/balance");
  const used = async () =>
    (
      await app.fresh.pool.query(
        "select 1 from api_key_uses u join api_keys k on k.id = u.key_id where k.merchant_id = $1",
        [other.merchant.id],
      )
    ).rowCount;
  expect(await used()).toBe(0);
  await other.close();
  expect(await used()).toBe(1);
});
