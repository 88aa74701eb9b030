import { describe, expect, test } from "vitest";
import { closing } from "../support/closing.ts";
import { type Case, casesOf, faults, points, reroutePoints, zombie } from "../support/crash/cases.ts";
import { type Buyer, type Received, setStage, startingBalance } from "../support/crash/stage.ts";

// A purchase is struck at each of its points, by each fault and for each verdict of its supplier (see `casesOf`). The services are real
// processes, PostgreSQL is a durable one, and the supplier is the test: it is never killed, and remembers what it did.
//
// Not here: the points of a webhook, which are in the tests of its delivery. And one that no program can
// close: a process that is stopped for a minute in the few microseconds between looking at the clock and writing its
// request. A connector closes most of it, by taking "never received" for a no only after a quiet period.

const { afterC1, ...inOrder } = points;
const cases = [
  ...[...Object.values(inOrder), ...Object.values(reroutePoints)].flatMap((point, at) =>
    faults.flatMap((fault) => casesOf(point, fault, at)),
  ),
  ...[reroutePoints.beforeReroute, reroutePoints.beforeNextRequest].flatMap((point) => casesOf(point, zombie)),
  ...[afterC1, points.requestSent, points.beforeC2].flatMap((point) => casesOf(point, zombie)),
];

const stage = closing(await setStage(cases.length));

describe("a purchase is charged once or not at all, and ends as its supplier says, when", () => {
  test.each(cases.map((each) => [describeCase(each), each] as const))("%s", (_name, each) => play(each), 120_000);
});

function describeCase({ point, verdict, fault }: Case): string {
  return `${fault.name} ${point.name} (${verdict})`;
}

async function play({ point, verdict, fault }: Case): Promise<void> {
  const buyer = stage.nextBuyer(verdict);
  const stopped = await point.reach(stage, buyer);
  await fault.strike(stage, stopped);
  const received = await stopped.received;
  // The service sends again for ten seconds: on a machine that restarts PostgreSQL no sooner, it can't know what was done.
  const first = stage.backAfterMs() > 5_000 && received?.status === 500 ? null : received;
  if (first === received) expectReceived(received, { point, verdict, fault });

  await stage.letItEnd(buyer);
  const known = (await findPurchase(buyer)) !== null;
  const second = await stage.buy(buyer);
  // A C1 whose sender died may still be carried out by PostgreSQL, at any time until the same reference comes again.
  if (known) expect(second, "a reference that bought something is a replay").toMatchObject({ replayed: true });
  await stage.letItEnd(buyer);
  const third = await stage.buy(buyer);

  await expectTruth(buyer, third);
  for (const answer of [first, second]) expectStillThere(answer, third);
  expect(await stage.brokenInvariants()).toEqual([]);
}

/** A fault that the process survives is none of its client's business, but for the time that it takes. */
function expectReceived(received: Received, { point, verdict, fault }: Case): void {
  const answered = [201, 202, 422];
  // What is not known yet may have been answered: only when to ask again is still being written.
  const unanswered = verdict === "unknown" && point.answersUnknown ? [null, 202] : [null];
  expect(fault.survived ? answered : unanswered, "the client's answer").toContain(received?.status ?? null);
}

interface StoredPurchase {
  readonly status: string;
  readonly total: string;
  readonly balance: string;
  readonly debits: number;
  readonly refunds: number;
}

async function findPurchase({ merchant }: Buyer): Promise<StoredPurchase | null> {
  const { rows } = await stage.postgres.pool.query<StoredPurchase>(
    `select p.status, p.total, w.balance,
            (count(*) filter (where e.kind = 'purchase'))::integer as debits,
            (count(*) filter (where e.kind = 'refund'))::integer as refunds
       from purchases p
       join wallets w using (wallet_id)
       left join ledger_entries e
         on e.wallet_id = p.wallet_id and e.purchase_id = p.id
      where abs(p.wallet_id) = $1
      group by p.wallet_id, p.id, p.status, p.total, w.balance`,
    [merchant.id],
  );
  expect(rows.length, "one reference is one purchase").toBeLessThanOrEqual(1);
  return rows[0] ?? null;
}

/** Supplier, wallet, ledger and wire agree. */
async function expectTruth(buyer: Buyer, received: Received): Promise<void> {
  const stored = await findPurchase(buyer);
  const vends = stage.supplier.vendsTo(buyer.phone);
  const status = vends === 1 ? "successful" : "failed";
  expect(vends, "the supplier vended at most once").toBeLessThanOrEqual(1);
  const total = BigInt(stored!.total);
  expect(stored).toEqual({
    status,
    total: `${total}`,
    balance: `${vends === 1 ? startingBalance - total : startingBalance}`,
    debits: 1,
    refunds: vends === 1 ? 0 : 1,
  });
  expect(received).toMatchObject({ status: vends === 1 ? 201 : 422, replayed: true, body: { status } });
}

/** What a client was once told stays true: the numbers for ever, the status from its end on. */
function expectStillThere(reply: Received, now: Received): void {
  if (reply === null) return;
  const { transaction_id, balance_before } = reply.body;
  expect(now?.body).toMatchObject(
    reply.body.status === "pending" ? { transaction_id, balance_before } : { ...reply.body },
  );
}
