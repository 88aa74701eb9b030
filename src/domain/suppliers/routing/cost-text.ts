import { readAmount } from "../../../kernel/money.ts";
import { readPercent } from "../../catalogue/pricing.ts";
import type { Cost } from "./route.ts";

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
