import { Type } from "typebox";
import type { JsonObject } from "../../kernel/json.ts";
import type { Kobo } from "../../kernel/money.ts";
import { basisPoints, formatNaira, kobo, shareFloor, subtract } from "../../kernel/money.ts";
import { refuseField } from "../../kernel/problems.ts";
import type { VendRequest } from "../../providers/contract.ts";
import type { Claim, ProductSelector } from "./category.ts";
import {
  byProduct,
  checkAmount,
  checkClaims,
  claimBiller,
  defineCategory,
  integerOf,
  intentAmount,
  nairaOf,
  phoneOf,
  refuseNothingSelected,
} from "./category.ts";
import {
  billerField,
  meterNumberField,
  meterTypeField,
  nairaField,
  phoneField,
  productIdField,
  verificationIdField,
} from "./fields.ts";
import { decimal, decimalOrNull, text, textOrNull } from "./fulfilment-fields.ts";
import type { MadeUp } from "./made-up.ts";
import { madeUp, textFact } from "./made-up.ts";
import type { MadeUpMeter } from "./meter.ts";
import { madeUpMeter } from "./meter.ts";

const fulfilment = Type.Object({
  kind: Type.Literal("electricity"),
  token: Type.Unsafe<string | null>({
    type: ["string", "null"],
    pattern: "^[0-9]{20}$",
    description: "The 20 digits that load the units bought; null for postpaid meters. Also at top level.",
  }),
  token_formatted: textOrNull("The token in groups of four, as it is printed."),
  units: decimalOrNull("Energy in kWh; null for postpaid meters."),
  tokens: Type.Array(
    Type.Object({
      type: Type.Enum(["kct1", "kct2", "main", "bonus"], { description: "kct1 and kct2 change the meter's key." }),
      value: Type.String({ pattern: "^[0-9]{20}$", description: "20 digits." }),
      order: Type.Integer({ minimum: 1, description: "In which order the tokens are entered, from 1." }),
    }),
    { description: "Every token, in the order in which the customer enters them." },
  ),
  tariff: decimal("Naira per kWh, before VAT."),
  tariff_band: textOrNull("A to E, by the hours of supply a day."),
  amount_breakdown: Type.Object(
    {
      energy: decimal("Naira that bought energy."),
      vat: decimal("VAT of 7.5 % on the energy."),
      debt_recovered: decimal("Naira kept against the customer's debt."),
    },
    { description: "Where the amount went; the three sum to it." },
  ),
  receipt_number: text("The disco's receipt."),
  meter_number: text("As sent."),
  customer_name: text("The meter's owner."),
  customer_address: text("Where the meter is."),
});

/** Electricity for a meter: a token for a prepaid one, a paid bill for a postpaid one. */
export const electricity = defineCategory({
  slug: "electricity",
  title: "Electricity",
  paths: { purchase: "/electricity/purchase" },
  body: Type.Object({
    product_id: Type.Optional(productIdField),
    biller: Type.Optional(billerField),
    meter_type: Type.Optional(meterTypeField),
    meter_number: meterNumberField,
    amount: nairaField("What the customer pays, VAT included, in naira."),
    phone: phoneField,
    verification_id: Type.Optional(verificationIdField),
  }),
  customerField: "meter_number",
  quantityField: null,
  fulfilment,
  secrets: ["token", "token_formatted", "tokens"],
  read(body) {
    const amount = nairaOf(body.amount);
    const meterType = body.meter_type ?? null;
    return {
      selector: selectorOf(body.product_id, body.biller ?? null, meterType),
      customerRef: body.meter_number,
      phone: phoneOf(body.phone),
      quantity: 1,
      amount,
      ported: null,
      details: { meter_type: meterType },
      intent: {
        product_id: body.product_id === undefined ? null : integerOf(body.product_id),
        biller: body.biller ?? null,
        meter_type: meterType,
        meter_number: body.meter_number,
        amount: intentAmount(amount),
      },
    };
  },
  check(wish, product) {
    checkClaims(wish, product);
    checkAmount(wish, product);
  },
  simulate,
  token: (delivered) => textFact(delivered, "token"),
});

function selectorOf(
  productId: number | string | undefined,
  biller: string | null,
  meterType: "prepaid" | "postpaid" | null,
): ProductSelector {
  const ofType: Claim = { field: "meter_type", holds: (product) => product.meterType === meterType };
  const typeClaims = meterType === null ? [] : [ofType];
  if (productId !== undefined) {
    return byProduct(productId, biller === null ? typeClaims : [claimBiller(biller), ...typeClaims]);
  }
  if (biller === null) throw refuseNothingSelected("biller and meter_type");
  if (meterType === null) throw refuseField("VALIDATION_ERROR", "meter_type", "Is required with biller.");
  return { by: "biller", biller, field: "biller", claims: typeClaims };
}

function simulate(request: VendRequest): JsonObject {
  const meterNumber = request.customerRef ?? "";
  const meter = madeUpMeter(meterNumber);
  const prepaid =
    (textFact(request.attributes, "meter_type") ?? textFact(request.details, "meter_type")) !== "postpaid";
  const chance = madeUp(request.transactionId);
  const tokens = prepaid ? tokensOf(meter, chance) : [];
  const main = tokens.at(-1)?.value ?? null;
  const split = splitAmount(request.faceAmount, meter.outstandingDebt);
  return {
    kind: "electricity",
    token: main,
    token_formatted: main === null ? null : main.replace(/(.{4})(?=.)/g, "$1-"),
    units: prepaid ? unitsFloor(split.energy, meter.tariff) : null,
    tokens,
    tariff: formatNaira(meter.tariff),
    tariff_band: meter.tariffBand,
    amount_breakdown: {
      energy: formatNaira(split.energy),
      vat: formatNaira(split.vat),
      debt_recovered: formatNaira(split.debtRecovered),
    },
    receipt_number: `TEST-${chance.digits(12)}`,
    meter_number: meterNumber,
    customer_name: meter.customerName,
    customer_address: meter.customerAddress,
  };
}

/** Real tokens look random from their first digit; the sandbox's begin with zeros, so that nobody tries them. */
function tokensOf(meter: MadeUpMeter, chance: MadeUp) {
  const types = meter.needsKeyChange ? ["kct1", "kct2", "main"] : ["main"];
  return types.map((type, index) => ({ type, value: `0000${chance.digits(16)}`, order: index + 1 }));
}

const debtShareMax = basisPoints(3_000n);

/** The debt's share, at most 30 %, comes first; of the rest, 7.5 parts in 107.5 are VAT. Nothing is lost: they sum up. */
function splitAmount(
  amount: Kobo,
  debt: Kobo,
): { readonly energy: Kobo; readonly vat: Kobo; readonly debtRecovered: Kobo } {
  const recoverable = shareFloor(amount, debtShareMax);
  const debtRecovered = debt < recoverable ? debt : recoverable;
  const payable = subtract(amount, debtRecovered);
  // Floor: the fraction of a kobo counts as VAT.
  const energy = kobo((payable * 1_000n) / 1_075n);
  return { energy, vat: subtract(payable, energy), debtRecovered };
}

/** kWh with two decimals, rounded down: nobody gets energy that was not paid for. */
function unitsFloor(energy: Kobo, tariff: Kobo): string {
  return formatNaira(kobo((energy * 100n) / tariff));
}
