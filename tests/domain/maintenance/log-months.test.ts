import { expect, test } from "vitest";
import { newMerchant } from "../../../rigs/base/merchants.ts";
import { keepLogMonths } from "../../../src/domain/maintenance/log-month-queries.ts";
import { listErrors } from "../../../src/domain/request-log/list.ts";
import { checkLedger } from "../../../src/domain/wallet/reconcile.ts";
import { listLog } from "../../../src/domain/webhooks/log/log.ts";
import { startApp } from "../../support/app.ts";
import { closing } from "../../support/closing.ts";
import { setEndpoint } from "../../support/endpoints.ts";
import { ownDatabase } from "../../support/merchants.ts";
import { answered, logUnderTest } from "../../support/request-log.ts";
import { walletKey } from "../../support/wallet.ts";
import { enqueueEvent, logAttempt } from "../../support/webhooks.ts";

const dayMs = 86_400_000;
const page = { page: 1, perPage: 20 };
const everything = {
  successful: null,
  event: null,
  reference: null,
  deliveryId: null,
  endpointNumber: null,
  maxId: null,
};

test("requests and counts go with their month once it is 30 days old, and the months to come are there before", async () => {
  const own = closing(await ownDatabase());
  const merchant = await newMerchant(own.database, { approved: true });
  const wallet = { merchantId: merchant.id, mode: "live" as const };
  const { requestLog, note, time } = logUnderTest(own.database, Date.now());
  const keep = () => {
    const keepFrom = time.at - 30 * dayMs;
    return keepLogMonths(own.database, time.at, { requests: keepFrom, webhooks: 0 });
  };
  const errorsLogged = async () =>
    (await listErrors(own.database, wallet, { from: "2026-01-01", to: "2037-01-01" })).map((each) => each.requests);
  note(answered(wallet, { code: "PRICE_CHANGED" }));
  await requestLog.flush();
  const first = await keep();
  expect(first.filter((change) => !/^made (request|webhook)_[a-z_]+_\d{4}_\d{2}$/.test(change))).toEqual([]);
  expect(first.length).toBeGreaterThan(4);
  expect(await errorsLogged()).toEqual([1]);
  time.at += 100 * dayMs;
  const changes = await keep();
  expect(changes).toContain("dropped request_log_first");
  expect(changes).toContain("dropped request_error_days_first");
  expect(changes.filter((change) => change.startsWith("dropped webhook"))).toEqual([]);
  expect(await errorsLogged()).toEqual([]);
  note(answered(wallet, { code: "PRICE_CHANGED" }));
  await requestLog.flush();
  expect(await errorsLogged()).toEqual([1]);
  expect(await keep()).toEqual([]);
});

test("two processes that keep the months at once make each month one time", async () => {
  const own = closing(await ownDatabase());
  const inAYear = Date.now() + 365 * dayMs;
  const keep = () => keepLogMonths(own.database, inAYear, { requests: 0, webhooks: 0 });
  const changes = (await Promise.all([keep(), keep(), keep()])).flat().filter((change) => change.startsWith("made"));
  expect(changes.length).toBeGreaterThan(15);
  expect(changes).toEqual([...new Set(changes)]);
});

test("a log that a dump reads keeps its months until the next time, and nobody who writes another one waits meanwhile", async () => {
  const own = closing(await ownDatabase());
  const keep = () => {
    const inAYear = Date.now() + 365 * dayMs;
    return keepLogMonths(own.database, inAYear, { requests: inAYear, webhooks: inAYear });
  };
  const dump = await own.fresh.pool.connect();
  await dump.query("begin; lock table webhook_attempts in access share mode");
  const changes = await keep();
  expect(changes.filter((change) => change.startsWith("postponed"))).toEqual(["postponed webhook_attempts"]);
  expect(changes).toContain("dropped webhook_deliveries_first");
  await dump.query("commit");
  dump.release();
  expect(await keep()).toContain("dropped webhook_attempts_first");
});

test("attempts go with their month, and so do bodies and what was still to be sent; the totals stay exact", async () => {
  const own = closing(await ownDatabase());
  const wallet = walletKey(5);
  await setEndpoint(own.database, wallet, "https://example.com/hook");
  const inDays = (days: number) => Date.now() + days * dayMs;
  await keepLogMonths(own.database, inDays(0), { requests: 0, webhooks: 0 });
  const old = await enqueueEvent(own.database, wallet, { reference: "old" });
  const young = await enqueueEvent(own.database, wallet, { reference: "young" });
  for (const id of [old, young]) await logAttempt(own.database, wallet, id);
  // As if the second one had happened in a later month.
  const later = new Date(inDays(65));
  const { rows } = await own.fresh.pool.query<{ id: string }>(
    "update webhook_deliveries set id = first_delivery_id($2) where id = $1 returning id",
    [young, later],
  );
  const youngLater = rows[0]?.id;
  await own.fresh.pool.query("update webhook_outbox set delivery_id = $2 where delivery_id = $1", [young, youngLater]);
  await own.fresh.pool.query("update webhook_attempts set delivery_id = $2, created_at = $3 where delivery_id = $1", [
    young,
    youngLater,
    later,
  ]);
  await own.fresh.pool.query("update webhook_attempt_counts set attempts = 1");
  await own.fresh.pool.query(
    `insert into webhook_attempt_counts (wallet_id, endpoint_number, event, successful, month, attempts)
     select wallet_id, endpoint_number, event, successful, date_trunc('month', $1::timestamptz), 1
       from webhook_attempt_counts`,
    [later],
  );
  expect((await listLog(own.database, wallet, everything, page)).meta.total).toBe(2);

  const endOfFirst = "select until from list_log_months('webhook_attempts') where name = 'webhook_attempts_first'";
  const [{ until }] = (await own.fresh.pool.query<{ until: Date }>(endOfFirst)).rows as [{ until: Date }];
  const dayBefore = { requests: 0, webhooks: until.getTime() - dayMs };
  expect(
    (await keepLogMonths(own.database, inDays(0), dayBefore)).filter((each) => each.startsWith("dropped")),
  ).toEqual([]);
  const dropped = await keepLogMonths(own.database, inDays(0), { requests: 0, webhooks: until.getTime() });
  expect(dropped.filter((each) => each.startsWith("dropped"))).toEqual([
    "dropped webhook_deliveries_first",
    "dropped webhook_attempts_first",
    "dropped webhook_attempt_counts_first",
  ]);
  const { attempts, meta } = await listLog(own.database, wallet, everything, page);
  expect(attempts.map(({ deliveryId, reference }) => [deliveryId, reference])).toEqual([[youngLater, "young"]]);
  expect(meta.total).toBe(1);
  const left = await own.fresh.pool.query("select delivery_id as id from webhook_outbox");
  expect(left.rows).toEqual([{ id: youngLater }]);
});

test("the books miss an event whose delivery is gone, but not one that went with its month", async () => {
  const app = closing(await startApp());
  const { testKey } = app.merchant;
  const webhook = { url: "https://example.com/hook", notify: "all" };
  expect((await app.call(testKey, "/webhook", { method: "PUT", body: webhook })).status).toBe(200);
  const body = { product_id: 1002, phone: "08031234567", reference: "one" };
  expect((await app.call(testKey, "/data/purchase", { body })).status).toBe(201);
  const broken = async () => {
    const checks = await checkLedger(app.services.database);
    return checks.filter(({ broken }) => broken.length > 0).map(({ invariant }) => invariant);
  };
  expect(await broken()).toEqual([]);
  const { rows } = await app.fresh.pool.query("delete from webhook_deliveries returning id");
  expect(rows).toHaveLength(1);
  expect(await broken()).toEqual([expect.stringMatching(/^6 every end that owed an event has its event/)]);
  const now = Date.now();
  await keepLogMonths(app.services.database, now + 100 * dayMs, { requests: 0, webhooks: now + 70 * dayMs });
  expect(await broken()).toEqual([]);
});
