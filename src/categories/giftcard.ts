import { type Static, Type } from "typebox";
import type { WallTime } from "../kernel/clock.ts";
import { formatNaira } from "../kernel/money.ts";
import { defineCategory } from "./category.ts";
import {
  emailField,
  ifSent,
  integerOf,
  nairaField,
  nairaOf,
  phoneField,
  phoneOf,
  productIdField,
  quantityField,
} from "./fields.ts";
import { pieceFaults } from "./fulfilment/fulfilment-by-hand.ts";
import { decimal, instantOrNull, sequence, text, textOrNull } from "./fulfilment/fulfilment-fields.ts";
import { daysLater, madeUp, plainCharacters, textFact } from "./fulfilment/made-up.ts";
import { intentAmount } from "./product/amounts.ts";
import { flagAttribute, textAttribute } from "./product/product-shape.ts";
import { byProduct } from "./product/selection.ts";
import type { VendRequest } from "./supplier-request.ts";

const fulfilment = Type.Object(
  {
    kind: Type.Literal("giftcards"),
    brand: text("Whose card it is.", "Amazon", 100),
    face_currency: currencyCode("Of the card's value: ISO 4217."),
    face_value: decimal("Value of one card in `face_currency`.", "10.00"),
    fx_rate: decimal("Naira for one unit of `face_currency`; 1.00 for naira cards.", "1550.00"),
    cards: Type.Array(
      Type.Object({
        sequence,
        code: text("What the customer redeems.", "TEST-4K7M-9QXR2T-7HWP", 100),
        pin: textOrNull("Asked for with the code, where the brand does.", "4821", 50),
        serial: textOrNull("The card's number, which support asks for.", "0048210773659214", 100),
        claim_url: textOrNull(
          "Where the card can be looked at and redeemed.",
          "https://giftcards.example/claim/k7m9qxr2t7hwp4c8n5vd",
          500,
        ),
        value: decimal("Value of this card in `currency`.", "10.00"),
        currency: currencyCode("ISO 4217."),
        expires_at: instantOrNull("Null where the brand's cards do not expire."),
      }),
      { maxItems: 10, description: "As many as bought." },
    ),
  },
  { "x-component": "GiftcardsDelivery" },
);

function currencyCode(description: string) {
  return Type.String({ pattern: "^[A-Z]{3}$", maxLength: 3, description, examples: ["USD"] });
}

/** Digital gift cards. Amounts are in the card's currency; the wallet pays naira at the product's rate. */
export const giftcard = defineCategory({
  slug: "giftcard",
  title: "Gift cards",
  paths: { purchase: "/giftcard/purchase" },
  operation: {
    id: "buyGiftcard",
    summary: "Buy gift cards",
    description:
      "Buys digital gift cards. The `amount` of a product with a range is in the card's own currency; the wallet pays naira at the product's rate.",
  },
  examples: {
    "A fixed card": { product_id: 11001 },
    "A card of any value": { product_id: 11010, amount: "5.00", recipient_email: "ada@example.ng" },
  },
  body: Type.Object({
    product_id: productIdField,
    quantity: Type.Optional(quantityField(10, "How many cards: 1 to 10. Default: 1.")),
    amount: Type.Optional(nairaField("Value of one card in its own currency: for products with a range.")),
    recipient_email: Type.Optional(emailField),
    recipient_phone: Type.Optional(phoneField),
    phone: Type.Optional(phoneField),
  }),
  sells: {
    customerLabel: "Recipient's phone number",
    amountTypes: ["fixed", "variable"],
    needsFace: true,
    takesForeign: true,
    quantityMax: 10,
    attributes: Type.Object({ brand: textAttribute(100), country: textAttribute(100), has_pin: flagAttribute }),
  },
  customerField: "recipient_phone",
  quantityField: "quantity",
  fulfilment,
  secrets: ["cards"],
  byHand: {
    fixed: ["face_currency", "face_value", "cards.sequence", "cards.value", "cards.currency"],
    proposed: ["brand", "fx_rate"],
    faults: (request, fulfilment) => pieceFaults(request, fulfilment, { list: "cards", differsIn: "code" }),
  },
  read(body) {
    const quantity = integerOf(body.quantity ?? 1);
    const amount = ifSent(body.amount, nairaOf);
    const recipient = body.recipient_phone ?? body.phone;
    const customerRef = ifSent(recipient, phoneOf);
    return {
      selector: byProduct(body.product_id),
      customerRef,
      phone: body.phone === undefined ? customerRef : phoneOf(body.phone),
      quantity,
      amount,
      ported: null,
      details: {
        value: amount === null ? null : formatNaira(amount),
        recipient_email: body.recipient_email ?? null,
      },
      intent: {
        product_id: integerOf(body.product_id),
        quantity,
        amount: intentAmount(amount),
        recipient_phone: customerRef,
      },
    };
  },
  simulate,
});

type Fulfilment = Static<typeof fulfilment>;

/** A card as its supplier hands it over. */
export type DeliveredCard = Pick<Fulfilment["cards"][number], "code" | "pin" | "serial" | "claim_url" | "expires_at">;

/** The value of one card and its currency. */
export function giftcardFace({ attributes, details, unitAmount }: VendRequest): {
  readonly value: string;
  readonly currency: string;
} {
  return {
    value: textFact(details, "value") ?? textFact(attributes, "foreign_face") ?? formatNaira(unitAmount),
    currency: textFact(attributes, "face_currency") ?? "NGN",
  };
}

/** The fulfilment of a purchase by the cards that its supplier hands over. */
export function giftcards(request: VendRequest, cards: readonly DeliveredCard[]): Fulfilment {
  const { value, currency } = giftcardFace(request);
  return {
    kind: "giftcards",
    brand: textFact(request.attributes, "brand") ?? request.billerName,
    face_currency: currency,
    face_value: value,
    fx_rate: textFact(request.attributes, "fx_rate") ?? "1.00",
    cards: cards.map(({ expires_at, ...card }, index) => ({
      sequence: index + 1,
      ...card,
      value,
      currency,
      expires_at,
    })),
  };
}

function simulate(request: VendRequest, zone: WallTime) {
  const chance = madeUp(request.transactionId);
  const expiresAt = daysLater(request.at, 365, zone);
  const cards = Array.from({ length: request.quantity }, () => ({
    code: `TEST-${chance.characters(plainCharacters, 4)}-${chance.characters(plainCharacters, 6)}-${chance.characters(plainCharacters, 4)}`,
    pin: request.attributes.has_pin === true ? chance.digits(4) : null,
    serial: `00${chance.digits(14)}`,
    claim_url: `https://giftcards.example/claim/${chance.characters("abcdefghjkmnpqrstuvwxyz23456789", 20)}`,
    expires_at: expiresAt,
  }));
  return giftcards(request, cards);
}
