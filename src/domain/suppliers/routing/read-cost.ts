import { type BasisPoints, basisPoints, readAmount } from "../../../kernel/money.ts";
import type { Cost } from "./route.ts";

/** `97.5%` → 9,750 basis points. */
export function parsePercent(text: string): BasisPoints | null {
  const match = /^([0-9]{1,3})(?:\.([0-9]{1,2}))?%$/.exec(text);
  if (match === null) return null;
  const share = BigInt(match[1] ?? "0") * 100n + BigInt((match[2] ?? "").padEnd(2, "0"));
  return share <= 10_000n ? basisPoints(share) : null;
}

/**
 * A supplier's cost as people and files write it: `612.00`, `4.50 USD`, `97.5%`. Null for anything else. A rate is not
 * said here: it is found when the route is used.
 */
export function readCost(text: string): Cost | null {
  const [, amount, currency] = /^([0-9.,]+) ?([A-Z]{3})$/.exec(text.trim()) ?? [];
  const share = parsePercent(text);
  if (share !== null) return { kind: "percent", basisPoints: share };
  const hundredths = readAmount(amount ?? text);
  if (hundredths === null) return null;
  if (currency === undefined || currency === "NGN") return { kind: "fixed", kobo: hundredths };
  return { kind: "foreign", currency, hundredths, rate: null };
}
