import { expect, test } from "vitest";
import { closeDay } from "../../src/domain/history/closed-days/close-day.ts";
import { readSalesReport } from "../../src/domain/history/reports/sales-report.ts";
import { creditMerchant } from "../../src/domain/members/new-merchants/create-merchants.ts";
import { insertGivenBack } from "../../src/domain/wallet/queries.ts";
import { checkLedger } from "../../src/domain/wallet/reconcile.ts";
import { wallTime } from "../../src/kernel/clock.ts";
import { kobo } from "../../src/kernel/money.ts";
import { closing } from "../support/closing.ts";
import { startConsole } from "../support/console.ts";
import { declined, openFakeSupplier, vended } from "../support/fake-supplier.ts";
import { middayZone } from "../support/midday.ts";
import { operate } from "../support/operate.ts";
import { enterProvider, keep } from "../support/payments/kept-payments.ts";

const supplier = openFakeSupplier();
const service = closing(await startConsole({ suppliers: [supplier], timeZone: middayZone }));
const { app } = service;
const { database } = app.services;
const { pool } = app.fresh;
const zone = wallTime(middayZone);
const today = zone.dayOf(Date.now());
const finance = await service.staff("finance");
const run = (...words: string[]) => operate(words, { DATABASE_URL: app.fresh.url, TIME_ZONE: middayZone });
const wallet = { merchantId: app.merchant.id, mode: "live" } as const;

async function sell(reference: string, kind: "vended" | "declined" = "vended") {
  supplier.answer = kind === "vended" ? vended : declined;
  const body = { product_id: 1002, phone: "08031234567", reference };
  await app.call(app.merchant.liveKey, "/data/purchase", { body });
  const { rows } = await pool.query("select id, total, cost from purchases where reference = $1", [reference]);
  return { purchaseId: BigInt(rows[0].id) as never, amount: kobo(BigInt(rows[0].total)), cost: BigInt(rows[0].cost) };
}

function giveBack(sale: Awaited<ReturnType<typeof sell>>, kind: "goodwill" | "reversal") {
  const { purchaseId, amount } = sale;
  return database.transaction((tx) => insertGivenBack(tx, { kind, wallet, purchaseId, amount, reason: "said so" }));
}

async function endDifference(
  sale: { purchaseId: bigint } | null,
  ours: bigint | null,
  theirs: bigint,
  act: string | null,
) {
  await pool.query(
    `insert into reconciliation_differences (supplier, key, kind, purchase_id, attempt, ours, theirs, note, from_day, to_day,
                                             found_by, ended_as, act, reason, ended_at, ended_by)
     values ($1, decode(md5($2), 'hex') || decode(md5($2), 'hex'), $3, $4, $5, $6, $7, 'x', current_date, current_date, 'f',
             case when $8::text is null then 'written_off' else 'ours' end, $8, 'as agreed', now(), 'f')`,
    [
      ...[supplier.name, `${sale?.purchaseId} ${act}`, ours === null ? "theirs_only" : "amounts_differ"],
      ...[sale?.purchaseId ?? null, sale === null ? null : 1, ours, theirs, act],
    ],
  );
}

const naira = (amount: bigint) => `${amount / 100n}.${String(amount % 100n).padStart(2, "0")}`;

test("goodwill, later refunds, refunds taken back and suppliers' accepted amounts are of their own, and the margin has each", async () => {
  const [kept, given, early] = [await sell("kept"), await sell("given"), await sell("early")];
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  const from = Date.now();
  const failed = await sell("failed", "declined");
  await giveBack(given, "goodwill");
  await giveBack(early, "reversal");
  await creditMerchant({ database }, { ...wallet, amount: kobo(-failed.amount), reason: "delivered after all" });
  await endDifference(failed, null, 5_000n, "take_back");
  await endDifference(kept, kept.cost, kept.cost + 700n, "accept");
  await endDifference(null, null, 300n, null);

  // The sales were made before: what moved since is all that there is.
  const since = await readSalesReport(database, { from, before: today.end }, new Set(["supplier"]));
  const sum = (name: string) => since.reduce((total, line) => total + BigInt((line[name] ?? "").replace(".", "")), 0n);
  expect(sum("goodwill")).toBe(given.amount);
  expect(sum("refunded_later")).toBe(early.amount);
  expect(sum("refunds_taken_back")).toBe(failed.amount);
  expect(sum("cost_changes")).toBe(5_000n + 700n + 300n - early.cost);
  expect(sum("margin")).toBe(failed.amount - given.amount - early.amount - (6_000n - early.cost));
  expect(sum("sold")).toBe(0n);

  // Of the whole day, the one that was refunded is not sold.
  const margin = kept.amount + given.amount - kept.cost - given.cost - given.amount + failed.amount - 6_000n;
  const file = await finance.get(`/operator/reports.csv?by=day&from=${today.date}&to=${today.date}`);
  const [command] = (await run("report", "--from", today.date, "--to", today.date, "--per", "merchant", "--json"))
    .lines;
  expect(command).toMatchObject({ goodwill: naira(given.amount), refunded_later: "0.00", margin: expect.any(String) });
  const [head = "", line = ""] = file.text.trim().split("\r\n");
  const cells = new Map(head.split(",").map((name, at) => [name, line.split(",")[at]]));
  expect([cells.get("goodwill"), cells.get("refunds_taken_back")]).toEqual([naira(given.amount), naira(failed.amount)]);
  expect([cells.get("cost_changes"), cells.get("margin")]).toEqual(["60.00", naira(margin)]);
  for (const by of ["day", "hour", "category", "product", "merchant", "supplier"]) {
    const { status, text } = await finance.get(`/operator/reports?by=${by}&days=1`);
    expect([status, text.includes("Goodwill given"), text.includes("Refunds taken back")]).toEqual([200, true, true]);
  }
});

test("a closed day has them too, and every movement of wallets; its sums agree with the ledger, or the books say so", async () => {
  const shop = await app.createMerchant({ credit: null });
  await enterProvider(app);
  await keep(app, "T1", { merchantId: shop.id, fee: 5_000n });
  await keep(app, "T2", { merchantId: null, amount: 700_000n });
  const clock = { now: () => today.end + 3_600_000 };
  expect(await closeDay({ database, wallTime: zone, clock }, today)).toEqual({ brokenInvariants: [] });
  const [line] = (await run("closed-days", "--from", today.date, "--to", today.date, "--json")).lines;
  expect(line).toMatchObject({ top_ups: "1050000.00", credits_taken_back: "0.00", cost_changes: "60.00" });
  // ₦50,000 came to a merchant, of which the provider kept ₦50, and ₦7,000 to nobody.
  expect(line).toMatchObject({ held_by_providers: "56950.00", fees_borne: "50.00", unmatched: "7000.00" });
  const { text } = await finance.get(`/operator/closed-days/${today.date}`);
  for (const word of ["Goodwill", "Debits and other adjustments", "₦1,050,000.00", "Held by paystack"])
    expect(text).toContain(word);
  const broken = async () =>
    (await checkLedger(database))
      .filter((check) => check.broken.length > 0)
      .map(({ invariant }) => invariant.slice(0, 15));
  expect(await broken()).toEqual([]);
  await pool.query("update closed_day_movements set debited = debited + 1 where kind = 'purchase'");
  expect(await broken()).toEqual(["14 a closed day"]);
  await pool.query("update closed_day_movements set debited = debited - 1 where kind = 'purchase'");
});
