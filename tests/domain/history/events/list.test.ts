import { expect, test, vi } from "vitest";
import { closing } from "../../../support/closing.ts";
import { stockedDatabase } from "../../../support/database.ts";
import { rowsRead } from "../../../support/rows-read.ts";
import { fundedWallet, walletKey } from "../../../support/wallet.ts";
import { readAll, startSeller } from "./process.ts";

const fresh = closing(await stockedDatabase());
const seller = closing(startSeller(fresh));

let merchants = 0;
const newWallet = () => {
  merchants += 1;
  return fundedWallet(seller.database, walletKey(merchants), 1_000_000_000n);
};
const names = (count: number) => Array.from({ length: count }, (_, nth) => `order-${String(nth).padStart(3, "0")}`);

test("a long past is read in pieces, each bounded, and ends in the whole of it", async () => {
  const wallet = await newWallet();
  const references = names(60);
  for (const reference of references) await seller.end(await seller.buy(wallet, reference));
  // The top-up is an entry as well.
  const first = await seller.list(wallet, { entriesMax: 10 });
  expect([first.references, first.hasMore]).toEqual([references.slice(0, 9), true]);
  const read = await readAll(seller, wallet, { entriesMax: 10, limit: 7 });
  expect(read.references).toEqual(references);
  expect(await seller.list(wallet, { after: read.after })).toEqual({ ids: [], references: [], hasMore: false });
});

test("what is pending holds up nobody, however much of it there is, and is listed when it ends", async () => {
  const wallet = await newWallet();
  const waiting = await Promise.all(names(50).map((reference) => seller.buy(wallet, reference)));
  for (const reference of ["z-1", "z-2"]) await seller.end(await seller.buy(wallet, reference));
  const entriesMax = 5;
  const { references, after } = await readAll(seller, wallet, { entriesMax }, 100);
  expect(references).toEqual(["z-1", "z-2"]);
  for (const purchase of [waiting[49], waiting[0], waiting[25]]) if (purchase !== undefined) await seller.end(purchase);
  const ended = [await readAll(seller, wallet, { entriesMax, after }, 100)];
  // What was looked at last before is looked at first.
  ended.push(await readAll(seller, wallet, { entriesMax, after: ended[0]?.after ?? after }, 100));
  expect(ended.flatMap((each) => each.references).sort()).toEqual(["order-000", "order-025", "order-049"]);
});

test("whoever's list somebody else is lengthening is not kept waiting, and is told to ask again", async () => {
  const wallet = await newWallet();
  await seller.end(await seller.buy(wallet, "seen"));
  await seller.list(wallet);
  await seller.end(await seller.buy(wallet, "new"));
  const holder = await fresh.pool.connect();
  try {
    await holder.query("begin");
    await holder.query("select from event_lists where abs(wallet_id) = $1 for update", [wallet.merchantId]);
    expect(await seller.list(wallet)).toMatchObject({ references: ["seen"], hasMore: true });
  } finally {
    await holder.query("rollback");
    holder.release();
  }
  expect(await seller.list(wallet)).toMatchObject({ references: ["seen", "new"], hasMore: false });
});

test("what was bought long before the first reading, and is still pending then, is listed when it ends", async () => {
  const wallet = await newWallet();
  const old = await seller.buy(wallet, "old");
  const age = "update ledger_entries set created_at = now() - interval '90 days' where abs(wallet_id) = $1";
  await fresh.pool.query(age, [wallet.merchantId]);
  await seller.end(await seller.buy(wallet, "young"));
  const first = await seller.list(wallet);
  expect(first.references).toEqual(["young"]);
  await seller.end(old);
  expect((await seller.list(wallet, { after: first.ids.at(-1) ?? null })).references).toEqual(["old"]);
});

test("what was purged is left out, and holds up nobody", async () => {
  const wallet = await newWallet();
  for (const reference of names(8)) await seller.end(await seller.buy(wallet, reference));
  const first = await seller.list(wallet, { limit: 1 });
  await fresh.pool.query("delete from purchases where abs(wallet_id) = $1 and reference <> 'order-007'", [
    wallet.merchantId,
  ]);
  const next = await seller.list(wallet, { after: first.ids.at(-1) ?? null, limit: 1 });
  expect(next).toMatchObject({ references: ["order-007"], hasMore: false });
});

test("what has left the list is deleted, but for the last of it", async () => {
  const wallet = await newWallet();
  for (const reference of names(6)) await seller.end(await seller.buy(wallet, reference));
  await seller.list(wallet);
  const age = `update listed_events set happened_at = now() - interval '32 days' where abs(wallet_id) = $1 and position <= 4`;
  await fresh.pool.query(age, [wallet.merchantId]);
  expect((await seller.list(wallet)).references).toEqual(["order-004", "order-005"]);
  const left = "select position::int from listed_events where abs(wallet_id) = $1 order by position";
  const { rows } = await fresh.pool.query(left, [wallet.merchantId]);
  expect(rows.map(({ position }) => position)).toEqual([4, 5, 6]);
});

test("a poll reads what is new and not all that there was, by plans made when nothing was there", async () => {
  const process = startSeller(fresh);
  const wallet = await newWallet();
  await seller.end(await seller.buy(wallet, "first"));
  await process.list(wallet);
  const references = names(600);
  await Promise.all(references.map(async (reference) => seller.end(await seller.buy(wallet, reference))));
  const { after, references: listed } = await readAll(process, wallet);
  expect(listed).toHaveLength(601);
  for (const reference of ["new-1", "new-2", "new-3"]) await seller.end(await seller.buy(wallet, reference));
  const waiting = await seller.buy(wallet, "waiting");
  for (const [table, rowsMax] of [
    ["ledger_entries", 20],
    ["purchases", 60],
    ["listed_events", 60],
    ["awaited_ends", 20],
  ] as const) {
    // Not at once: other connections hand in late what they counted before, and what ended is read until no snapshot of
    // autovacuum's sees it any more.
    await vi.waitFor(
      async () => {
        const rows = await rowsRead(process.database, table, () => process.list(wallet, { after }));
        expect(rows, table).toBeLessThan(rowsMax);
      },
      { timeout: 20_000, interval: 100 },
    );
  }
  await seller.end(waiting);
  await process.close();
});
