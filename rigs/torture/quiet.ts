import { setTimeout as delay } from "node:timers/promises";
import { leaseSeconds } from "../../src/domain/resolution/requery/resolve-pending.ts";
import { leaseSeconds as deliveryLeaseSeconds } from "../../src/domain/webhooks/delivery/delivery-work.ts";
import { breakerPauseMs } from "../../src/kernel/breaker.ts";
import type { Database } from "../../src/platform/database/database.ts";
import { quietMs } from "../../src/providers/http-connector.ts";
import type { Answers } from "./answers.ts";
import { askOutside, type Ground } from "./ground.ts";
import { updateInflight } from "./moved-time.ts";
import type { Order } from "./order-book.ts";
import { openMerchantClient, type ServiceProcess } from "./service-process.ts";
import type { Check } from "./verdict.ts";

/** What is left to do. */
export interface Open {
  readonly pending: number;
  readonly deliveries: number;
}

const countOpen = {
  name: "count_torture_open",
  text: `
    select (select count(*) from inflight)::integer as pending,
           (select count(*) from webhook_outbox)::integer as deliveries`,
};

/** Suppliers answer within seconds now: whoever took its lease within this time may still be at it, and nobody else. */
const livingSeconds = 10;

const updateDue = {
  name: "update_torture_waits",
  text: updateInflight(
    "due_at = least(f.due_at, now())",
    `step <> 'review'
                and due_at not between now() + make_interval(secs => $1) and now() + make_interval(secs => $2)`,
  ),
};

/** A person has the suppliers that are programs asked again about what waits for one: goods that were somebody else's. */
const updateReviewed = {
  name: "update_torture_reviewed",
  text: updateInflight("step = 'requery', due_at = now()", "step = 'review'"),
};

const updateDeliveries = {
  name: "update_torture_deliveries",
  text: `
    update webhook_outbox o
       set due_at = least(o.due_at, now()),
           leased_until = null
      from (
             select lane, wallet_id, endpoint_number, delivery_id
               from webhook_outbox
              where leased_until is null or leased_until < now() + make_interval(secs => $1)
                for update skip locked
           ) free
     where o.lane = free.lane
       and o.wallet_id = free.wallet_id
       and o.endpoint_number = free.endpoint_number
       and o.delivery_id = free.delivery_id`,
};

/** Only once nothing is under way at any supplier, and every process has been awake for some time. */
const updateNotReceived = {
  name: "update_torture_not_received",
  text: updateInflight(
    "not_received_since = f.not_received_since - make_interval(secs => $1)",
    "not_received_since > now() - make_interval(secs => $1)",
  ),
};

const awakeMs = 8_000;

export async function readOpen(database: Database): Promise<Open> {
  const [row] = await database.query<Open>(countOpen);
  return row ?? { pending: 0, deliveries: 0 };
}

/**
 * After the storm: everything runs, nobody buys. Waits end sooner than they would by themselves, so that fifteen minutes of
 * the service's own time pass in some seconds. Resolves when nothing is open, or the time is over.
 * @param notReceivedSeconds how long the slowest supplier must have said that it never received something
 */
export async function letAllEnd(
  { postgres: { database }, suppliers }: Ground,
  secondsMax: number,
  onLook: (open: Open, seconds: number) => void,
  notReceivedSeconds = quietMs / 1_000,
): Promise<Open> {
  const startedAt = performance.now();
  const isOver = () => performance.now() - startedAt > secondsMax * 1_000;
  for (const supplier of suppliers) await askOutside(supplier, "/calm");
  let open = await readOpen(database);
  while ((open.pending > 0 || open.deliveries > 0) && !isOver()) {
    if (suppliers.length > 0) await database.query(updateReviewed);
    await database.query(updateDue, [leaseSeconds - livingSeconds, leaseSeconds]);
    await database.query(updateDeliveries, [deliveryLeaseSeconds - livingSeconds]);
    const isAwake = performance.now() - startedAt > awakeMs;
    if (isAwake && (await underWay(suppliers)) === 0) await database.query(updateNotReceived, [notReceivedSeconds]);
    await delay(1_000);
    open = await readOpen(database);
    onLook(open, (performance.now() - startedAt) / 1_000);
  }
  return open;
}

async function underWay(suppliers: Ground["suppliers"]): Promise<number> {
  const reply = await Promise.all(suppliers.map((supplier) => askOutside(supplier, "/open")));
  return reply.reduce((sum: number, each) => sum + (each as { underWay: number }).underWay, 0);
}

/** Four times what opens a breaker (domain/suppliers/routing/breaker.ts). */
const purchases = 40;
const silencesMax = 10;
/** Of orders by chance some are for the path; where none is, the check fails. */
const ordersMax = 10_000;

const countSentTo = {
  name: "count_torture_sent_to",
  text: `select count(*)::integer as sent from purchases where wallet_id > 0 and reference = any($1) and supplier = $2`,
};

/**
 * Once the storm is over: buys one after the other, at one process, what a supplier that is silent is asked for first.
 * Others sell the same.
 */
export async function trySilence(
  where: { readonly database: Database; readonly api: ServiceProcess | undefined; readonly answers: Answers },
  what: { readonly supplier: string; readonly path: string; readonly nextOrder: () => Order },
): Promise<Check> {
  const { database, api, answers } = where;
  const { supplier, path, nextOrder } = what;
  const client = openMerchantClient();
  const references: string[] = [];
  const startedMs = performance.now();
  for (let drawn = 0; api !== undefined && references.length < purchases && drawn < ordersMax; drawn++) {
    const order = nextOrder();
    if (order.path !== path || order.merchant.isShort) continue;
    const { merchant, reference } = order;
    const { body } = await client.ask(api, merchant.key, path, order.body);
    references.push(reference);
    if (body?.transaction_id !== undefined) answers.receive(merchant.id, reference, body, "an answer");
  }
  await client.close();
  const [row] = await database.query<{ sent: number }>(countSentTo, [references, supplier]);
  const sent = row?.sent ?? 0;
  // On a busy machine they take longer than the breaker's pause, after which one more is sent, to probe it.
  const probes = Math.floor((performance.now() - startedMs) / breakerPauseMs.first);
  const isKept = references.length === purchases && sent <= silencesMax + probes;
  return {
    promise: `a supplier that is silent gets ${silencesMax} purchases of a category and probes, and others the rest`,
    broken: isKept ? [] : [`${supplier} got ${sent} of ${references.length}`],
  };
}
