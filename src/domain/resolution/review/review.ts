import type { Category } from "../../../categories/category.ts";
import { isJsonObject } from "../../../categories/fulfilment/fulfilment-by-hand.ts";
import type { VendRequest } from "../../../categories/supplier-request.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { FailureCode } from "../../../kernel/failure-codes.ts";
import type { TransactionIds } from "../../../kernel/ids.ts";
import type { Json, JsonObject } from "../../../kernel/json.ts";
import { refuse, refuseField } from "../../../kernel/problems.ts";
import type { Database } from "../../../platform/database/database.ts";
import type { SecretBox } from "../../../platform/sealing/secret-box.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import { type Handed, listSoldTo, soldBefore } from "../../purchases/fulfilment/delivered-codes.ts";
import { type FinalOutcome, type Purchase, type SoldProduct, soldProductOf } from "../../purchases/purchase.ts";
import type { Settle } from "../../purchases/settle.ts";
import { vendRequestOf } from "../../purchases/vend-request.ts";
import { checkedFulfilment, type FieldShape, simulatedFulfilment } from "./review-fulfilment.ts";

/** The person who found an outcome out, and how. */
export interface Finding {
  /** The name of that person. */
  readonly by: string;
  /** Where the person knows it from: the supplier's statement, a ticket, a call. */
  readonly evidence: string;
}

/** Codes that a person's no may carry. */
export const findingCodes = [
  "EXPIRED_UNCONFIRMED",
  "PROVIDER_DECLINED",
  "RECIPIENT_INVALID",
  "OPERATOR_UNAVAILABLE",
] as const satisfies readonly FailureCode[];

const evidenceLengthMin = 10;
const byLengthMax = 100;

export interface ReviewServices {
  readonly database: Database;
  readonly clock: Clock;
  readonly catalogue: Catalogue;
  readonly settle: Settle;
  readonly secretBox: SecretBox;
  readonly transactionIds: TransactionIds;
}

/** @throws Refusal VALIDATION_ERROR where a finding lacks the person's name or its evidence */
export function checkWords({ by, evidence }: Finding): void {
  if (evidence.trim().length < evidenceLengthMin) {
    throw refuseField("VALIDATION_ERROR", "evidence", "Say what it rests on: the supplier's statement, a ticket.");
  }
  if (by.trim() === "" || by.length > byLengthMax) throw refuseField("VALIDATION_ERROR", "by", "Say who you are.");
}

/** A success with its fulfilment completed and checked against the purchase. */
export async function withGoods(
  services: ReviewServices,
  purchase: Purchase,
  outcome: FinalOutcome,
): Promise<FinalOutcome> {
  if (outcome.status === "failed") return outcome;
  const { product, category } = await soldProductOfPurchase(services, purchase);
  const request = vendRequestOf(services.transactionIds, purchase, product, purchase);
  return { ...outcome, fulfilment: await checkedFulfilment(category, request, outcome.fulfilment) };
}

/** @throws Refusal VALIDATION_ERROR where another sale got something of it before */
export async function checkUnsold(services: ReviewServices, handed: Handed): Promise<void> {
  const [soldTo = null] = await listSoldTo(services, [handed]);
  if (soldTo === null) return;
  const message = `${soldBefore(services.transactionIds.format(soldTo, "live"))}. Ask the supplier for this sale’s own.`;
  throw refuse("VALIDATION_ERROR", { message });
}

async function soldProductOfPurchase({ catalogue }: ReviewServices, purchase: Purchase): Promise<SoldProduct> {
  return soldProductOf(await catalogue.current(), purchase);
}

/** The finding as the attempt keeps it. */
export function wordsOf({ by, evidence }: Finding): string {
  return `${by}: ${evidence}`;
}

/** The fewest characters of which the first and the last two give nothing away. */
const hintedLengthMin = 8;

/**
 * Goods of a purchase for a person to fill in: the sandbox's, of which only what the purchase decides is left. An empty
 * text stands where something must be filled in, and is refused as it stands; null where null is allowed.
 */
export async function fulfilmentTemplate(category: Category, request: VendRequest): Promise<JsonObject> {
  const { fulfilment, byHand, secrets } = category;
  const kept = keptFields(category);
  const leftOut = new Set(byHand?.derived ?? []);
  const blank = (value: Json, shape: FieldShape | undefined, path: string): Json => {
    if (value === null || kept.has(path)) return value;
    if (Array.isArray(value)) return value.map((item: Json) => blank(item, shape?.items, path));
    if (isJsonObject(value)) return fieldsOf(value, shape, path === "" ? "" : `${path}.`);
    // A secret that stands alone is what was bought: a prepaid meter's token.
    return shape?.type?.includes("null") && !secrets.includes(path) ? null : "";
  };
  const fieldsOf = (object: JsonObject, shape: FieldShape | undefined, before: string): JsonObject =>
    Object.fromEntries(
      Object.entries(object)
        .filter(([name]) => !leftOut.has(before + name))
        .map(([name, value]) => [name, blank(value, shape?.properties?.[name], before + name)]),
    );
  return fieldsOf(await simulatedFulfilment(category, request), fulfilment as FieldShape, "");
}

/** Goods as they may be shown: of each secret the first and the last two characters, of a short one nothing. */
export function maskedFulfilment(category: Category, fulfilment: JsonObject): JsonObject {
  const kept = keptFields(category);
  const mask = (value: Json, path: string): Json => {
    if (typeof value === "string") return kept.has(path) ? value : hint(value);
    if (Array.isArray(value)) return value.map((item: Json) => mask(item, path));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mask(inner, `${path}.${name}`)]));
  };
  return Object.fromEntries(
    Object.entries(fulfilment).map(([name, value]) => [
      name,
      category.secrets.includes(name) ? mask(value, name) : value,
    ]),
  );
}

function hint(secret: string): string {
  return secret.length < hintedLengthMin ? "…" : `${secret.slice(0, 2)}…${secret.slice(-2)}`;
}

/** The fields that say what was bought, by their path. */
function keptFields({ byHand }: Category): ReadonlySet<string> {
  return new Set(["kind", ...(byHand?.fixed ?? []), ...(byHand?.proposed ?? [])]);
}
