import { findLimitRequest, limitFields, limitingSupplier } from "../../../domain/history/suppliers/stopping.ts";
import { addressOf } from "../../../domain/suppliers/asking.ts";
import type { Supplier } from "../../../domain/suppliers/routing/route.ts";
import {
  changeSettings,
  readSettings,
  type SupplierSettings,
  settingsText,
} from "../../../domain/suppliers/settings.ts";
import { groupedNaira, type Kobo, kobo, notAnAmount, readAmount } from "../../../kernel/money.ts";
import { goTo } from "../../kit/answer.tsx";
import { optional, readOr, typed, whole } from "../../kit/field-kinds.tsx";
import { fields } from "../../kit/fields.ts";
import { changeBy } from "../approvals/change.ts";
import { askForTwo, type TwoPeople } from "../approvals/two-people.ts";
import { changing } from "../audited.ts";
import { atSupplier, supplierOf, supplierPath } from "./found-supplier.ts";

const purchasesMax = 100_000_000;

export const limitsStop: TwoPeople = { ...limitingSupplier.rules, by: () => limitingSupplier };

interface Found {
  readonly supplier: Supplier;
  readonly settings: SupplierSettings;
  /** Of its account, where that is known. */
  readonly currency?: string;
}

function amount(label: string, hint: string) {
  const reading = { read: readOr(readAmount, notAnAmount), show: groupedNaira };
  const words = (value: Kobo) => `${label.toLowerCase()} ${groupedNaira(value)}`;
  return optional(typed(label, { ...reading, words }, { hint, unit: "₦", keys: "decimal", isOptional: false }));
}

const unread = "Enter a whole number, such as 5,000, or leave it empty.";

/** Cap, floor and alarm of a supplier, changed together; what stops one that serves much takes two people. */
export const limits = changeBy(
  {
    at: "/operator/suppliers/:supplier/limits",
    may: "change_suppliers",
    doneAt: atSupplier,
    async find(services, visit): Promise<Found> {
      const supplier = await supplierOf(services, visit);
      return { supplier, settings: await readSettings(services.reads, supplier.name) };
    },
    fields: fields({
      cap: amount("Cap a day", "What a day’s sales may cost us there."),
      cap_sales: optional(
        whole("Sales a day", [1, purchasesMax], {
          unread,
          hint: "How many sales a day it may get.",
          isOptional: false,
        }),
      ),
      floor: amount("Floor", "Below this balance it gets no new sale."),
      alarm: amount("Low-balance alarm", "Below this balance we alert people on call."),
    }),
    stored: ({ settings: { dayCost, dayPurchases, balanceFloor, alarmBelow } }) => ({
      ...{ cap: dayCost, cap_sales: dayPurchases, floor: inKobo(balanceFloor), alarm: inKobo(alarmBelow) },
    }),
    looks({ supplier, currency = "NGN" }) {
      const unit = currency === "NGN" ? "₦" : currency;
      // Only who holds our money has a balance.
      const ofBalance = { unit, isLeftOut: addressOf(supplier.settings) === null };
      return { submit: "Save limits", areBeside: true, more: { floor: ofBalance, alarm: ofBalance } };
    },
  },
  { kind: limitingSupplier.rules.kind, command: "console supplier limits" },
  async (services, visit, { found, values: { cap, cap_sales, floor, alarm } }) => {
    const { name } = found.supplier;
    const settings = { dayCost: cap, dayPurchases: cap_sales, balanceFloor: floor, alarmBelow: alarm };
    const change = { shown: settingsText(found.settings), settings };
    const { reads, people, wallTime } = services;
    const request = await findLimitRequest({ database: reads, clock: people.clock, wallTime }, name, change);
    if (request !== null) return askForTwo(services, visit, limitsStop, { ...request, doneAt: supplierPath(name) });
    const database = changing(services, visit, "console supplier limits", { supplier: name, ...limitFields(settings) });
    await changeSettings(database, name, change);
    return goTo(supplierPath(name), "Saved. New sales keep to these limits from now on.");
  },
);

function inKobo(hundredths: bigint | null): Kobo | null {
  return hundredths === null ? null : kobo(hundredths);
}
