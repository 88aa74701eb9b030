import { type Static, Type } from "typebox";
import { cable } from "../../categories/cable.ts";
import { ifSent } from "../../categories/fields.ts";
import { textFact } from "../../categories/fulfilment/made-up.ts";
import { byProduct, claimBiller } from "../../categories/product/selection.ts";
import { totalDeductedOf } from "../../domain/purchases/purchase.ts";
import { integer, money, text } from "../../http/schemas/schemas.ts";
import { formatNaira } from "../../kernel/money.ts";
import {
  cableNames,
  contactAliases,
  contactField,
  identAliases,
  identField,
  keyOf,
  mobileNumberOf,
  noContact,
  numberedNameField,
  planField,
  printedNumberField,
} from "../fields.ts";
import type { LegacyPurchases } from "../purchases.ts";

const body = Type.Object({
  cablename: numberedNameField("1 GOTV, 2 DSTV, 3 STARTIME, 4 SHOWMAX, or the name.", 2),
  cableplan: { ...planField, description: "A bouquet's id as `/api/user` lists it.", examples: [4004] },
  smart_card_number: {
    ...printedNumberField({
      pattern: "^[0-9]{8,14}$",
      problem: "INVALID_SMARTCARD",
      what: "The smartcard or IUC number.",
      message: "Must have 8 to 14 digits.",
    }),
    examples: ["7032145678"],
  },
  mobile_number: contactField,
  ident: Type.Optional(identField),
});

/** `/api/cablesub`: a cable TV bouquet for a smartcard. */
export const legacyCablesub: LegacyPurchases = {
  category: cable,
  operation: {
    noun: "Cable",
    summary: "Pay a cable TV bouquet, as older clients do",
    description: "A bouquet by the number that `Cableplan` of `GET /api/user` lists it under.",
  },
  body,
  aliases: { ...identAliases, ...contactAliases, smart_card_number: ["iuc", "smartcard_number"] },
  words: {
    fieldNames: { biller: "cablename", product_id: "cableplan", smartcard_number: "smart_card_number" },
    noProduct: "cableplan: There is no such plan.",
  },
  examples: {
    "As older clients send it": {
      cablename: 1,
      cableplan: 4101,
      smart_card_number: "7032145678",
      ident: "legacy-cable-1",
    },
  },
  answer: {
    cablename: text(100, "The operator.", "DSTV"),
    cableplan: integer({ minimum: 1, maximum: 2_147_483_647 }, "The bouquet's id.", 4_004),
    package: text(150, "The bouquet.", "Compact"),
    smart_card_number: text(40, "As sent.", "7032145678"),
    customer_name: text(150, "Whose it is, where the operator says so; else empty.", "ADEYEMI TUNDE"),
    paid_amount: money("What was deducted; nothing once it failed.", "18791.00"),
  },
  read(request: Static<typeof body>) {
    const phone = ifSent(request.mobile_number, mobileNumberOf);
    const requested = cable.read({
      product_id: request.cableplan,
      smartcard_number: String(request.smart_card_number),
      phone: phone ?? noContact,
    } as never);
    const biller = keyOf(cableNames, "cablename", request.cablename);
    return { ...requested, phone, selector: byProduct(request.cableplan, [claimBiller(biller)]) };
  },
  fieldsOf: (purchase, { product }, { delivered }) => ({
    cablename: cableNames[product.biller.slug]?.name ?? product.biller.name,
    cableplan: product.id,
    package: product.plan ?? product.name,
    smart_card_number: purchase.customerRef ?? "",
    customer_name: (delivered && textFact(delivered, "customer_name")) ?? "",
    paid_amount: formatNaira(totalDeductedOf(purchase)),
  }),
};
