import { Readable } from "node:stream";
import { negotiate } from "@fastify/accept-negotiator";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import {
  entryCountOf,
  openStatement,
  readStatementLines,
  statementCsvPieces,
  writeStatementLine,
} from "../../domain/history/statement/wallet-statement.ts";
import { entryKinds, type StatementRange } from "../../domain/history/statement/wallet-statement-queries.ts";
import type { WallTime } from "../../kernel/clock.ts";
import { type WalletKey, walletName } from "../../kernel/ids.ts";
import { formatNaira } from "../../kernel/money.ts";
import { pageMeta } from "../../kernel/page.ts";
import { refuse, refuseField } from "../../kernel/problems.ts";
import { forReaders } from "../../platform/database/database.ts";
import { pacedPieces } from "../../platform/pacing.ts";
import { operation } from "../openapi/operation.ts";
import { walletOf } from "../request-context.ts";
import {
  instant,
  integer,
  money,
  nullable,
  oneOf,
  pageMetaSchema,
  referenceSchema,
  text,
  transactionIdSchema,
} from "../schemas/schemas.ts";
import type { RouteServices, TypedServer } from "../services.ts";
import { dateFilters, instantFilter, pageFilters, pageOf } from "./list-filters.ts";

const statementQuery = Type.Object({ ...dateFilters, ...pageFilters });

type StatementQuery = Static<typeof statementQuery>;

const entrySchema = Type.Object(
  {
    seq: integer(
      { minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      "The entry's number in the wallet: 1, 2, 3 and so on, without a gap.",
      2,
    ),
    at: instant("When it was booked."),
    kind: oneOf(entryKinds, {
      description:
        "`top_up`: money came in. `purchase`: a purchase was charged. `refund`: it failed and was given back. `reversal`: its supplier took it back later, and so its price was given back. `adjustment`: the operator's correction. `sandbox_reset`: the sandbox wallet was reset.",
    }),
    reference: nullable(
      referenceSchema(
        "The purchase's reference; null for other entries, and once a sandbox purchase is purged.",
        "r-1",
      ),
    ),
    transaction_id: nullable(transactionIdSchema),
    description: text(300, "What it was for.", "MTN 1GB 30 days for 08031234567"),
    amount: money("Below zero where the wallet paid.", "-640.00"),
    balance_after: money("What the wallet held after it.", "99360.00"),
  },
  { "x-component": "WalletEntry" },
);

const statementAnswer = Type.Object(
  {
    opening_balance: money("What the wallet held before the first entry of the range.", "100000.00"),
    closing_balance: money("What it held after the last entry of the range.", "99360.00"),
    entries: Type.Array(entrySchema, { maxItems: 100 }),
    meta: pageMetaSchema,
  },
  { "x-component": "WalletStatement" },
);

const csvExample = [
  "seq,at,kind,reference,transaction_id,description,amount,balance_after",
  "2,2026-11-20T14:03:09+01:00,purchase,r-1,SBX01KAGZ7Q3M5T8V1X4Y6Z9B2C3D,MTN 1GB 30 days for 08031234567,-640.00,99360.00",
  "",
].join("\r\n");

const statementCsv = Type.String({
  maxLength: Number.MAX_SAFE_INTEGER,
  description:
    "A heading, then every entry of the range with the same fields in the same order. A text that a spreadsheet would take for a formula begins with an apostrophe.",
  examples: [csvExample],
});

const statementSchema = operation({
  id: "getWalletStatement",
  tag: "Wallet",
  summary: "Read the wallet's statement",
  description: `Every entry of the wallet of the key's own mode, oldest first. \`opening_balance\` and \`closing_balance\` are those of the whole range from \`from\` to \`to\`, whatever the page: the opening balance and the amounts of all its entries add up to the closing balance, and each entry's \`balance_after\` is the one before it and its \`amount\`. A range begins with the first entry that was booked at \`from\` or later, and ends before the first one that was booked after \`to\`: ranges that adjoin, such as two months, share no entry and leave none out. An entry that waited for another one may tell a time some moments before it. Entries are only ever added at the end of a range, and none once there is an entry behind it, so pages neither lose nor repeat one.

With \`Accept: text/csv\` the whole range comes as CSV with a heading, whatever the page, one statement at a time for each wallet.`,
  querystring: statementQuery,
  responses: { 200: statementAnswer },
  csv: statementCsv,
});

/** The wallet's entries with their balances: a page at a time, or all of them as CSV. */
export function walletStatementRoutes(app: TypedServer, services: RouteServices): void {
  const reads = forReaders(services.database);
  const sendCsv = csvSender(app, services);

  app.get("/wallet/statement", { schema: statementSchema }, async (request, reply) => {
    const { query } = request;
    const wallet = walletOf(request);
    const range = await openStatement(reads, wallet, spanOf(query, services.wallTime));
    reply.header("vary", "accept");
    if (prefersCsv(request)) return sendCsv(request, reply, wallet, range);
    const page = pageOf(query);
    const slice = { skip: (page.page - 1) * page.perPage, limit: page.perPage };
    const lines = await readStatementLines(reads, wallet, range, slice);
    return {
      opening_balance: formatNaira(range.openingBalance),
      closing_balance: formatNaira(range.closingBalance),
      entries: lines.map((line) => writeStatementLine(line, wallet, services)),
      meta: pageMeta(page, entryCountOf(range)),
    };
  });
}

/** @throws Refusal INVALID_DATE */
function spanOf({ from: first, to }: StatementQuery, zone: WallTime) {
  const from = instantFilter("from", first, zone);
  const before = instantFilter("to", to, zone);
  if (from !== null && before !== null && before <= from) {
    throw refuseField("INVALID_DATE", "to", "Must not lie before `from`.");
  }
  return { from, before };
}

/** Parameters of a type that say nothing of how much it is liked, such as a charset. */
const otherParameters = /;(?!\s*q=)[^;,]*/g;

/** JSON, unless CSV is what the client likes better: one that takes anything gets JSON. */
function prefersCsv({ headers }: FastifyRequest): boolean {
  const accepted = (headers.accept ?? "").toLowerCase().replace(otherParameters, "");
  return negotiate(accepted, ["application/json", "text/csv"]) === "text/csv";
}

type SendCsv = (request: FastifyRequest, reply: FastifyReply, wallet: WalletKey, range: StatementRange) => FastifyReply;

/** Streams statements, one for each wallet at a time. A reader that is slow holds its connection and some lines. */
function csvSender(app: TypedServer, services: RouteServices): SendCsv {
  const reads = forReaders(services.database);
  const sending = new Map<string, Readable>();
  // Else the service could not stop before the last reader is done. Its reader sees that its end is missing.
  app.addHook("preClose", (done) => {
    for (const stream of sending.values()) stream.destroy();
    done();
  });

  return (request, reply, wallet, range) => {
    const name = walletName(wallet);
    if (sending.has(name)) throw refuse("RATE_LIMITED", oneAtATime);
    reply.type("text/csv; charset=utf-8");
    reply.header("content-disposition", 'attachment; filename="wallet-statement.csv"');
    if (request.method === "HEAD") return reply.send("");
    // Not before the first entries were read: until then a database that is away is told by a refusal.
    const stream = Readable.from(pacedPieces(statementCsvPieces(reads, wallet, range, services)));
    sending.set(name, stream);
    stream.once("close", () => sending.delete(name));
    stream.once("error", (error) => {
      services.log.error({ event: "statement.broke_off", requestId: request.id, fault: String(error) });
    });
    // The client has gone: of an answer that was given up before it began, no event comes.
    if (reply.raw.destroyed) stream.destroy();
    return reply.send(stream);
  };
}

const oneAtATime = {
  message: "A statement of this wallet is being sent as CSV. Ask for another one when it has ended.",
  meta: { limit: "statements", max_statements: 1 },
  retryAfterSeconds: 5,
};
