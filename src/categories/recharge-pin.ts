import { type Static, Type } from "typebox";
import type { WallTime } from "../kernel/clock.ts";
import type { JsonObject } from "../kernel/json.ts";
import type { Kobo } from "../kernel/money.ts";
import { formatNaira } from "../kernel/money.ts";
import type { Network } from "../kernel/phone.ts";
import { refuseField } from "../kernel/problems.ts";
import { type Claim, defineCategory, type ProductSelector } from "./category.ts";
import {
  ifSent,
  integerOf,
  nairaField,
  nairaOf,
  networkField,
  networkOf,
  phoneField,
  phoneOf,
  productIdField,
  quantityField,
  textField,
} from "./fields.ts";
import { piecesIn, withPieces } from "./fulfilment/fulfilment-by-hand.ts";
import { decimal, instantOrNull, text, textOrNull } from "./fulfilment/fulfilment-fields.ts";
import { daysLater, textFact } from "./fulfilment/made-up.ts";
import { type DeliveredPin, madeUpPins, pinAttributes, pinFaults, pinProperties } from "./fulfilment/pins.ts";
import { intentAmount } from "./product/amounts.ts";
import { textAttribute } from "./product/product-shape.ts";
import { byProduct, claimNetwork, refuseNothingSelected } from "./product/selection.ts";
import type { VendRequest } from "./supplier-request.ts";

const fulfilment = Type.Object(
  {
    kind: Type.Literal("pins"),
    network: textOrNull("The network whose airtime the PINs load.", "MTN", 20),
    face_amount: decimal("What each PIN loads, in naira.", "100.00"),
    load_code: text("What the customer dials, with PIN in the PIN's place.", "*311*PIN#", 50),
    business_name: textOrNull("The name to print on the cards, as sent.", "Corner Shop", 60),
    pins: Type.Array(
      Type.Object({
        ...pinProperties,
        load_code: text("What the customer dials, with the PIN in its place.", "*311*00048210773659214#", 100),
        expires_at: instantOrNull("After it, the PIN loads nothing."),
      }),
      { maxItems: 100, description: "As many as bought: all or nothing." },
    ),
  },
  { "x-component": "RechargePinsDelivery" },
);

/** Airtime as printable PINs: all of them are delivered, or none is charged. */
export const rechargePin = defineCategory({
  slug: "recharge_pin",
  title: "Recharge card PINs",
  paths: { purchase: "/recharge-pin/purchase" },
  operation: {
    id: "buyRechargePins",
    summary: "Buy recharge card PINs",
    description:
      "Buys airtime as printable PINs with serials and load codes: all of them are delivered, or none is charged.",
  },
  examples: {
    "By denomination": { network: "MTN", denomination: "100.00", quantity: 2, business_name: "Corner Shop" },
  },
  body: Type.Object({
    product_id: Type.Optional(productIdField),
    network: Type.Optional(networkField),
    denomination: Type.Optional(nairaField("What each PIN loads, in naira; with `network`, it selects the product.")),
    quantity: quantityField(100, "How many PINs: 1 to 100."),
    business_name: Type.Optional(
      textField({ minLength: 1, maxLength: 60, description: "The name to print on the cards." }),
    ),
    phone: Type.Optional(phoneField),
  }),
  sells: {
    network: "always",
    customerLabel: "Phone number",
    amountTypes: ["fixed"],
    needsFace: true,
    quantityMax: 100,
    attributes: Type.Object({ load_code: textAttribute(50), ...pinAttributes }),
    selectors: {
      network: ({ biller }) => biller.network,
      denomination: ({ face }) => (face === null ? null : formatNaira(face)),
    },
  },
  customerField: "phone",
  quantityField: "quantity",
  fulfilment,
  secrets: ["pins"],
  byHand: {
    fixed: ["network", "face_amount", "business_name", "pins.sequence"],
    proposed: ["load_code"],
    derived: ["pins.load_code"],
    complete: withLoadCodes,
    faults: (request, fulfilment) => [...pinFaults(request, fulfilment), ...loadCodeFaults(fulfilment)],
  },
  read(body) {
    const network = ifSent(body.network, networkOf);
    const denomination = ifSent(body.denomination, nairaOf);
    const phone = ifSent(body.phone, phoneOf);
    const quantity = integerOf(body.quantity);
    return {
      selector: selectorOf(body.product_id, network, denomination),
      customerRef: phone,
      phone,
      quantity,
      amount: null,
      ported: null,
      details: { business_name: body.business_name ?? null },
      intent: {
        product_id: ifSent(body.product_id, integerOf),
        network,
        denomination: intentAmount(denomination),
        quantity,
        phone,
      },
    };
  },
  simulate,
});

function selectorOf(
  productId: number | string | undefined,
  network: Network | null,
  denomination: Kobo | null,
): ProductSelector {
  const ofFace: Claim = { field: "denomination", holds: (product) => product.face === denomination };
  const faceClaims = denomination === null ? [] : [ofFace];
  if (productId !== undefined) {
    return byProduct(productId, network === null ? faceClaims : [claimNetwork(network), ...faceClaims]);
  }
  if (network === null) throw refuseNothingSelected("network and denomination", ["network"]);
  if (denomination === null) throw refuseField("VALIDATION_ERROR", "denomination", "Is required with network.");
  return { by: "network", network, field: "denomination", claims: faceClaims };
}

/** With this every network loads since 17 May 2023, unless `load_code` among a product's attributes says otherwise. */
export const harmonisedLoadCode = "*311*PIN#";

/** The fulfilment of a purchase by the PINs that its supplier hands over. */
export function rechargePins(request: VendRequest, pins: readonly DeliveredPin[]): Static<typeof fulfilment> {
  const loadCode = textFact(request.attributes, "load_code") ?? harmonisedLoadCode;
  return {
    kind: "pins",
    network: request.network,
    face_amount: formatNaira(request.unitAmount),
    load_code: loadCode,
    business_name: textFact(request.details, "business_name"),
    pins: pins.map(({ expires_at, ...pin }) => ({ ...pin, load_code: loadCodeOf(loadCode, pin.pin), expires_at })),
  };
}

function simulate(request: VendRequest, zone: WallTime) {
  const expiresAt = daysLater(request.at, 365, zone);
  const pins = madeUpPins(request, { pinDigits: request.network === "MTN" ? 17 : 16, serialDigits: 17 });
  return rechargePins(
    request,
    pins.map((pin) => ({ ...pin, expires_at: expiresAt })),
  );
}

function loadCodeOf(loadCode: string, pin: string): string {
  return loadCode.replace("PIN", () => pin);
}

/** With the PIN in its place, where a piece does not say itself what the customer dials. */
function withLoadCodes(fulfilment: JsonObject): JsonObject {
  const loadCode = textFact(fulfilment, "load_code");
  return withPieces(fulfilment, "pins", (piece) => {
    const pin = textFact(piece, "pin");
    const isLeftOut = loadCode !== null && pin !== null && !("load_code" in piece);
    return isLeftOut ? { ...piece, load_code: loadCodeOf(loadCode, pin) } : piece;
  });
}

function loadCodeFaults(fulfilment: JsonObject): readonly string[] {
  return piecesIn(fulfilment, "pins").flatMap((piece, index) => {
    const [pin, loadCode] = [textFact(piece, "pin"), textFact(piece, "load_code")];
    const isOther = pin !== null && loadCode !== null && !loadCode.includes(pin);
    return isOther ? [`/pins/${index}/load_code must hold the PIN; left out, it is made from it`] : [];
  });
}
