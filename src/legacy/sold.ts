import { type TObject, type TSchema, Type } from "typebox";
import { type Purchase, type SoldProduct, totalDeductedOf } from "../domain/purchases/purchase.ts";
import { messageOf } from "../domain/purchases/transaction-object.ts";
import { answer } from "../http/openapi/operation.ts";
import { integer, messageExample, money, oneOf, referenceSchema, text } from "../http/schemas/schemas.ts";
import type { Instant, WallTime } from "../kernel/clock.ts";
import type { Json } from "../kernel/json.ts";
import { formatNaira, subtract } from "../kernel/money.ts";
import { failedBody } from "./errors.ts";
import { legacyErrorFields } from "./operation.ts";

/** The fields that the answers of all purchases have. */
const commonAnswer = {
  id: integer(
    { minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    "Asks for it again: the purchase's number in the wallet.",
    1,
  ),
  ident: referenceSchema("The reference, which the merchant API knows as well.", "legacy-1"),
  plan_amount: money("What it costs.", "640.00"),
  balance_before: money("The wallet before the purchase.", "100000.00"),
  balance_after: money("The wallet after it.", "99360.00"),
  api_response: text(500, "The result in words.", messageExample),
  create_date: Type.String({
    pattern: "^[0-9-]{10}T[0-9:]{8}\\.[0-9]{6}$",
    maxLength: 26,
    description: "Local time, without its zone.",
    examples: ["2026-11-20T14:03:09.123000"],
  }),
};

/** The names of the wallet's balances for clients of the PIN endpoints. */
export const olderBalances = {
  previous_balance: money("As `balance_before`.", "100000.00"),
  after_balance: money("As `balance_after`.", "96750.00"),
};

export function olderBalancesOf(purchase: Purchase) {
  return {
    previous_balance: formatNaira(purchase.balanceBefore),
    after_balance: balanceAfterOf(purchase),
  };
}

function balanceAfterOf(purchase: Purchase): string {
  return formatNaira(subtract(purchase.balanceBefore, totalDeductedOf(purchase)));
}

/** The result fields of a purchase that has not failed, in all the forms in which clients look for them. */
const goodAnswer = {
  // By a name of its own: generators of clients would call it as they call `status`.
  Status: oneOf(["successful", "processing"], {
    description: "`processing` means wait: do not buy again.",
    "x-component": "LegacyStatus",
  }),
  status: oneOf(["success", "processing"], { description: "The same in one more spelling." }),
  message: text(500, "The result in words.", messageExample),
};

/** And one that has failed: what a refusal says, too. */
const failedAnswer = {
  Status: Type.Literal("failed"),
  status: Type.Literal("failed"),
  ...(legacyErrorFields as unknown as TObject["properties"]),
};

/** A kind of purchase in an answer's schema: what it is called, and the category's own fields. */
export interface SoldKind {
  readonly noun: string;
  readonly own: TObject["properties"];
}

/** The schemas of what a purchase of one of these kinds answers, by status. */
export function soldAnswers(kinds: readonly SoldKind[]): Readonly<Record<200 | 400, TSchema>> {
  return {
    200: answer("Bought, or on its way: `Status` says which.", either(kinds.map(goodSchema))),
    400: answer("It failed, and the wallet has everything back.", either(kinds.map(failedSchema))),
  };
}

/** A row of a list. */
export function soldRow(kind: SoldKind): TSchema {
  return Type.Union([goodSchema(kind), failedSchema(kind)]);
}

function goodSchema({ noun, own }: SoldKind): TObject {
  return Type.Object({ ...commonAnswer, ...own, ...goodAnswer }, { "x-component": `Legacy${noun}` });
}

function failedSchema({ noun, own }: SoldKind): TObject {
  return Type.Object({ ...commonAnswer, ...own, ...failedAnswer }, { "x-component": `LegacyFailed${noun}` });
}

function either(schemas: readonly TObject[]): TSchema {
  const [only] = schemas;
  return schemas.length === 1 && only !== undefined ? only : Type.Union([...schemas]);
}

/** The answer of a purchase: its status and body. */
export function soldAnswer(
  purchase: Purchase,
  soldProduct: SoldProduct,
  { own, zone }: { readonly own: Readonly<Record<string, Json>>; readonly zone: WallTime },
): { readonly status: 200 | 400; readonly body: object } {
  const result = resultOf(purchase, soldProduct);
  const common = {
    id: Number(purchase.number),
    ident: purchase.reference,
    balance_before: formatNaira(purchase.balanceBefore),
    balance_after: balanceAfterOf(purchase),
    plan_amount: formatNaira(purchase.total),
    api_response: result.message,
    create_date: naiveTime(purchase.purchasedAt, zone),
  };
  return { status: purchase.status === "failed" ? 400 : 200, body: { ...common, ...own, ...result } };
}

/** Clients take these words for a failure, wherever they stand. A product could be called so. */
const wordsOfFailure = /fail|error|insufficient/i;

/** The outcome of a purchase, in all the forms in which clients look for it. */
function resultOf(purchase: Purchase, { product }: SoldProduct) {
  const message = messageOf(purchase, product);
  if (purchase.status === "failed") return failedBody([message]);
  const words =
    purchase.status === "successful"
      ? { Status: "successful", status: "success" }
      : { Status: "processing", status: "processing" };
  if (!wordsOfFailure.test(message)) return { ...words, message };
  return { ...words, message: messageOf(purchase, { ...product, name: product.biller.category }) };
}

/** As Django writes local times without their zone: `2026-11-20T14:03:09.123000`. */
function naiveTime(instant: Instant, zone: WallTime): string {
  return `${zone.format(instant).slice(0, 19)}.${String(instant % 1_000).padStart(3, "0")}000`;
}
