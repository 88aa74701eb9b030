import { type Static, Type } from "typebox";
import { integerField } from "../../categories/fields.ts";
import { textFact } from "../../categories/fulfilment/made-up.ts";
import { rechargePin } from "../../categories/recharge-pin.ts";
import type { CatalogueSnapshot } from "../../domain/catalogue/snapshot.ts";
import { amountOf } from "../../domain/purchases/purchase.ts";
import { integer, money, text } from "../../http/schemas/schemas.ts";
import { assert } from "../../kernel/assert.ts";
import type { ProductId } from "../../kernel/ids.ts";
import type { Json, JsonObject } from "../../kernel/json.ts";
import { formatNaira, zeroKobo } from "../../kernel/money.ts";
import type { Network } from "../../kernel/phone.ts";
import {
  amountField,
  contactAliases,
  contactField,
  identAliases,
  identField,
  mobileNumberOf,
  networkField,
  networkIdSchema,
  networkNameSchema,
  networkOf,
} from "../fields.ts";
import { type LegacyPurchases, rowsIn } from "../purchases.ts";
import { olderBalances, olderBalancesOf } from "../sold.ts";

const body = Type.Object({
  network: networkField,
  network_amount: { ...amountField, description: "What each PIN loads, in naira; or its product_id." },
  quantity: Type.Optional(
    integerField({ minimum: 1, maximum: 100, rangeProblem: "QUANTITY_OUT_OF_RANGE", description: "1 to 100 PINs." }),
  ),
  name_on_card: Type.Optional(
    Type.String({
      pattern: "^[^\\u0000]*$",
      minLength: 1,
      maxLength: 60,
      description: "The name to print on the cards.",
      examples: ["Corner Shop"],
    }),
  ),
  mobile_number: contactField,
  ident: Type.Optional(identField),
});

const pin = Type.Object({
  model: text(40, "Always the same.", "app.recharge_pin"),
  pk: integer({ minimum: 1, maximum: 100 }, "Counts them from 1.", 1),
  fields: Type.Object({
    network: networkIdSchema,
    amount: money("What it loads.", "100.00"),
    pin: text(30, "The PIN.", "00048210773659214"),
    serial: text(50, "Its serial number; empty where it has none.", "48210773659214001"),
    load_code: text(100, "What the customer dials.", "*311*00048210773659214#"),
  }),
});

/** `/api/rechargepin`: airtime as printable PINs. */
export const legacyRechargepin: LegacyPurchases = {
  category: rechargePin,
  operation: {
    noun: "RechargePins",
    summary: "Buy recharge card PINs, as older clients do",
    description: "Airtime as printable PINs: all of them are delivered, or none is charged.",
  },
  body,
  aliases: {
    ...identAliases,
    ...contactAliases,
    network_amount: ["amount", "denomination"],
    name_on_card: ["businessname", "business_name"],
  },
  words: {
    fieldNames: { product_id: "network_amount", denomination: "network_amount", business_name: "name_on_card" },
    noProduct: "network_amount: There is no such card.",
  },
  examples: {
    "As older clients send it": {
      network: 1,
      network_amount: 100,
      quantity: 2,
      name_on_card: "Corner Shop",
      ident: "legacy-pins-1",
    },
  },
  answer: {
    network: networkIdSchema,
    plan_network: networkNameSchema,
    network_amount: money("What each PIN loads.", "100.00"),
    quantity: integer({ minimum: 1, maximum: 100 }, "How many PINs.", 2),
    name_on_card: text(60, "As sent.", "Corner Shop"),
    amount: money("What all of them load.", "200.00"),
    ...olderBalances,
    data_pin: Type.Array(pin, { maxItems: 100, description: "Empty until they are delivered." }),
  },
  read(request: Static<typeof body>, { catalogue, legacy }) {
    const network = networkOf(request.network, legacy.networks.airtime);
    const card = isCard(request.network_amount, catalogue)
      ? { product_id: request.network_amount }
      : { denomination: request.network_amount };
    return rechargePin.read({
      network,
      ...card,
      quantity: request.quantity ?? 1,
      ...(request.mobile_number === undefined ? {} : { phone: mobileNumberOf(request.mobile_number) }),
      ...(request.name_on_card === undefined ? {} : { business_name: request.name_on_card }),
    } as never);
  },
  fieldsOf(purchase, { product }, { legacy, delivered }) {
    const { network } = product.biller;
    assert(network !== null, "every card has its network");
    const number = legacy.networks.airtime[network];
    const face = formatNaira(product.face ?? zeroKobo);
    return {
      network: number,
      plan_network: network satisfies Network,
      network_amount: face,
      quantity: purchase.quantity,
      name_on_card: textFact(purchase.details, "business_name") ?? "",
      amount: formatNaira(amountOf(purchase)),
      ...olderBalancesOf(purchase),
      data_pin: pinsIn(delivered, { network: number, amount: face }),
    };
  },
};

/** Ids begin where the amounts of cards end. */
function isCard(amount: string | number, catalogue: CatalogueSnapshot): boolean {
  return catalogue.findProduct(Number(amount) as ProductId)?.biller.category === rechargePin.slug;
}

/** As Django writes rows: these clients read each one's `fields`. */
function pinsIn(delivered: JsonObject | null, common: { readonly network: number; readonly amount: string }): Json[] {
  return rowsIn(delivered, "pins").map((row, index) => ({
    model: "app.recharge_pin",
    pk: index + 1,
    fields: {
      ...common,
      pin: textFact(row, "pin") ?? "",
      serial: textFact(row, "serial") ?? "",
      load_code: textFact(row, "load_code") ?? "",
    },
  }));
}
