import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { VendRequest } from "../../src/categories/supplier-request.ts";
import { leaseSeconds } from "../../src/domain/resolution/requery/resolve-pending.ts";
import { formatNaira, kobo } from "../../src/kernel/money.ts";
import type { Connector, VendOutcome } from "../../src/providers/contract.ts";
import { type Answer, startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { operate } from "../support/operate.ts";
import { comingDue } from "../support/pass-time.ts";
import { makeScratchDirectory } from "../support/scratch-directory.ts";

// The first supplier falls over in the middle of a load and gets up again; the second is well. What both really did is
// in a log of their own, which is the judge.

const purchases = 400;
const atOnce = 20;
/** The purchases, by number, that find the first supplier out of order. */
const outage = { from: 100, to: 300 };

const vended: VendOutcome = { kind: "vended", providerReference: null, fulfilment: { kind: "topup" } };
const declined: VendOutcome = { kind: "declined", errorCode: "PROVIDER_DECLINED", evidence: "never received" };
const noConnection: VendOutcome = { kind: "declined", errorCode: "OPERATOR_UNAVAILABLE", evidence: "refused" };

/** What a supplier was asked under one of our references, whether it vended, and what it charges for that, in kobo. */
interface Deed {
  readonly supplier: string;
  readonly calls: number;
  readonly vended: boolean;
  readonly charged: bigint;
}

const log = new Map<string, Deed>();
let isOut = false;
let sent = 0;

/** Both suppliers take nine tenths of the face amount. */
function record(supplier: string, { supplierReference, faceAmount }: VendRequest, isVended: boolean): void {
  const known = log.get(supplierReference);
  const vended = isVended || known?.vended === true;
  log.set(supplierReference, { supplier, calls: (known?.calls ?? 0) + 1, vended, charged: (faceAmount * 9n) / 10n });
}

/** While it is out: some requests are vended and their answers lost, some are lost, some never get there. */
async function vendInTrouble(name: string, request: VendRequest): Promise<VendOutcome> {
  sent += 1;
  if (sent % 4 === 0) return noConnection;
  record(name, request, sent % 4 === 1);
  if (sent % 4 === 3) throw new Error("socket hang up");
  return { kind: "unknown", evidence: "504" };
}

function supplier(name: string, fails: boolean): Connector {
  return {
    name,
    async vend(request) {
      if (fails && isOut) return vendInTrouble(name, request);
      record(name, request, true);
      return vended;
    },
    async requery({ supplierReference }) {
      if (fails && isOut) return { kind: "unknown", evidence: "504" };
      return log.get(supplierReference)?.vended === true ? vended : declined;
    },
  };
}

const app = closing(await startApp({ suppliers: [supplier("first", true), supplier("second", false)], workers: true }));

async function buyAll(key: string): Promise<Answer[]> {
  const answers: Answer[] = [];
  let next = 0;
  const buyer = async () => {
    while (next < purchases) {
      const number = next++;
      isOut = number >= outage.from && number < outage.to;
      const body = { reference: `outage-${number}`, product_id: 1002, phone: "08031234567" };
      answers[number] = await app.call(key, "/data/purchase", { body });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, buyer));
  return answers;
}

/** Time passes until nothing is pending. */
async function letAllEnd(): Promise<void> {
  for (let look = 0; look < 900; look++) {
    const { rowCount } = await app.fresh.pool.query("select 1 from inflight limit 1");
    if (rowCount === 0) return;
    // No worker dies here, so all of them live.
    await app.fresh.pool.query(comingDue(leaseSeconds));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("something stayed pending");
}

test("a supplier's outage under load loses, vends twice and charges twice nothing, by the suppliers' own log", async () => {
  await app.fresh.pool.query("update merchants set limit_tier = 3 where id = $1", [app.merchant.id]);
  await app.feel("merchants");
  const key = app.merchant.liveKey ?? "";
  const answers = await buyAll(key);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 202]));
  await letAllEnd();

  const { rows } = await app.fresh.pool.query<{ id: string; status: string; total: string; references: string[] }>(
    `select p.id::text, p.status, p.total::text, array_agg(a.supplier_reference order by a.attempt) as references
       from purchases p
       join vend_attempts a
         on a.wallet_id = p.wallet_id and a.purchase_id = p.id
      group by p.id, p.status, p.total`,
  );
  expect(rows).toHaveLength(purchases);
  for (const { id, status, references } of rows) {
    const times = references.filter((reference) => log.get(reference)?.vended === true).length;
    expect([id, times]).toEqual([id, status === "successful" ? 1 : 0]);
  }
  expect([...log.values()].filter(({ calls }) => calls !== 1)).toEqual([]);
  expect([...log.values()].filter((deed) => deed.vended)).toHaveLength(
    rows.filter(({ status }) => status === "successful").length,
  );
  const spent = rows.filter(({ status }) => status === "successful").reduce((sum, row) => sum + BigInt(row.total), 0n);
  const { balance } = (await app.call(key, "/wallet/balance")).body;
  expect(BigInt(balance.replace(".", ""))).toBe(100_000_000n - spent);
  // The load did meet the outage, and got round it.
  expect(rows.some(({ references }) => references.length === 2)).toBe(true);
  expect(answers.some(({ status }) => status === 202)).toBe(true);
});

test("the operator's reconciliation finds every vend of both suppliers' statements in our books, and no other", async () => {
  const scratch = await makeScratchDirectory();
  const day = (offsetDays: number) => new Date(Date.now() + offsetDays * 86_400_000).toISOString().slice(0, 10);
  const span = ["--from", day(-1), "--to", day(1)];
  const environment = { DATABASE_URL: app.fresh.url, DATA_DIR: scratch.folder };
  try {
    for (const name of ["first", "second"]) {
      const deeds = [...log].filter(([, deed]) => deed.supplier === name && deed.vended);
      const lines = deeds.map(([reference, { charged }]) => `${reference},${formatNaira(kobo(charged))}`);
      const statement = path.join(scratch.folder, `${name}.csv`);
      writeFileSync(statement, `reference,amount\n${lines.join("\n")}\n`);
      const found = await operate(["reconcile", name, statement, ...span, "--json"], environment);
      const counts = Object.fromEntries(found.lines.map(({ set, count }) => [set, count]));
      expect(counts).toEqual({ both: deeds.length, ours_only: 0, theirs_only: 0, amounts_differ: 0 });
      expect([found.code, deeds.length > 0]).toEqual([0, true]);
    }
  } finally {
    await scratch.remove();
  }
});
