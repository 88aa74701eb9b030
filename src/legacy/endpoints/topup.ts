import { type Static, Type } from "typebox";
import { airtime } from "../../categories/airtime.ts";
import { amountOf, totalDeductedOf } from "../../domain/purchases/purchase.ts";
import { money } from "../../http/schemas/schemas.ts";
import { formatNaira } from "../../kernel/money.ts";
import {
  amountField,
  identField,
  mobileNumberField,
  mobileNumberOf,
  networkField,
  networkOf,
  phonePurchaseAliases,
  phonePurchaseAnswer,
  phonePurchaseFields,
  portedNumberField,
  portedOf,
} from "../fields.ts";
import type { LegacyPurchases } from "../purchases.ts";

const body = Type.Object({
  network: networkField,
  amount: amountField,
  mobile_number: mobileNumberField,
  Ported_number: Type.Optional(portedNumberField),
  airtime_type: Type.Optional(
    Type.String({
      pattern: "^[Vv][Tt][Uu]$",
      maxLength: 20,
      description: "Only VTU is sold.",
      examples: ["VTU"],
      "x-message": "Must be VTU.",
    }),
  ),
  ident: Type.Optional(identField),
});

/** `/api/topup`: airtime for a phone number. */
export const legacyTopup: LegacyPurchases = {
  category: airtime,
  operation: {
    noun: "Airtime",
    summary: "Buy airtime, as older clients do",
    description: "Airtime of a network, by the network's number.",
  },
  body,
  aliases: phonePurchaseAliases,
  examples: {
    "As older clients send it": {
      network: 1,
      amount: 100,
      mobile_number: "08031234567",
      Ported_number: true,
      airtime_type: "VTU",
      ident: "legacy-airtime-1",
    },
  },
  answer: {
    ...phonePurchaseAnswer,
    airtime_type: Type.Literal("VTU"),
    paid_amount: money("What was deducted; nothing once it failed.", "96.80"),
    amount: money("The airtime's value.", "100.00"),
  },
  read(request: Static<typeof body>, { legacy }) {
    const ported = portedOf(request.Ported_number);
    // Clients send true whatever the number: a wrong number of the network would sell on the wrong network.
    const isChecked = legacy.checksPrefixes || !ported;
    const requested = airtime.read({
      network: networkOf(request.network, legacy.networks.airtime),
      phone: mobileNumberOf(request.mobile_number),
      amount: request.amount,
      ...(isChecked ? { ported: false } : {}),
    } as never);
    return { ...requested, details: { ported } };
  },
  fieldsOf(purchase, soldProduct, { legacy }) {
    const amount = formatNaira(amountOf(purchase));
    return {
      ...phonePurchaseFields(purchase, soldProduct, legacy.networks.airtime),
      airtime_type: "VTU",
      paid_amount: formatNaira(totalDeductedOf(purchase)),
      amount,
      plan_amount: amount,
    };
  },
};
