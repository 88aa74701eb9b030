import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  entryCountOf,
  openStatement,
  readStatementLines,
  type StatementLine,
  streamStatementLines,
} from "../../../../src/domain/history/statement/wallet-statement.ts";
import { insertPurchases } from "../../../../src/domain/purchases/queries.ts";
import { creditWallet } from "../../../../src/domain/wallet/wallet.ts";
import type { WalletKey } from "../../../../src/kernel/ids.ts";
import { kobo } from "../../../../src/kernel/money.ts";
import type { Database } from "../../../../src/platform/database/database.ts";
import type { FreshDatabase } from "../../../support/database.ts";
import { ownDatabase } from "../../../support/merchants.ts";
import { fundedWallet, newPurchase, walletKey } from "../../../support/wallet.ts";
import { bookAdjustments, type MadeEntry } from "../../../support/wallet-history.ts";

let fresh: FreshDatabase;
let database: Database;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ fresh, database, drop } = await ownDatabase());
});
afterAll(() => drop());

interface Span {
  readonly from: number | null;
  readonly before: number | null;
}

async function everyLine(wallet: WalletKey, span: Span): Promise<StatementLine[]> {
  const range = await openStatement(database, wallet, span);
  const lines: StatementLine[] = [];
  for await (const some of streamStatementLines(database, wallet, range)) lines.push(...some);
  const sum = lines.reduce((total, { amount }) => total + amount, 0n);
  expect(range.openingBalance + sum).toBe(range.closingBalance);
  return lines;
}

/** The same lines, by pages of a size, as clients ask for them: each page finds the range anew. */
async function everyPage(wallet: WalletKey, span: Span, size: number): Promise<StatementLine[]> {
  const lines: StatementLine[] = [];
  for (let skip = 0; ; skip += size) {
    const range = await openStatement(database, wallet, span);
    const page = await readStatementLines(database, wallet, range, { skip, limit: size });
    if (page.length === 0) return lines;
    lines.push(...page);
  }
}

const seqs = (lines: readonly StatementLine[]): number[] => lines.map(({ seq }) => Number(seq));
const upTo = (last: number, first = 1): number[] => Array.from({ length: last - first + 1 }, (_, n) => first + n);
const always: Span = { from: null, before: null };

const start = Date.UTC(2026, 10, 1);
/** Each entry some time after the one before it; its transaction may have begun up to a minute before it got the wallet. */
const histories = fc.array(
  fc.record({
    gapMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 2_000 }), fc.integer({ min: 0, max: 400_000 })),
    waitedMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 60_000 })),
    amount: fc.integer({ min: -1_000, max: 2_000 }).filter((amount) => amount !== 0),
  }),
  { minLength: 1, maxLength: 60 },
);

let merchants = 1_000;
async function walletOf(history: readonly { gapMs: number; waitedMs: number; amount: number }[]) {
  merchants += 1;
  const wallet = await fundedWallet(database, walletKey(merchants), 0n);
  let booked = start;
  let balance = 0;
  const times: number[] = [];
  const entries: MadeEntry[] = [];
  for (const { gapMs, waitedMs, amount: wished } of history) {
    booked += gapMs;
    const amount = balance + wished < 0 ? -wished : wished;
    balance += amount;
    times.push(booked - waitedMs);
    entries.push({ at: new Date(booked - waitedMs).toISOString(), amount });
  }
  await bookAdjustments(fresh, wallet, entries);
  return { wallet, times, end: booked };
}

describe("whatever a wallet's history", () => {
  test("each range opens and closes with balances that its lines lead from and to, and ranges that adjoin share and lose none", async () => {
    const cuts = fc.array(fc.double({ min: -0.1, max: 1.1, noNaN: true }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(histories, cuts, fc.integer({ min: 1, max: 30 }), async (history, parts, size) => {
        const { wallet, times, end } = await walletOf(history);
        const marks = parts.map((part) => Math.round(start + (end - start) * part)).sort((a, b) => a - b);
        const edges = [null, ...marks, null];
        const all: StatementLine[] = [];
        for (const [index, from] of edges.slice(0, -1).entries()) {
          const before = edges[index + 1] ?? null;
          const lines = await everyLine(wallet, { from, before });
          expect(await everyPage(wallet, { from, before }, size)).toEqual(lines);
          // Everything before the first entry of `before` or later.
          const first = before === null ? -1 : times.findIndex((time) => time >= before);
          const last = first === -1 ? times.length : first;
          expect(seqs([...all, ...lines])).toEqual(upTo(last));
          all.push(...lines);
        }
        expect(all).toEqual(await everyLine(wallet, always));
      }),
      { numRuns: 40 },
    );
  });
});

describe("while others write", () => {
  test("pages of a wallet that buys on and on show every entry once, each after the one before it", async () => {
    const wallet = await fundedWallet(database, walletKey(21), 1_000_000_000n);
    let isOver = false;
    const buyers = ["a", "b", "c"].map(async (name) => {
      for (let n = 0; !isOver && n < 2_000; n++) {
        await insertPurchases(database, [newPurchase(wallet, `${name}-${n}`)], "2026-11-01");
      }
    });
    const seen: StatementLine[] = [];
    while (seen.length < 300) {
      const range = await openStatement(database, wallet, always);
      expect(entryCountOf(range)).toBeGreaterThanOrEqual(seen.length);
      seen.push(...(await readStatementLines(database, wallet, range, { skip: seen.length, limit: 7 })));
      if (seen.length % 49 === 0) await everyLine(wallet, always);
    }
    isOver = true;
    await Promise.all(buyers);
    expect(seqs(seen)).toEqual(upTo(seen.length));
    for (const [index, { amount, balanceAfter }] of seen.entries()) {
      expect(balanceAfter).toBe((seen[index - 1]?.balanceAfter ?? 0n) + amount);
    }
    expect((await everyLine(wallet, always)).slice(0, seen.length)).toEqual(seen);
  });

  test("an entry that is booked late stands at the end of its range, and none comes in once there is one behind it", async () => {
    const wallet = await fundedWallet(database, walletKey(22), 50_000n);
    const now = async () =>
      Math.ceil(Number((await fresh.pool.query("select extract(epoch from now()) * 1000 as ms")).rows[0].ms));
    const credit = () =>
      database.transaction((tx) =>
        creditWallet(tx, { wallet, amount: kobo(100n), kind: "adjustment", reason: "credit" }),
      );
    // Both begin, and so have their time, before the entries that are booked meanwhile.
    const late = await Promise.all([fresh.pool.connect(), fresh.pool.connect()]);
    for (const client of late) await client.query("begin; select now()");
    const book = async (client: (typeof late)[number]) => {
      const sums = "balance = balance + 5, seq = seq + 1";
      await client.query(
        `with moved as (
           update wallets set ${sums} where wallet_id = $1
           returning wallet_id, seq, balance
         )
         insert into ledger_entries (
           wallet_id, seq, kind, debit_account, credit_account, amount, delta, balance_after, reason
         )
         select wallet_id, seq, 'adjustment', 'adjustments', 'wallet', 5, 5, balance, 'late' from moved`,
        [wallet.merchantId],
      );
      await client.query("commit");
      client.release();
    };
    await credit();
    await credit();
    await new Promise((resolve) => setTimeout(resolve, 20));
    const span = { from: null, before: await now() };
    const before = await everyLine(wallet, span);
    expect(seqs(before)).toEqual([1, 2, 3]);
    await book(late[0]!);
    const after = await everyLine(wallet, span);
    expect([after.slice(0, 3), after[3]?.description]).toEqual([before, "late"]);
    await credit();
    await book(late[1]!);
    expect(await everyLine(wallet, span)).toEqual(after);
    expect(seqs(await everyLine(wallet, { from: span.before, before: null }))).toEqual([5, 6]);
    expect(seqs(await everyLine(wallet, always))).toEqual(upTo(6));
  });
});

test("merchants of one bucket, and the two modes of one merchant, never see each other's entries", async () => {
  const wallets = [walletKey(31), walletKey(31 + 64), walletKey(31, "test")];
  for (const [index, wallet] of wallets.entries()) {
    await fundedWallet(database, wallet, BigInt(1_000 * (index + 1)));
    const reason = `of ${index}`;
    await bookAdjustments(
      fresh,
      wallet,
      [1, 2, 3].map((amount) => ({ at: "2026-11-01T00:00:00Z", amount, reason })),
    );
    await insertPurchases(database, [newPurchase(wallet, "same-reference", { total: kobo(1n) })], "2026-11-01");
  }
  for (const [index, wallet] of wallets.entries()) {
    const lines = await everyLine(wallet, always);
    expect(lines.map(({ description }) => description).slice(0, 4)).toEqual(["test", ...Array(3).fill(`of ${index}`)]);
    expect(lines.at(-1)).toMatchObject({ kind: "purchase", reference: "same-reference", amount: -1n });
    expect(seqs(lines)).toEqual(upTo(5));
  }
});

test("lines that do not lead to the closing balance are no statement", async () => {
  const wallet = await fundedWallet(database, walletKey(41), 50_000n);
  await bookAdjustments(fresh, wallet, [{ at: "2026-11-01T00:00:00Z", amount: 10 }]);
  await fresh.pool.query(
    "update ledger_entries set amount = 11, delta = 11 where abs(wallet_id) = 41 and kind = 'adjustment'",
  );
  await expect(everyLine(wallet, always)).rejects.toThrow("the balance after an entry");
});
