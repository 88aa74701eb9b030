import { type BasisPoints, basisPoints, readAmount } from "../../../kernel/money.ts";
import type { Cost } from "./route.ts";

/** `97.5%` → 9,750 basis points. Null for anything else, and above 100 %. */
export function readPercent(text: string): BasisPoints | null {
  const match = /^([0-9]{1,3})(?:\.([0-9]{1,2}))?%$/.exec(text);
  if (match === null) return null;
  const share = BigInt(match[1] ?? "0") * 100n + BigInt((match[2] ?? "").padEnd(2, "0"));
  return share <= 10_000n ? basisPoints(share) : null;
}

/** What a supplier takes, as people write it: `612.00`, `4.50 USD`, `97.5%`. Null for anything else. */
export function readCost(text: string): Cost | null {
  const [, amount, currency = "NGN"] = /^([0-9.,]+) ?([A-Z]{3})$/.exec(text.trim()) ?? [];
  const share = readPercent(text);
  if (share !== null) return { kind: "percent", basisPoints: share };
  const hundredths = readAmount(amount ?? text);
  if (hundredths === null) return null;
  // The rate is found when the route is used.
  return currency === "NGN"
    ? { kind: "fixed", kobo: hundredths }
    : { kind: "foreign", currency, hundredths, rate: null };
}

/** What to say of a text that `readCost` refused. */
export function notACost(text: string): string {
  const isForeign = /^[0-9.,]+ ?[A-Z]{3}$/.test(text.trim());
  return isForeign
    ? "It must be an amount and its currency such as 4.50 USD."
    : "It must be naira such as 612.00, or a share such as 97.5%.";
}
