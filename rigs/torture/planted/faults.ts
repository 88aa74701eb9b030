/** A mistake that somebody might make one day, made on purpose in a copy of the sources. */
export interface PlantedFault {
  readonly name: string;
  /** Why the torture must notice it. */
  readonly shows: string;
  readonly edits: readonly Edit[];
  /** Files that come on top, made of the files as they are. */
  readonly adds?: readonly Addition[];
}

/** What stands in a file exactly once, and what the mistake makes of it. */
export interface Edit {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export interface Addition {
  readonly file: string;
  /** The file that the piece comes from. */
  readonly source: string;
  /** The piece of it that goes into the new file, from the first text up to the second. */
  readonly from: string;
  readonly upTo: string;
  readonly wrap: (piece: string) => string;
}

const accept = "migrations/functions/accept_purchases.sql";
const settle = "migrations/functions/settle_purchases.sql";
const reroute = "migrations/functions/reroute_purchases.sql";
const connector = "src/providers/http-connector.ts";
const breaker = "src/domain/suppliers/routing/breaker.ts";
export const unknownIsTrouble = "      return outcome.byHand === true ? null : true;\n";
const pendingAnswer = "  return open(dialect, request, { reading, evidence, unread });\n";
const refundFrom = "  if v_some_failed then\n";
const refundUpTo = "  -- What ended below the wallet's counted_id";

export const plantedFaults: readonly PlantedFault[] = [
  {
    name: "goods-not-compared",
    shows: "a supplier hands the PIN of one sale to the next one as well: two customers have it",
    edits: [
      {
        file: settle,
        from: "     where (d.wallet_id, d.purchase_id) <>",
        to: "     where false and (d.wallet_id, d.purchase_id) <>",
      },
    ],
  },
  {
    name: "refund-on-timeout",
    shows: "a supplier drops its answer after vending: refunded and vended",
    edits: [
      {
        file: connector,
        from: pendingAnswer,
        to: `  return { kind: "declined", errorCode: "RECIPIENT_BARRED", evidence };\n`,
      },
    ],
  },
  {
    name: "settle-without-the-gate",
    shows: "a process that lost its lease settles: its row in flight stays, or the second end runs into the first one",
    edits: [
      {
        file: settle,
        from: "select array_agg(g.ordinality)",
        to: "select array(select generate_series(1, cardinality(p_items)))",
      },
      { file: settle, from: "    from gate g;\n", to: ";\n" },
      { file: settle, from: "       and p.status = 'pending'\n", to: "" },
    ],
  },
  {
    name: "wallet-read-before-the-lock",
    shows: "two APIs sell to one busy merchant: one of them books by a balance that is past",
    edits: [{ file: accept, from: "         for update skip locked\n", to: "" }],
  },
  {
    name: "reroute-on-unknown",
    shows: "a supplier drops its answer after vending, and the next one vends too",
    edits: [
      {
        file: connector,
        from: pendingAnswer,
        to: `  return { kind: "declined", errorCode: "PROVIDER_DECLINED", evidence };\n`,
      },
    ],
  },
  {
    name: "outbox-in-a-second-transaction",
    shows: "a process is killed, or its connection cut, between the end and its event: nobody is told",
    edits: [
      { file: settle, from: "  if p_webhooks is not null then\n", to: "  if false then\n" },
      {
        file: "src/domain/purchases/settle.ts",
        from: "      if (events.some((due, i)",
        to: `      const told = items.flatMap(({ end }, i) =>
        results[i] === "here" ? (events[i] ?? []).map((event) => ({ wallet: end.wallet, event })) : [],
      );
      await insertDeliveries(database, told, "event");
      if (events.some((due, i)`,
      },
      {
        file: "src/domain/purchases/settle.ts",
        from: `import type { How } from "../webhooks/endpoints/endpoint.ts";\n`,
        to: `import { insertDeliveries } from "../webhooks/log/delivery-queries.ts";
import type { How } from "../webhooks/endpoints/endpoint.ts";\n`,
      },
    ],
  },
  {
    name: "refund-in-a-second-transaction",
    shows: "a process is killed, or its connection cut, between the failure and its refund: nothing is given back",
    edits: [
      { file: settle, from: refundFrom, to: "  if false then\n" },
      {
        file: "src/domain/purchases/settle-queries.ts",
        from: "  return db.query<SettleRow>(settlePurchases, valuesOf(items));\n",
        to: `  const settled = await db.query<SettleRow>(settlePurchases, valuesOf(items));
  const rows = arrayOfRows(items.map(settlementRow));
  const sql = { name: "refund_purchases", text: "select refund_purchases($1::settlement[], $2::bigint[])" };
  await db.query(sql, [rows, arrayOf(settled.map(({ ordinal }) => ordinal))]);
  return settled;\n`,
      },
    ],
    adds: [
      {
        file: "migrations/functions/refund_purchases.sql",
        source: settle,
        from: refundFrom,
        upTo: refundUpTo,
        wrap: (piece) => `create or replace function refund_purchases(p_items settlement[], v_settled bigint[])
returns void
language plpgsql
as $$
declare
  v_some_failed boolean := true;
  v_ended purchases[];
  v_wallet wallets%rowtype;
begin
  select array_agg(p) into v_ended
    from unnest(p_items) with ordinality as i
    join purchases p
      on p.wallet_id = i.wallet_id and p.id = i.id
   where i.ordinality = any (v_settled);
${piece}end
$$;
`,
      },
    ],
  },
  {
    name: "synchronous-commit-off",
    shows: "PostgreSQL is stopped at once: what was acknowledged a moment before is not there any more",
    edits: [
      {
        file: "src/platform/database/connection-config.ts",
        from: `  synchronous_commit: "on",\n`,
        to: `  synchronous_commit: "off",\n`,
      },
    ],
  },
  {
    name: "lease-without-its-epoch",
    shows: "a process that was stopped past its lease goes on: what it declined is sent on by it and by its successor",
    edits: [
      { file: settle, from: "       and f.epoch = coalesce(i.epoch, f.epoch)\n", to: "" },
      { file: reroute, from: "       and f.epoch = i.epoch\n", to: "" },
      { file: reroute, from: " and f.epoch = i.epoch\n     and", to: "\n     and" },
      { file: "src/domain/resolution/requery/pending-queries.ts", from: "        and f.epoch = i.epoch\n", to: "" },
    ],
  },
  {
    name: "never-received-believed-at-once",
    shows: "a request takes its time to its supplier, who knows of nothing, and vends a moment after the refund",
    edits: [
      {
        file: connector,
        from: "    if ((request.notReceivedMs ?? 0) < (dialect.quietMs ?? quietMs))\n",
        to: "    if (request.notReceivedMs === undefined)\n",
      },
    ],
  },
  {
    name: "silence-counts-as-nothing",
    shows: "a supplier answers 503 to everything, and goes on getting what another one would sell",
    edits: [{ file: breaker, from: unknownIsTrouble, to: "      return null;\n" }],
  },
];

const again = plantedFaults.filter(({ name }) => name === "reroute-on-unknown");

/** What `npm run torture -- --suppliers` must notice: connectors that believe what is no word of their supplier. */
export const supplierFaults: readonly PlantedFault[] = [
  {
    name: "error-page-believed",
    shows: "a supplier answers 502 after vending, with the words of a refusal: refunded, or sent on, and vended",
    edits: [
      {
        file: "src/providers/conversation.ts",
        from: "status < 200 || status >= 500 ||",
        to: "status < 200 ||",
      },
    ],
  },
  {
    name: "unknown-code-is-a-refusal",
    shows: "one supplier has a code that its documentation lacks, after vending",
    edits: [
      {
        file: "src/providers/vtpass/dialect.ts",
        from: "statusIn(json);\n  // A refusal that comes with a transaction was none",
        to: `statusIn(json);
  if (meaning === undefined) return { kind: "declined", errorCode: "PROVIDER_DECLINED" };
  // A refusal that comes with a transaction was none`,
      },
    ],
  },
  {
    name: "silence-counts-only-where-it-can-be-asked-about",
    shows: "suppliers that cannot be asked what became of a purchase go on getting all of them while they answer 502",
    edits: [
      {
        file: "src/domain/suppliers/routing/breaker.ts",
        from: unknownIsTrouble,
        to: "      return outcome.askNobody === true ? null : true;\n",
      },
    ],
  },
  ...again,
];
