import { Type } from "typebox";
import type { WallTime } from "../../kernel/clock.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { formatNaira } from "../../kernel/money.ts";
import type { VendRequest } from "../../providers/contract.ts";
import { byProduct, checkAmount, defineCategory, integerOf, intentAmount, nairaOf, phoneOf } from "./category.ts";
import { emailField, nairaField, phoneField, productIdField, quantityField } from "./fields.ts";
import { decimal, instantOrNull, sequence, text, textOrNull } from "./fulfilment-fields.ts";
import { daysLater, madeUp, plainCharacters, textFact } from "./made-up.ts";

const fulfilment = Type.Object({
  kind: Type.Literal("giftcards"),
  brand: text("Whose card it is."),
  face_currency: text("The currency of the card's value: ISO 4217."),
  face_value: decimal("Value of one card in `face_currency`."),
  fx_rate: decimal("Naira for one unit of `face_currency`; 1.00 for naira cards."),
  cards: Type.Array(
    Type.Object({
      sequence,
      code: text("What the customer redeems."),
      pin: textOrNull("Asked for with the code, where the brand does."),
      serial: textOrNull("The card's number, which support asks for."),
      claim_url: textOrNull("Where the card can be looked at and redeemed."),
      value: decimal("Value of this card in `currency`."),
      currency: text("ISO 4217."),
      expires_at: instantOrNull("Null where the brand's cards do not expire."),
    }),
    { description: "As many as bought." },
  ),
});

/** Digital gift cards. Amounts are in the card's currency; the wallet pays naira at the product's rate. */
export const giftcard = defineCategory({
  slug: "giftcard",
  title: "Gift cards",
  paths: { purchase: "/giftcard/purchase" },
  body: Type.Object({
    product_id: productIdField,
    quantity: Type.Optional(quantityField(10, "How many cards: 1 to 10. Default: 1.")),
    amount: Type.Optional(nairaField("Value of one card in its own currency: for products with a range.")),
    recipient_email: Type.Optional(emailField),
    recipient_phone: Type.Optional(phoneField),
    phone: Type.Optional(phoneField),
  }),
  customerField: "recipient_phone",
  quantityField: "quantity",
  fulfilment,
  secrets: ["cards"],
  read(body) {
    const quantity = integerOf(body.quantity ?? 1);
    const amount = body.amount === undefined ? null : nairaOf(body.amount);
    const recipient = body.recipient_phone ?? body.phone;
    const customerRef = recipient === undefined ? null : phoneOf(recipient);
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
        customer: customerRef,
      },
    };
  },
  check: checkAmount,
  simulate,
});

function simulate(request: VendRequest, zone: WallTime): JsonObject {
  const { attributes, details } = request;
  const chance = madeUp(request.transactionId);
  const currency = textFact(attributes, "face_currency") ?? "NGN";
  const value = textFact(details, "value") ?? textFact(attributes, "foreign_face") ?? formatNaira(request.unitAmount);
  const expiresAt = daysLater(request.at, 365, zone);
  return {
    kind: "giftcards",
    brand: textFact(attributes, "brand") ?? request.billerName,
    face_currency: currency,
    face_value: value,
    fx_rate: textFact(attributes, "fx_rate") ?? "1.00",
    cards: Array.from({ length: request.quantity }, (_, index) => ({
      sequence: index + 1,
      code: `TEST-${chance.characters(plainCharacters, 4)}-${chance.characters(plainCharacters, 6)}-${chance.characters(plainCharacters, 4)}`,
      pin: attributes.has_pin === true ? chance.digits(4) : null,
      serial: `00${chance.digits(14)}`,
      claim_url: `https://giftcards.example/claim/${chance.characters("abcdefghjkmnpqrstuvwxyz23456789", 20)}`,
      value,
      currency,
      expires_at: expiresAt,
    })),
  };
}
