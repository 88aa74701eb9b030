import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema, HookHandlerDoneFunction } from "fastify";
import { Type } from "typebox";
import type { Category } from "../../../categories/category.ts";
import { categories } from "../../../categories/registry.ts";
import { bulkObject } from "../../../domain/bulk-orders/bulk-object.ts";
import { type BulkOrder, type LineCounts, linesMax } from "../../../domain/bulk-orders/bulk-order.ts";
import { nameFirstLines } from "../../../domain/bulk-orders/lines.ts";
import { countBulkLines, findBulkOrder, listBulkLines } from "../../../domain/bulk-orders/queries.ts";
import { type PurchaseStatus, purchaseStatuses, soldProductOf } from "../../../domain/purchases/purchase.ts";
import { messageOf } from "../../../domain/purchases/transaction-object.ts";
import { assert } from "../../../kernel/assert.ts";
import { parseStoredReference } from "../../../kernel/ids.ts";
import { type Page, pageMeta } from "../../../kernel/page.ts";
import { Refusal, refuse } from "../../../kernel/problems.ts";
import { forReaders } from "../../../platform/database/database.ts";
import type { Validator } from "../../../platform/validation/validator.ts";
import { answer, bulkProblems, operation } from "../../openapi/operation.ts";
import { principalOf, walletOf } from "../../request-context.ts";
import { bulkSchema } from "../../schemas/bulk-schemas.ts";
import { pathParameter } from "../../schemas/schemas.ts";
import type { RouteServices, TypedServer } from "../../services.ts";
import { choiceFilter, pageField } from "../list-filters.ts";
import { bulkBody, bulkChecks, countLines } from "./bulk-body.ts";
import { readBulkCommand } from "./bulk-lines.ts";

/** Ten thousand lines with references of their own. */
const bulkBytesMax = 4 * 1_048_576;
/** A live order of ten thousand lines takes its time. */
const retryAfterSeconds = 10;

const firstPage: Page = { page: 1, perPage: 100 };

const getSchema = operation({
  id: "getBulkOrder",
  tag: "Bulk",
  summary: "Fetch a bulk order",
  description:
    "An order in its present state, with one page of its lines, in the order sent. `status` filters the lines; the counts stay those of the whole order.",
  params: Type.Object({
    reference: pathParameter("Your reference of the order.", "order-bulk-data-1"),
  }),
  querystring: Type.Object({
    status: choiceFilter(purchaseStatuses, "INVALID_STATUS"),
    page: Type.Optional(pageField({ maximum: linesMax, problem: "INVALID_PAGE", description: "Counts from 1." })),
    per_page: Type.Optional(
      pageField({ maximum: 1_000, problem: "INVALID_PER_PAGE", description: "1 to 1000; 100 unless told." }),
    ),
  }),
  responses: { 200: bulkSchema },
  problems: ["BULK_NOT_FOUND"],
  hasRetryAfterHeader: true,
});

/** Bulk orders of every category that has them, and the reading of one. */
export function bulkRoutes(app: TypedServer, services: RouteServices): void {
  for (const category of categories) {
    if (category.paths.bulk !== undefined) mountCategory(app, category, category.paths.bulk, services);
  }

  const reads = { ...services, database: forReaders(services.database) };
  app.get("/bulk/:reference", { schema: getSchema }, async (request, reply) => {
    const { reference: name } = request.params;
    const { query } = request;
    const reference = parseStoredReference(name);
    const order = reference === null ? null : await findBulkOrder(reads.database, walletOf(request), reference);
    if (order === null) {
      await services.confirmAbsence();
      throw refuse("BULK_NOT_FOUND");
    }
    const page = { page: Number(query.page ?? 1), perPage: Number(query.per_page ?? firstPage.perPage) };
    const status = query.status ?? null;
    const { body: answer, pending } = await present(reads, order, { page, status, counts: null });
    if (pending > 0) reply.header("retry-after", String(retryAfterSeconds));
    return answer;
  });
}

function mountCategory(app: FastifyInstance, category: Category, path: string, services: RouteServices): void {
  const compile = app.validatorCompiler as (route: { schema: unknown }) => Validator;
  const checks = bulkChecks(category, compile);
  const read = (request: FastifyRequest) => readBulkCommand(category, checks, request, services);
  // The handler checks the body, a few lines at a time: Fastify would check ten thousand at once.
  const options = {
    bodyLimit: bulkBytesMax,
    validatorCompiler: () => () => true,
    schema: bulkOperation(category),
    // After the hooks of the authentication, and before the body is received.
    onRequest: (request: FastifyRequest, _reply: FastifyReply, done: HookHandlerDoneFunction) => {
      services.bulkBudget.expect(principalOf(request).merchantId, announcedBytes(request));
      done();
    },
  };
  app.post(path, options, async (request, reply) => {
    const { merchantId } = principalOf(request);
    await services.bulkBudget.take({ merchantId, lines: countLines(request.body), bytes: announcedBytes(request) });
    const { order, replayed, counts } = await read(request).then(services.placeBulkOrder).catch(refuseLines);
    if (replayed) reply.header("idempotent-replayed", "true");
    const { body: answer, pending } = await present(services, order, { page: firstPage, status: null, counts });
    return sendOrder(reply, pending).send(answer);
  });
}

/** A body without a length is counted as the longest that there may be. */
function announcedBytes({ headers }: FastifyRequest): number {
  const { "content-length": length } = headers;
  if (length !== undefined) return Math.min(Number(length), bulkBytesMax);
  return headers["transfer-encoding"] === undefined ? 0 : bulkBytesMax;
}

/** @throws Refusal with the errors of the first wrong lines, or the error as it is */
function refuseLines(error: unknown): never {
  throw error instanceof Refusal ? nameFirstLines(error) : error;
}

function bulkOperation(category: Category): FastifySchema {
  const [name, fields] = Object.entries(category.examples)[0] ?? [];
  assert(name !== undefined && fields !== undefined, "every category has an example");
  const { phone, ...shared } = fields as Record<string, unknown>;
  const title = category.title.toLowerCase();
  return operation({
    id: `${category.operation.id}InBulk`,
    tag: "Bulk",
    summary: `Buy ${title} for many`,
    description: [
      `Buys ${title} for up to 10,000 numbers: send a line for each in \`items\`, or one product and the \`phones\`. One invalid line refuses the order, with the errors of the first 100 wrong lines and, as \`meta.invalid_lines\`, how many there are: under the code that all of them have, else, and for an unknown or withdrawn product, as \`VALIDATION_ERROR\`. The whole price is charged first, or the order is refused with 402. Each line is then a transaction of its own, \`{reference}-{n}\` unless it brings a reference, and a failed one is refunded by itself. A line is told by three names: its \`index\` counts from 0 (the answer's lines), its key is that index where you sent it (\`items.3\` or \`phones.3\`, in \`errors\`), and its reference, where you gave none, counts from 1: the line of index 3 and key \`items.3\` is \`{reference}-4\`.`,
      "In sandbox the order is processed at once; live, in the background. Sent again, its reference answers the order in its present state, with `Idempotent-Replayed: true`.",
    ].join("\n\n"),
    body: bulkBody(category),
    examples: {
      "One product, many phones": {
        reference: `order-bulk-${category.slug}-1`,
        ...shared,
        phones: [phone, "08051234567"],
      },
      "A line each": {
        reference: `order-bulk-${category.slug}-2`,
        items: [fields, { ...fields, phone: "08051234567", reference: `order-bulk-${category.slug}-2-second` }],
      },
    },
    responses: {
      201: answer("Every line is final. Whether it was successful, the lines tell.", bulkSchema),
      202: answer("Lines are still pending: ask again after `Retry-After` seconds.", bulkSchema),
    },
    problems: bulkProblems(category.body),
    replays: true,
  });
}

function sendOrder(reply: FastifyReply, pending: number): FastifyReply {
  if (pending === 0) return reply.code(201);
  return reply.code(202).header("retry-after", String(retryAfterSeconds));
}

/** The order with a page of its lines. Its counts are read, unless they are known. */
async function present(
  services: RouteServices,
  order: BulkOrder,
  shown: { readonly page: Page; readonly status: PurchaseStatus | null; readonly counts: LineCounts | null },
) {
  const { database, catalogue } = services;
  const { page, status } = shown;
  const [counts, lines] = await Promise.all([
    shown.counts ?? countBulkLines(database, order),
    listBulkLines(database, order, status, page),
  ]);
  const products = await catalogue.current();
  const meta = pageMeta(page, status === null ? order.lines : counts[status]);
  const parts = {
    order,
    counts,
    lines,
    meta,
    messageOf: (line: (typeof lines)[number]) => messageOf(line, soldProductOf(products, line).product),
  };
  return { body: bulkObject(parts, services), pending: counts.pending };
}
