import { type Static, Type } from "typebox";
import { electricity } from "../../categories/electricity.ts";
import { ifSent } from "../../categories/fields.ts";
import { textFact } from "../../categories/fulfilment/made-up.ts";
import { amountOf, totalDeductedOf } from "../../domain/purchases/purchase.ts";
import { integer, money, text } from "../../http/schemas/schemas.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { formatNaira } from "../../kernel/money.ts";
import {
  amountField,
  contactAliases,
  contactField,
  discoNames,
  identAliases,
  identField,
  keyOf,
  mobileNumberOf,
  noContact,
  numberedNameField,
  printedNumberField,
} from "../fields.ts";
import { type LegacyPurchases, rowsIn } from "../purchases.ts";

/** 1 and 2, or the words. */
export const meterTypeField = Type.Unsafe<number | string>({
  type: ["integer", "string"],
  pattern: "^([12]|[Pp][Rr][Ee][Pp][Aa][Ii][Dd]|[Pp][Oo][Ss][Tt][Pp][Aa][Ii][Dd])$",
  maxLength: 8,
  minimum: 1,
  maximum: 2,
  description: "1 prepaid, 2 postpaid, or the word.",
  examples: [1],
  "x-message": "Must be 1 (prepaid) or 2 (postpaid).",
});

/** Reads a `meterTypeField` that its schema has accepted. */
export function meterTypeOf(value: number | string): "prepaid" | "postpaid" {
  return /^(2|post)/i.test(String(value)) ? "postpaid" : "prepaid";
}

export const discoField = numberedNameField(
  "The disco's number (1 Ikeja, 2 Eko, 3 Abuja, 4 Kano, 5 Enugu, 6 Port Harcourt, 7 Ibadan, 8 Kaduna, 9 Jos, 10 Benin, 11 Yola, 12 Aba), or its name.",
  1,
);

const body = Type.Object({
  disco_name: discoField,
  amount: amountField,
  meter_number: {
    ...printedNumberField({
      pattern: "^[0-9]{6,13}$",
      problem: "INVALID_METER",
      what: "The meter's number.",
      message: "Must have 6 to 13 digits.",
    }),
    examples: ["45012345678"],
  },
  MeterType: meterTypeField,
  mobile_number: contactField,
  ident: Type.Optional(identField),
});

/** `/api/billpayment`: electricity for a meter. */
export const legacyBillpayment: LegacyPurchases = {
  category: electricity,
  operation: {
    noun: "Electricity",
    summary: "Vend electricity, as older clients do",
    description: "A token for a prepaid meter, or a postpaid meter's bill. Discos are numbered as most deployments do.",
  },
  body,
  aliases: {
    ...identAliases,
    ...contactAliases,
    disco_name: ["disco", "disco_id"],
    MeterType: ["metertype", "meter_type"],
  },
  words: {
    fieldNames: { biller: "disco_name", meter_type: "MeterType" },
    noProduct: "disco_name: There is no such disco.",
  },
  examples: {
    "As older clients send it": {
      disco_name: 1,
      amount: 1_000,
      meter_number: "45012345678",
      MeterType: 1,
      ident: "legacy-electricity-1",
    },
  },
  answer: {
    package: text(100, "The disco.", "Ikeja Electric"),
    disco_name: text(100, "The disco.", "Ikeja Electric"),
    amount: money("What the customer pays.", "5000.00"),
    Customer_Phone: text(11, "The customer's phone number, where it was sent; else empty.", "08031234567"),
    meter_number: text(40, "As sent.", "45012345678"),
    token: text(
      250,
      "The 20 digits that load the units; several in the order in which they are entered, apart by commas. Empty where there is none.",
      "00001234567890123456",
    ),
    units: text(20, "Energy in kWh; empty where the disco does not say.", "22.20"),
    MeterType: integer({ minimum: 1, maximum: 2 }, "1 prepaid, 2 postpaid.", 1),
    paid_amount: money("What was deducted; nothing once it failed.", "4975.00"),
    customer_name: text(150, "Whose meter it is, where the disco says so; else empty.", "ADEYEMI TUNDE"),
    customer_address: text(300, "Where it is; else empty.", "12 Allen Avenue, Ikeja, Lagos"),
  },
  read(request: Static<typeof body>) {
    const phone = ifSent(request.mobile_number, mobileNumberOf);
    const requested = electricity.read({
      biller: keyOf(discoNames, "disco_name", request.disco_name),
      meter_type: meterTypeOf(request.MeterType),
      meter_number: String(request.meter_number),
      amount: request.amount,
      phone: phone ?? noContact,
    } as never);
    return { ...requested, phone };
  },
  fieldsOf(purchase, { product }, { delivered }) {
    const disco = discoNames[product.biller.slug]?.name ?? product.biller.name;
    const said = (name: string) => (delivered && textFact(delivered, name)) ?? "";
    return {
      package: disco,
      disco_name: disco,
      amount: formatNaira(amountOf(purchase)),
      Customer_Phone: purchase.phone ?? "",
      meter_number: purchase.customerRef ?? "",
      token: tokensOf(delivered),
      units: said("units"),
      MeterType: product.meterType === "postpaid" ? 2 : 1,
      paid_amount: formatNaira(totalDeductedOf(purchase)),
      customer_name: said("customer_name"),
      customer_address: said("customer_address"),
    };
  },
};

/** Where a meter's key changes, the customer enters the tokens for that first: one alone would not load. */
function tokensOf(delivered: JsonObject | null): string {
  return rowsIn(delivered, "tokens")
    .map(({ value }) => String(value))
    .join(",");
}
