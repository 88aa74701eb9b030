import { readFile } from "node:fs/promises";
import path from "node:path";
import { insertAllOwed } from "../../../src/domain/webhooks/log/delivery-queries.ts";
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
    sql: { file: "reroute_purchases.sql", edits: [["       and f.epoch = i.epoch\n", ""]] },
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
      routeFor: async (...asked) => ({ ...(await parts.routeFor(...asked)), foreseeable: true }),
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
        { idle: () => parts.settle.idle() },
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
    name: "the wallet is read in the statement that waits for its lock",
    sql: {
      file: "accept_purchases.sql",
      edits: [
        ["begin\n  perform 1\n", "begin\n  return query\n  with locked as materialized (\n  select 1\n"],
        ["      for update;\n", "      for update\n  ),\n"],
        ["  return query\n  with item as (\n", "  item as (\n"],
        [
          "      left join wallets w\n",
          "      cross join (select count(*) from locked) l\n      left join wallets w\n",
        ],
      ],
    },
  },
  {
    name: "settling reads the wallet in the statement that waits for its lock",
    sql: {
      file: "settle_purchases.sql",
      edits: [
        ["                 and i.status = 'failed'\n            )\n", "                 and false\n            )\n"],
      ],
    },
  },
  {
    name: "references are not looked up after the lock",
    sql: { file: "accept_purchases.sql", edits: [["           k.id is null\n", "           true\n"]] },
  },
  {
    name: "the day's limit looks at one purchase at a time",
    sql: {
      file: "accept_purchases.sql",
      edits: [[" and (least_limit is null or spent_today + spent <= least_limit)", ""]],
    },
  },
  {
    name: "a refund is booked but not given back",
    sql: { file: "settle_purchases.sql", edits: [["set balance = w.balance + c.total,", "set balance = w.balance,"]] },
  },
  {
    name: "the event is written in a second transaction",
    sql: {
      file: "settle_purchases.sql",
      edits: [
        ["  if v_some_owed then\n", "  if false then\n"],
        ["  if p_further is not null then\n", "  if false then\n"],
      ],
    },
    plant: (parts) => ({
      ...parts,
      settle: Object.assign(
        async (...[purchase, outcome, lease]: Parameters<Parts["settle"]>) => {
          const end = await parts.settle(purchase, outcome, lease);
          // Found by another end, or by its own whose acknowledgement was lost: not ours to tell, it seems.
          const isOurs = end.wallet === purchase.wallet && end.status !== "pending";
          const how = lease.epoch === 0 ? "final_in_own_response" : "changed";
          const owed = isOurs ? await parts.announcements.preparePurchase(end, how) : [];
          await insertAllOwed(
            parts.database,
            owed.map((event) => ({ wallet: end.wallet, event })),
            "event",
          );
          return end;
        },
        { idle: () => parts.settle.idle() },
      ),
    }),
  },
  {
    name: "the event of a second endpoint is forgotten",
    sql: { file: "settle_purchases.sql", edits: [["  if p_further is not null then\n", "  if false then\n"]] },
  },
  {
    name: "the event of a second endpoint is owed by who found the door shut, too",
    sql: { file: "settle_purchases.sql", edits: [["       where f.ordinal = any (v_settled)\n", ""]] },
  },
  {
    name: "an event is owed by who found the door shut, too",
    sql: {
      file: "settle_purchases.sql",
      edits: [
        ["  if v_some_owed then\n", "  if true then\n"],
        ["where i.ordinality = any (v_settled)\n         and i.delivery_id", "where i.delivery_id"],
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
