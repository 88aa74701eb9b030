import type { Kobo } from "../kernel/money.ts";
import { kobo } from "../kernel/money.ts";
import { madeUp, madeUpCustomer } from "./fulfilment/made-up.ts";

/** The sandbox's facts about a meter, by its number alone: verify and purchase answer the same. */
export interface MadeUpMeter {
  readonly customerName: string;
  readonly customerAddress: string;
  /** A to E, by the hours of supply a day. */
  readonly tariffBand: string;
  /** Kobo per kWh, before VAT. */
  readonly tariff: Kobo;
  /** Kobo. */
  readonly outstandingDebt: Kobo;
  /** Whether the meter still waits for its key change, so that two tokens come before the one that was bought. */
  readonly needsKeyChange: boolean;
}

// Tariffs of 2024 to 2026, kobo per kWh: Band A lies near ₦209.50, the lower bands were left at their older rates.
const tariffs: readonly (readonly [band: string, kobo: bigint])[] = [
  ["A", 20_950n],
  ["B", 6_307n],
  ["C", 5_045n],
  ["D", 4_108n],
  ["E", 4_031n],
];

/** Sandbox meters ending in these digits show the two cases that a token printer must not forget. */
const keyChangeSuffix = "0007";
export const debtSuffix = "0008";

export function madeUpMeter(meterNumber: string): MadeUpMeter {
  const customer = madeUpCustomer(meterNumber);
  const [tariffBand, tariff] = tariffs[madeUp(`meter/${meterNumber}`).below(tariffs.length)] ?? ["A", 20_950n];
  return {
    customerName: customer.name,
    customerAddress: customer.address,
    tariffBand,
    tariff: kobo(tariff),
    outstandingDebt: kobo(meterNumber.endsWith(debtSuffix) ? 50_000n : 0n),
    needsKeyChange: meterNumber.endsWith(keyChangeSuffix),
  };
}
