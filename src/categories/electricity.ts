import { type Static, Type } from "typebox";
import { basisPoints, formatNaira, type Kobo, kobo, shareFloor, subtract } from "../kernel/money.ts";
import { refuseField } from "../kernel/problems.ts";
import { type BillerSelector, type Claim, defineCategory, defineVerification } from "./category.ts";
import { type MadeUpMeter, madeUpMeter } from "./customer-number.ts";
import {
  billerField,
  ifSent,
  integerOf,
  meterNumberField,
  meterTypeField,
  nairaField,
  nairaOf,
  phoneField,
  phoneOf,
  productIdField,
  verificationIdField,
} from "./fields.ts";
import { electricityByHand, groupedToken, isPrepaid } from "./fulfilment/electricity-by-hand.ts";
import { count, decimal, decimalOrNull, text, textOrNull } from "./fulfilment/fulfilment-fields.ts";
import { type MadeUp, madeUp, textFact } from "./fulfilment/made-up.ts";
import { amountRange, intentAmount } from "./product/amounts.ts";
import { type MeterType, meterTypes } from "./product/product.ts";
import { noAttributes } from "./product/product-shape.ts";
import { byBiller, byProduct, claimBiller, refuseNothingSelected } from "./product/selection.ts";
import type { VendRequest } from "./supplier-request.ts";

const tokenExample = "00001234567890123456";

const fulfilment = Type.Object(
  {
    kind: Type.Literal("electricity"),
    token: Type.Unsafe<string | null>({
      type: ["string", "null"],
      pattern: "^[0-9]{20}$",
      maxLength: 20,
      examples: [tokenExample],
      description: "The 20 digits that load the units bought; null for postpaid meters. Also at top level.",
    }),
    token_formatted: textOrNull("The token in groups of four, as it is printed.", "0000-1234-5678-9012-3456", 24),
    units: decimalOrNull("Energy in kWh; null for postpaid meters.", "22.20"),
    tokens: Type.Array(
      Type.Object({
        type: Type.Enum(["kct1", "kct2", "main", "bonus"], { description: "kct1 and kct2 change the meter's key." }),
        value: Type.String({
          pattern: "^[0-9]{20}$",
          maxLength: 20,
          description: "20 digits.",
          examples: [tokenExample],
        }),
        order: count("In which order the tokens are entered, from 1.", { minimum: 1, maximum: 10 }),
      }),
      { maxItems: 10, description: "Every token, in the order in which the customer enters them." },
    ),
    tariff: decimalOrNull("Naira per kWh, before VAT; null where the disco does not say.", "209.50"),
    tariff_band: textOrNull("A to E, by the hours of supply a day.", "A", 20),
    amount_breakdown: Type.Object(
      {
        energy: decimalOrNull("Naira that bought energy.", "4651.16"),
        vat: decimalOrNull("VAT of 7.5 % on the energy.", "348.84"),
        debt_recovered: decimalOrNull("Naira kept against the customer's debt.", "0.00"),
      },
      { description: "Where the amount went; the three sum to it. Null each where the disco does not say." },
    ),
    receipt_number: text("The disco's receipt.", "TEST-004217730951", 100),
    meter_number: text("As sent.", "45012345678", 13),
    customer_name: textOrNull("The meter's owner; null where the disco does not say.", "ADEYEMI TUNDE"),
    customer_address: textOrNull(
      "Where the meter is; null where the disco does not say.",
      "12 Allen Avenue, Ikeja, Lagos",
      300,
    ),
  },
  { "x-component": "ElectricityDelivery" },
);

const findings = Type.Object({
  customer_name: text("The meter's owner.", "ADEYEMI TUNDE"),
  customer_address: text("Where the meter is.", "12 Allen Avenue, Ikeja, Lagos", 300),
  tariff_class: textOrNull("What the disco files the meter under: as a rule its band, A to E.", "A", 40),
  outstanding_debt: decimal("What the customer owes in naira; part of each purchase goes to it first.", "0.00"),
  can_vend: Type.Boolean({ description: "false: the disco sells this meter nothing until its debt is settled." }),
});

const verify = defineVerification({
  path: "/electricity/verify",
  operation: {
    id: "verifyMeter",
    summary: "Verify a meter",
    description:
      "Tells who owns a meter, where it is, what it owes and what a purchase may be. `biller` or one of its products says which disco is asked.",
  },
  examples: {
    "By biller": { biller: "ikeja-electric", meter_number: "45012345678", meter_type: "prepaid" },
    "By product": { product_id: 3001, meter_number: "45012345678", meter_type: "prepaid" },
  },
  body: Type.Object({
    product_id: Type.Optional(productIdField),
    biller: Type.Optional(billerField),
    meter_number: meterNumberField,
    meter_type: meterTypeField,
  }),
  findings,
  answer: Type.Object({
    meter_number: text("As sent.", "45012345678", 13),
    meter_type: Type.Enum([...meterTypes]),
    ...findings.properties,
    min_amount: decimalOrNull("Least amount of a purchase in naira.", "1000.00"),
    max_amount: decimalOrNull("Largest amount of a purchase in naira.", "200000.00"),
  }),
  read: (body) => ({
    selector: selectorOf(body.product_id, body.biller ?? null, body.meter_type),
    customerRef: body.meter_number,
    details: { meter_type: body.meter_type },
  }),
  answerOf: ({ customerRef, details }, found, products) => ({
    meter_number: customerRef,
    ...details,
    ...found,
    ...amountRange(products),
  }),
  simulate({ customerRef }) {
    const meter = madeUpMeter(customerRef);
    return {
      customer_name: meter.customerName,
      customer_address: meter.customerAddress,
      tariff_class: meter.tariffBand,
      outstanding_debt: formatNaira(meter.outstandingDebt),
      can_vend: true,
    };
  },
});

/** Electricity for a meter: a token for a prepaid one, a paid bill for a postpaid one. */
export const electricity = defineCategory({
  slug: "electricity",
  title: "Electricity",
  paths: { purchase: "/electricity/purchase" },
  operation: {
    id: "buyElectricity",
    summary: "Vend electricity",
    description:
      "Vends a token for a prepaid meter, or pays a postpaid meter's bill. Verify the meter first: the answer names its owner and the least amount. A successful answer carries the 20-digit `token`; where `delivery.tokens` lists key-change tokens, the customer enters them first, in order.",
  },
  examples: {
    "By biller": {
      biller: "ikeja-electric",
      meter_type: "prepaid",
      meter_number: "45012345678",
      amount: "5000.00",
      phone: "08031234567",
    },
  },
  body: Type.Object({
    product_id: Type.Optional(productIdField),
    biller: Type.Optional(billerField),
    meter_type: Type.Optional(meterTypeField),
    meter_number: meterNumberField,
    amount: nairaField("What the customer pays, VAT included, in naira."),
    phone: phoneField,
    verification_id: Type.Optional(verificationIdField),
  }),
  sells: {
    customerLabel: "Meter number",
    amountTypes: ["variable"],
    quantityMax: 1,
    attributes: noAttributes,
    selectors: { biller: ({ biller }) => biller.slug, meter_type: ({ meterType }) => meterType },
  },
  customerField: "meter_number",
  quantityField: null,
  fulfilment,
  secrets: ["token", "token_formatted", "tokens"],
  byHand: electricityByHand,
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
        product_id: ifSent(body.product_id, integerOf),
        biller: body.biller ?? null,
        meter_type: meterType,
        meter_number: body.meter_number,
        amount: intentAmount(amount),
      },
    };
  },
  simulate,
  token: (delivered) => textFact(delivered, "token"),
  verify,
});

function selectorOf(
  productId: number | string | undefined,
  biller: string | null,
  meterType: MeterType | null,
): BillerSelector {
  const ofType: Claim = { field: "meter_type", holds: (product) => product.meterType === meterType };
  const typeClaims = meterType === null ? [] : [ofType];
  if (productId !== undefined) {
    return byProduct(productId, biller === null ? typeClaims : [claimBiller(biller), ...typeClaims]);
  }
  if (biller === null) throw refuseNothingSelected("biller and meter_type", ["biller"]);
  if (meterType === null) throw refuseField("VALIDATION_ERROR", "meter_type", "Is required with biller.");
  return byBiller(biller, typeClaims);
}

type Fulfilment = Static<typeof fulfilment>;

/** What its supplier tells of a purchase beside the tokens. Null, or absent, is what it does not tell. */
export interface ElectricityFacts {
  readonly receipt: string;
  /** Decimals with two places, here and for the amounts. */
  readonly units?: string | null;
  readonly tariff?: string | null;
  readonly tariffBand?: string | null;
  readonly energy?: string | null;
  readonly vat?: string | null;
  readonly debt?: string | null;
  readonly customerName?: string | null;
  readonly customerAddress?: string | null;
}

/** The fulfilment of a purchase by its tokens, in the order in which they are entered. */
export function meterTokens(
  { customerRef }: VendRequest,
  tokens: readonly Omit<Fulfilment["tokens"][number], "order">[],
  facts: ElectricityFacts,
): Fulfilment {
  const main = tokens.find(({ type }) => type === "main")?.value ?? null;
  return {
    kind: "electricity",
    token: main,
    token_formatted: main === null ? null : groupedToken(main),
    units: facts.units ?? null,
    tokens: tokens.map(({ type, value }, index) => ({ type, value, order: index + 1 })),
    tariff: facts.tariff ?? null,
    tariff_band: facts.tariffBand ?? null,
    amount_breakdown: { energy: facts.energy ?? null, vat: facts.vat ?? null, debt_recovered: facts.debt ?? null },
    receipt_number: facts.receipt.slice(0, 100),
    meter_number: customerRef ?? "",
    customer_name: facts.customerName ?? null,
    customer_address: facts.customerAddress ?? null,
  };
}

function simulate(request: VendRequest): Fulfilment {
  const meter = madeUpMeter(request.customerRef ?? "");
  const prepaid = isPrepaid(request);
  const chance = madeUp(request.transactionId);
  const tokens = prepaid ? tokensOf(meter, chance) : [];
  const split = splitAmount(request.faceAmount, meter.outstandingDebt);
  return meterTokens(request, tokens, {
    receipt: `TEST-${chance.digits(12)}`,
    units: prepaid ? unitsFloor(split.energy, meter.tariff) : null,
    tariff: formatNaira(meter.tariff),
    tariffBand: meter.tariffBand,
    energy: formatNaira(split.energy),
    vat: formatNaira(split.vat),
    debt: formatNaira(split.debtRecovered),
    customerName: meter.customerName,
    customerAddress: meter.customerAddress,
  });
}

/** Real tokens look random from their first digit; the sandbox's begin with zeros, so that nobody tries them. */
function tokensOf(meter: MadeUpMeter, chance: MadeUp) {
  const types = meter.needsKeyChange ? (["kct1", "kct2", "main"] as const) : (["main"] as const);
  return types.map((type) => ({ type, value: `0000${chance.digits(16)}` }));
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
