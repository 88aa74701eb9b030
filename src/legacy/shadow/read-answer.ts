import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { parseLegacyNetwork } from "../../domain/merchants/legacy-settings.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { type Kobo, kobo, subtract } from "../../kernel/money.ts";
import { typedText, ungrouped } from "../../kernel/typed-text.ts";
import { cableNames, discoNames, examNames, keyOf, type NumberedName } from "../fields.ts";

/** What became of a purchase. `failed`: bought and given back; `refused`: never bought. */
export type Outcome = "success" | "pending" | "failed" | "refused";

/** What older scripts answer, by the word of their `Status`. */
const outcomes: Readonly<Record<string, Outcome>> = {
  ...wordsFor("success", ["successful", "success", "true", "delivered", "completed", "complete"]),
  ...wordsFor("pending", ["processing", "pending", "queued", "initiated", "in progress", "submitted"]),
  ...wordsFor("failed", ["failed", "fail", "failure", "false", "error", "declined", "reversed", "refunded"]),
};

function wordsFor(outcome: Outcome, words: readonly string[]): Readonly<Record<string, Outcome>> {
  return Object.fromEntries(words.map((word) => [word, outcome]));
}

/** Of what is unpacked, so much at most. */
const unpackedBytesMax = 8 * 1_024 * 1_024;
const unpacked = {
  gzip: promisify(gunzip),
  "x-gzip": promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const;

/** The JSON object of an answer; null where it holds none, or can't be unpacked. */
export async function jsonOf(body: Buffer, encoding: string | undefined): Promise<JsonObject | null> {
  try {
    const unpack = unpacked[(encoding ?? "").toLowerCase() as keyof typeof unpacked];
    const plain = unpack === undefined ? body : await unpack(body, { maxOutputLength: unpackedBytesMax });
    const value: unknown = JSON.parse(plain.toString("utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
  } catch {
    return null;
  }
}

/**
 * What the answer to a purchase says became of it, by any of the fields that older clients look at. A failed one with an
 * id was bought, one without was refused, as is one with nothing but an `error`. Null where it does not say.
 */
export function outcomeOf(httpStatus: number, answer: JsonObject): Outcome | null {
  const words = [answer.Status, answer.status, answer.success].filter((word) => word !== undefined && word !== null);
  const outcome = words.map((word) => outcomes[String(word).trim().toLowerCase()]).find((found) => found !== undefined);
  if (outcome === "failed") return answer.id === undefined || answer.id === null ? "refused" : "failed";
  if (outcome !== undefined) return outcome;
  const isRefused = httpStatus >= 400 && httpStatus < 500;
  return isRefused || (httpStatus < 500 && answer.error !== undefined) ? "refused" : null;
}

/** The words in which an answer explains itself, in one text; empty where it has none. */
export function wordsOf(answer: JsonObject): string {
  const words = [answer.message, answer.error, answer.detail, answer.api_response, answer.msg].flat();
  return [...new Set(words.filter((word) => typeof word === "string"))].join(" ").slice(0, 300);
}

/**
 * What a purchase's answer says was deducted: the difference of its balances, which older scripts write for every
 * purchase, else what it calls paid. Null where neither can be read. `plan_amount` of airtime is its value.
 */
export function chargedOf(answer: JsonObject, isFaceValue: boolean): Kobo | null {
  const before = nearestKobo(answer.balance_before ?? answer.previous_balance);
  const after = nearestKobo(answer.balance_after ?? answer.after_balance);
  if (before !== null && after !== null && before > after) return subtract(before, after);
  return nearestKobo(answer.paid_amount) ?? (isFaceValue ? null : nearestKobo(answer.plan_amount));
}

/** An amount as older scripts write it: `275.0`, `"₦1,250.00"`, and where they computed with floats, `275.0000000001`. */
export function nearestKobo(value: unknown): Kobo | null {
  if (typeof value !== "number" && typeof value !== "string") return null;
  const text = ungrouped(typedText(String(value)).replace(/^(?:₦|NGN|N) ?/i, ""));
  const [whole, sign = "", naira = "", decimals = ""] = /^(-?)([0-9]{1,13})(?:\.([0-9]{1,30}))?$/.exec(text) ?? [];
  if (whole === undefined) return null;
  const digits = decimals.padEnd(3, "0");
  // To the nearest one: floats are off by far less than half a kobo, to either side.
  const magnitude = BigInt(naira) * 100n + BigInt(digits.slice(0, 2)) + (digits.charAt(2) >= "5" ? 1n : 0n);
  return kobo(sign === "" ? magnitude : -magnitude);
}

/** What an answer says was bought, in spellings that do not differ between deployments. Only what can be read is there. */
export interface Sold {
  readonly network?: string;
  readonly biller?: string;
  readonly product?: string;
}

/** Reads what was sold, by the endpoint's path. */
export function soldOf(route: string, answer: JsonObject): Sold {
  const read = readers[route];
  const found = Object.entries(read === undefined ? {} : read(answer));
  return Object.fromEntries(found.filter(([, value]) => value !== null));
}

type Reader = (answer: JsonObject) => { readonly [Part in keyof Sold]: string | null };

const readers: Readonly<Record<string, Reader>> = {
  "/api/data": (answer) => ({ network: networkIn(answer), product: volumeIn(answer.plan_name) }),
  "/api/topup": (answer) => ({ network: networkIn(answer) }),
  "/api/rechargepin": (answer) => ({ network: networkIn(answer) }),
  "/api/cablesub": (answer) => ({ biller: nameIn(cableNames, answer.cablename) }),
  "/api/billpayment": (answer) => ({ biller: nameIn(discoNames, answer.disco_name) }),
  "/api/epin": (answer) => ({ product: nameIn(examNames, answer.exam_name) }),
};

/** By its name: its number is in the deployment's own numbering. */
export function networkIn(answer: JsonObject): string | null {
  const names = [answer.plan_network, answer.network_name, answer.network].filter((name) => typeof name === "string");
  return names.map((name) => parseLegacyNetwork(name)).find((network) => network !== null) ?? null;
}

const megabytes: Readonly<Record<string, number>> = { MB: 1, GB: 1_000, TB: 1_000_000 };

/** `1.0GB SME` and `1 GB` are both 1GB; of a plan without a volume nothing is read. */
export function volumeIn(value: unknown): string | null {
  const [, count, unit = ""] = /([0-9]+(?:\.[0-9]+)?) ?([MGT]B)\b/i.exec(typeof value === "string" ? value : "") ?? [];
  if (count === undefined) return null;
  const volume = Number(count) * (megabytes[unit.toUpperCase()] ?? 1);
  return volume >= 1_000 ? `${volume / 1_000}GB` : `${volume}MB`;
}

/** By its name: its number is in the deployment's own numbering. */
function nameIn(names: Readonly<Record<string, NumberedName>>, value: unknown): string | null {
  if (typeof value !== "string" || /^[0-9 ]*$/.test(value)) return null;
  try {
    return keyOf(names, "", value);
  } catch {
    return null;
  }
}
