import { beforeEach, expect, test } from "vitest";
import { setSettings } from "../../src/domain/suppliers/settings.ts";
import { kobo } from "../../src/kernel/money.ts";
import { openDatabase, openPool } from "../../src/platform/database/database.ts";
import type { BalanceAnswer, Connector } from "../../src/providers/contract.ts";
import { balanceAsking, balanceWatch } from "../../src/workers/watch/watch-balances.ts";
import { closing } from "../support/closing.ts";
import { freshDatabase } from "../support/database.ts";
import { enterSuppliers } from "../support/fake-supplier.ts";
import { startWatch } from "../support/watch.ts";

const fresh = closing(await freshDatabase());
const options = { connectionString: fresh.url, connectionsMax: 4, applicationName: "balances" };
const database = closing(openDatabase(openPool({ ...options, plans: "ordinary" })));

interface Line {
  readonly event: string;
}
let lines: Line[] = [];
const log = { warn: (line: Line) => lines.push(line), error: (line: Line) => lines.push(line) } as never;

let calls = 0;
let answer: Pick<BalanceAnswer, "balance">;
const bank: Connector = {
  name: "bank",
  vend: () => Promise.reject(new Error("nobody buys here")),
  requery: () => Promise.reject(new Error("nobody buys here")),
  async balance() {
    calls += 1;
    // Long enough for the other process to look as well.
    await new Promise((resolve) => setTimeout(resolve, 30));
    return { status: 200, date: null, tookMs: 1, evidence: "what it said", currency: "NGN", ...answer };
  },
};
const { balance: _noBalance, ...desk } = { ...bank, name: "desk" };

beforeEach(async () => {
  lines = [];
  calls = 0;
  answer = { balance: kobo(4_999_999n) };
  await fresh.pool.query("truncate suppliers, turns cascade");
  await enterSuppliers(fresh.pool, [bank, desk]);
});

const ask = (connectors: readonly Connector[] = [bank, desk]) =>
  startWatch(balanceAsking, { database, routing: { connectors: async () => connectors }, log });
const watch = () => startWatch(balanceWatch, { database, log });
/** Everybody's turn comes again. */
const comeRound = (seconds: number) =>
  fresh.pool.query("update turns set free_at = free_at - make_interval(secs => $1)", [seconds]);

const stored = async () =>
  (await fresh.pool.query("select supplier, balance::int, reported_at from supplier_balances order by supplier")).rows;

test("two processes ask a supplier once in five minutes", async () => {
  const loops = [ask(), ask()];
  await expect.poll(stored).toEqual([{ supplier: "bank", balance: 4_999_999, reported_at: expect.any(Date) }]);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await Promise.all(loops.map((loop) => loop.stop()));
  expect([calls, lines]).toEqual([1, []]);
  await comeRound(299);
  const early = ask();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(calls).toBe(1);
  await comeRound(1);
  await expect.poll(() => calls).toBe(2);
  await early.stop();
});

test("no transaction is open while a supplier is waited for", async () => {
  const open: number[] = [];
  const looking: Connector = {
    ...bank,
    async balance() {
      const { rows } = await fresh.pool.query(
        "select count(*)::int as open from pg_stat_activity where application_name = 'balances' and state like 'idle in%'",
      );
      open.push(rows[0].open);
      return { status: 200, date: null, tookMs: 1, evidence: "", currency: "NGN", balance: kobo(1n) };
    },
  };
  const loop = ask([looking]);
  for (const times of [1, 2, 3]) {
    await expect.poll(() => open.length).toBe(times);
    await comeRound(300);
  }
  await loop.stop();
  expect(new Set(open)).toEqual(new Set([0]));
});

test("what a supplier does not tell is logged with what it said, and the last balance stays", async () => {
  const first = ask();
  await expect.poll(stored).toHaveLength(1);
  await first.stop();
  const [reply] = await stored();
  answer = { balance: null };
  await comeRound(300);
  const second = ask();
  await expect.poll(() => lines.length).toBeGreaterThan(0);
  await second.stop();
  expect(lines[0]).toEqual({ event: "supplier.balance_untold", supplier: "bank", evidence: "what it said" });
  expect(await stored()).toEqual([reply]);
});

test("below its alarm a balance is a line in the log, of one process, and a 1 in the metrics of all", async () => {
  const asking = ask();
  await expect.poll(stored).toHaveLength(1);
  await asking.stop();
  const watches = [watch(), watch()];
  const alarms = (value: number) =>
    expect.poll(async () => {
      const texts = await Promise.all(watches.map(({ metrics }) => metrics.text()));
      return texts.every((text) => text.includes(`_alarm{supplier="bank"} ${value}\n`));
    });
  await alarms(0).toBe(true);
  expect(await watches[0]?.metrics.text()).toContain('dispense_supplier_balance{supplier="bank"} 49999.99\n');
  expect(await watches[0]?.metrics.text()).toMatch(/balance_age_seconds\{supplier="bank"\} \d/);
  await setSettings(database, "bank", { alarmBelow: kobo(4_999_999n) }); // as much is not below
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(lines).toEqual([]);
  await setSettings(database, "bank", { alarmBelow: kobo(5_000_000n) });
  await alarms(1).toBe(true);
  await expect
    .poll(() => lines)
    .toEqual([{ event: "supplier.balance_low", supplier: "bank", balance: "49999.99", alarmBelow: "50000.00" }]);
  // Nothing is sent to a disabled one.
  await fresh.pool.query("update suppliers set state = 'disabled'");
  await alarms(0).toBe(true);
  await Promise.all(watches.map(({ stop }) => stop()));
});
