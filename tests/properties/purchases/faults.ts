import { readFile } from "node:fs/promises";
import path from "node:path";
import { insertDeliveries } from "../../../src/domain/webhooks/log/delivery-queries.ts";
import type { VendOutcome } from "../../../src/providers/contract.ts";
import { migrationsDirectory } from "../../support/database.ts";
import type { Parts } from "./process.ts";

/** A mistake that somebody might make one day, made on purpose. */
export interface Fault {
  readonly name: string;
  /** In SQL: pieces of a function's text and what the mistake makes of them. */
  readonly sql?: { readonly file: string; readonly edits: readonly (readonly [from: string, to: string])[] };
  /** In TypeScript: parts of a process, replaced. */
  readonly plant?: (parts: Parts) => Parts;
}

const ofAll = "      from unnest(p_webhooks) as d";
const ofSettled = `${ofAll}\n     where d.ordinal = any (v_settled)`;

/** The faults of the money core. Each broke some published system, or would break this one without a sound. */
export const faults: readonly Fault[] = [
  {
    name: "a timeout is taken for a failure, and refunded",
    plant: withOutcomes((outcome) =>
      outcome.kind === "unknown" ? { kind: "declined", errorCode: "PROVIDER_DECLINED", evidence: "timeout" } : outcome,
    ),
  },
  {
    name: "a timeout is passed on to the next supplier",
    plant: (parts) => ({
      ...parts,
      router: {
        ...parts.router,
        async vend(supplier, request) {
          const outcome = await parts.router.vend(supplier, request);
          if (supplier === null || request.attempt > 1 || outcome.kind !== "unknown") return outcome;
          return { kind: "declined", errorCode: "PROVIDER_DECLINED", evidence: "timeout" };
        },
      },
    }),
  },
  {
    name: "a word about an earlier attempt passes the gate",
    sql: { file: "settle_purchases.sql", edits: [["       and f.attempt = i.attempt\n", ""]] },
  },
  {
    name: "who lost the lease reroutes all the same",
    sql: {
      file: "reroute_purchases.sql",
      edits: [
        ["       and f.epoch = i.epoch\n", ""],
        [" and f.epoch = i.epoch\n     and", "\n     and"],
      ],
    },
  },
  {
    name: "a timeout is taken for a success",
    plant: withOutcomes((outcome) =>
      outcome.kind === "unknown" ? { kind: "vended", providerReference: null, fulfilment: null } : outcome,
    ),
  },
  {
    name: "who has to ask sends the request again instead",
    plant: (parts) => ({ ...parts, router: { ...parts.router, requery: parts.router.vend } }),
  },
  {
    name: "the supplier is asked before the charge is durable",
    plant: (parts) => ({
      ...parts,
      routeFor: async (...calls) => ({ ...(await parts.routeFor(...calls)), predictable: true }),
    }),
  },
  {
    name: "a request leaves however late it is",
    plant: (parts) => ({ ...parts, clock: { now: () => 0 } }),
  },
  {
    name: "nobody asks whether the lease still holds",
    plant: (parts) => ({
      ...parts,
      settle: Object.assign(
        (...[purchase, outcome, lease]: Parameters<Parts["settle"]>) =>
          parts.settle(purchase, outcome, { ...lease, epoch: null }),
        { together: parts.settle.together, idle: () => parts.settle.idle() },
      ),
    }),
  },
  {
    name: "settling deletes the inflight row without looking whether it was there",
    sql: {
      file: "settle_purchases.sql",
      edits: [
        ["select array_agg(g.ordinality)", "select array(select generate_series(1, cardinality(p_items)))"],
        ["    from gate g;\n", ";\n"],
        ["       and p.status = 'pending'\n", ""],
      ],
    },
  },
  {
    name: "the gate stands open to who lost the lease",
    sql: {
      file: "settle_purchases.sql",
      edits: [["       and f.epoch = coalesce(i.epoch, f.epoch)\n", ""]],
    },
  },
  {
    name: "wallets are charged by what they held before they were locked",
    sql: { file: "accept_purchases.sql", edits: [["         for update skip locked\n", ""]] },
  },
  {
    name: "wallets get back by what they held before they were locked",
    sql: {
      file: "settle_purchases.sql",
      edits: [
        ["         for update skip locked\n", ""],
        ["         for update\n    loop\n", "    loop\n"],
      ],
    },
  },
  {
    name: "references are not looked up after the lock",
    sql: {
      file: "accept_purchases.sql",
      edits: [["and p.reference = i.reference and p.reference <> ''\n", "and p.reference = i.reference and false\n"]],
    },
  },
  {
    name: "the day's limit looks at one purchase at a time",
    sql: {
      file: "accept_purchases.sql",
      edits: [
        ["\n          and (v_days_spent[v_wallet] + v_requested[v_wallet] > v_least_limits[v_wallet]) is not true", ""],
      ],
    },
  },
  {
    name: "a refund is booked but not given back",
    sql: { file: "settle_purchases.sql", edits: [["set balance = w.balance + r.total,", "set balance = w.balance,"]] },
  },
  {
    name: "the event is written in a second transaction",
    sql: {
      file: "settle_purchases.sql",
      edits: [["  if p_webhooks is not null then\n", "  if false then\n"]],
    },
    plant: (parts) => ({
      ...parts,
      settle: Object.assign(
        async (...[purchase, outcome, lease]: Parameters<Parts["settle"]>) => {
          const end = await parts.settle(purchase, outcome, lease);
          // Found by another end, or by its own whose acknowledgement was lost: not ours to tell, it seems.
          const isOurs = end.wallet === purchase.wallet && end.status !== "pending";
          const how = lease.epoch === 0 ? "final_in_own_response" : "changed";
          const due = isOurs ? await parts.announcements.preparePurchase(end, how) : [];
          await insertDeliveries(
            parts.database,
            due.map((event) => ({ wallet: end.wallet, event })),
            "event",
          );
          return end;
        },
        { together: parts.settle.together, idle: () => parts.settle.idle() },
      ),
    }),
  },
  {
    name: "the event of a second endpoint is forgotten",
    sql: {
      file: "settle_purchases.sql",
      edits: [
        [`d.body\n${ofSettled}`, `d.body\n${ofSettled} and d.endpoint_number = 1`],
        [`d.endpoint_number, d.id\n${ofSettled}`, `d.endpoint_number, d.id\n${ofSettled} and d.endpoint_number = 1`],
      ],
    },
  },
  {
    name: "an event is owed by who found the door shut, too",
    sql: {
      file: "settle_purchases.sql",
      edits: [
        [`d.body\n${ofSettled}`, `d.body\n${ofAll}`],
        [`d.endpoint_number, d.id\n${ofSettled}`, `d.endpoint_number, d.id\n${ofAll}`],
      ],
    },
  },
];

/** The function with the fault in it. Fails when the text no longer has the place for it. */
export async function faultyFunction({ sql }: Fault): Promise<string[]> {
  if (sql === undefined) return [];
  let text = await readFile(path.join(migrationsDirectory, "functions", sql.file), "utf8");
  for (const [from, to] of sql.edits) {
    if (text.split(from).length !== 2) throw new Error(`${sql.file} has no single place with: ${from}`);
    text = text.replace(from, () => to);
  }
  return [text];
}

/** Replaces what the router says, of requests and of questions. */
function withOutcomes(change: (outcome: VendOutcome) => VendOutcome): (parts: Parts) => Parts {
  return (parts) => ({
    ...parts,
    router: {
      ...parts.router,
      vend: async (supplier, request) =>
        supplier === null ? parts.router.vend(supplier, request) : change(await parts.router.vend(supplier, request)),
      requery: async (supplier, request) => change(await parts.router.requery(supplier, request)),
    },
  });
}
