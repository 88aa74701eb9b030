import { type Static, Type } from "typebox";
import { education } from "../../categories/education.ts";
import { ifSent, integerField } from "../../categories/fields.ts";
import { textFact } from "../../categories/fulfilment/made-up.ts";
import type { Product } from "../../categories/product/product.ts";
import type { CatalogueSnapshot } from "../../domain/catalogue/snapshot.ts";
import { amountOf } from "../../domain/purchases/purchase.ts";
import { integer, money, text } from "../../http/schemas/schemas.ts";
import type { ProductId } from "../../kernel/ids.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { formatNaira } from "../../kernel/money.ts";
import { refuse } from "../../kernel/problems.ts";
import {
  contactAliases,
  contactField,
  examNames,
  identAliases,
  identField,
  keyOf,
  mobileNumberOf,
  noContact,
} from "../fields.ts";
import { type LegacyPurchases, rowsIn } from "../purchases.ts";
import { olderBalances, olderBalancesOf } from "../sold.ts";

const body = Type.Object({
  exam_name: Type.Unsafe<number | string>({
    type: ["integer", "string"],
    pattern: "^[^\\u0000]{1,60}$",
    maxLength: 60,
    minimum: 1,
    maximum: 2_147_483_647,
    description: "WAEC, NECO, NABTEB, NBAIS, WAEC GCE or JAMB, its number from 1 to 6 in this order, or a product_id.",
    examples: ["WAEC"],
    "x-message": "Must be an exam's name or number.",
  }),
  quantity: Type.Optional(
    integerField({ minimum: 1, maximum: 5, rangeProblem: "QUANTITY_OUT_OF_RANGE", description: "How many: 1 to 5." }),
  ),
  profile_code: Type.Optional(
    Type.Unsafe<string | number>({
      type: ["string", "integer"],
      pattern: "^[0-9]{10}$",
      maxLength: 40,
      minimum: 1_000_000_000,
      maximum: 9_999_999_999,
      description: "The candidate's profile code, for JAMB.",
      examples: ["1234567890"],
      "x-message": "Must have 10 digits.",
    }),
  ),
  mobile_number: contactField,
  ident: Type.Optional(identField),
});

/** `/api/epin`: exam PINs. */
export const legacyEpin: LegacyPurchases = {
  category: education,
  operation: {
    noun: "ExamPins",
    summary: "Buy exam PINs, as older clients do",
    description: "Result-checker PINs by the exam's name: all of them are delivered, or none is charged.",
  },
  body,
  aliases: { ...identAliases, ...contactAliases, exam_name: ["exam_type", "examname"] },
  words: { fieldNames: { product_id: "exam_name" }, noProduct: "exam_name: There is no such exam." },
  examples: { "As older clients send it": { exam_name: "NECO", quantity: 1, ident: "legacy-epin-1" } },
  answer: {
    exam_name: text(150, "The exam.", "WAEC"),
    quantity: integer({ minimum: 1, maximum: 5 }, "How many PINs.", 1),
    amount: money("Their price before discount.", "3500.00"),
    ...olderBalances,
    pins: text(
      600,
      "`PIN<=>serial`, several apart by commas; empty until they are delivered.",
      "000482107736<=>WRN482107001",
    ),
  },
  read(request: Static<typeof body>, { catalogue }) {
    const phone = ifSent(request.mobile_number, mobileNumberOf);
    const requested = education.read({
      product_id: productOf(request.exam_name, catalogue).id,
      quantity: request.quantity ?? 1,
      phone: phone ?? noContact,
      ...(request.profile_code === undefined ? {} : { profile_code: String(request.profile_code) }),
    } as never);
    return { ...requested, customerRef: phone, phone, intent: { ...requested.intent, phone } };
  },
  fieldsOf: (purchase, { product }, { delivered }) => ({
    exam_name: examNames[product.code]?.name ?? product.name,
    quantity: purchase.quantity,
    amount: formatNaira(amountOf(purchase)),
    ...olderBalancesOf(purchase),
    pins: pinsIn(delivered).join(","),
  }),
};

function productOf(exam: number | string, catalogue: CatalogueSnapshot): Product {
  const id = /^[0-9]{4,10}$/.test(String(exam)) ? Number(exam) : null;
  const code = id === null ? keyOf(examNames, "exam_name", exam) : null;
  const product =
    id === null ? catalogue.products.find((each) => each.code === code) : catalogue.findProduct(id as ProductId);
  if (product == null) throw refuse("PRODUCT_NOT_FOUND");
  return product;
}

function pinsIn(delivered: JsonObject | null): readonly string[] {
  return rowsIn(delivered, "pins").map((pin) => `${textFact(pin, "pin") ?? ""}<=>${textFact(pin, "serial") ?? ""}`);
}
