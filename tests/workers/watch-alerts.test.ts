import { expect, test } from "vitest";
import { saveSettings, webhookIdentity } from "../../src/domain/alerts/settings.ts";
import type { CommitBlock } from "../../src/platform/database/commit-state.ts";
import { openLog } from "../../src/platform/telemetry/log.ts";
import { alertPosting, alertWatch, hangWatch } from "../../src/workers/watch-alerts.ts";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { testSecretBox, testWebhooks } from "../support/webhooks.ts";

const app = closing(await startApp({ webhooks: { ...testWebhooks, allowPrivate: true } }));
const { database, people, webhooks, wallTime } = app.services;
const log = openLog({ level: "silent" });
const posted: string[] = [];
const sender = {
  async post(_url: URL, _headers: unknown, body: string) {
    posted.push(JSON.parse(body).text);
    return { status: 200, retryAfter: null, beginning: Buffer.alloc(0), fault: null, faultDetail: null };
  },
};
let now = Date.now();
const clock = { now: () => now };
const shared = { database, clock, wallTime, secretBox: testSecretBox, company: people.company, publicUrl: null, log };
const posting = { ...shared, sender, rules: webhooks.rules };
const webhook = testSecretBox.seal("http://hooks.example/x", webhookIdentity);
await saveSettings(shared, { emails: ["ada@company.example"], webhook });

test("what a process alone can see is an email and a message by two looks of workers", async () => {
  await app.fresh.pool.query(
    "insert into process_alerts (name, sentence, seen_at) values ('clock', 'A clock is off.', now())",
  );
  await alertWatch.open(shared)();
  await alertPosting.open(posting)();
  expect(posted.splice(0)).toEqual([expect.stringContaining("A clock is off.")]);
  const { rows } = await app.fresh.pool.query("select recipient, subject from emails");
  expect(rows).toEqual([{ recipient: "ada@company.example", subject: "A clock is off." }]);
});

test("while commits hang the webhook hears so from memory, once, when it lasts for half a minute, and when it is over", async () => {
  let state: CommitBlock = null;
  const isAway = { ...database, query: async () => Promise.reject(new Error("away")) } as typeof database;
  const given = { ...posting, commits: { look: async () => state } };
  const look = hangWatch.open(given);
  await look();
  Object.assign(given, { database: isAway });
  state = "commits_wait";
  const lookAfter = async (seconds: number) => {
    now += seconds * 1_000;
    await look();
    return posted.splice(0).length;
  };
  expect(await lookAfter(5)).toBe(0);
  expect(await lookAfter(29)).toBe(0);
  expect(await lookAfter(5)).toBe(1);
  expect(await lookAfter(60)).toBe(0);
  state = null;
  expect(await lookAfter(5)).toBe(1);
  expect(await lookAfter(5)).toBe(0);
});
