import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Static, type TObject, type TSchema, Type } from "typebox";
import { cable } from "../../categories/cable.ts";
import type { Category } from "../../categories/category.ts";
import { electricity } from "../../categories/electricity.ts";
import { textFact } from "../../categories/fulfilment/made-up.ts";
import { principalOf } from "../../http/request-context.ts";
import { text } from "../../http/schemas/schemas.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { Refusal, refuse } from "../../kernel/problems.ts";
import { refuseWhenAway } from "../../platform/database/refuse-when-away.ts";
import { failedBody, type LegacyWords } from "../errors.ts";
import { cableNames, discoNames, keyOf, numberedNameField } from "../fields.ts";
import { legacyErrorFields, legacyRoute } from "../operation.ts";
import type { LegacyServices } from "../services.ts";
import { discoField, meterTypeField, meterTypeOf } from "./billpayment.ts";

/** A legacy endpoint that asks whom a number belongs to. */
interface LegacyValidation {
  readonly category: Category;
  readonly operation: { readonly id: string; readonly summary: string; readonly description: string };
  readonly query: TObject;
  readonly words: LegacyWords;
  /** The answer's name for a number that nobody has. */
  readonly invalidName: string;
  readonly numberPattern: RegExp;
  /** The body of the same verification at the merchant API. @throws Refusal for an unknown name */
  readonly bodyOf: (query: Record<string, unknown>) => { readonly number: string; readonly body: object };
}

/** Any text is accepted: one that cannot be a number is answered as a number that nobody has. */
function numberField(what: string, example: string) {
  return Type.String({ pattern: "^[^\\u0000]*$", maxLength: 40, description: what, examples: [example] });
}

const iucQuery = Type.Object({
  smart_card_number: numberField("The smartcard or IUC number.", "7032145678"),
  cablename: numberedNameField("1 GOTV, 2 DSTV, 3 STARTIME, 4 SHOWMAX, or the name.", 2),
});

export const legacyValidateIuc: LegacyValidation = {
  category: cable,
  operation: {
    id: "legacyValidateIuc",
    summary: "Ask whose a smartcard is, as older clients do",
    description: "Answers 200 whether the operator knows the number or not: `invalid` says which.",
  },
  query: iucQuery,
  words: { fieldNames: { biller: "cablename" }, noProduct: "cablename: There is no such operator." },
  invalidName: "INVALID_SMARTCARDNO",
  numberPattern: /^[0-9]{8,14}$/,
  bodyOf(query) {
    const { smart_card_number, cablename } = query as Static<typeof iucQuery>;
    const number = smart_card_number.trim();
    return { number, body: { biller: keyOf(cableNames, "cablename", cablename), smartcard_number: number } };
  },
};

const meterQuery = Type.Object({
  meternumber: numberField("The meter's number.", "45012345678"),
  disconame: discoField,
  mtype: Type.Optional(meterTypeField),
});

export const legacyValidateMeter: LegacyValidation = {
  category: electricity,
  operation: {
    id: "legacyValidateMeter",
    summary: "Ask whose a meter is, as older clients do",
    description:
      "Answers 200 whether the disco knows the number or not: `invalid` says which. Prepaid unless `mtype` is 2.",
  },
  query: meterQuery,
  words: {
    fieldNames: { biller: "disconame", meter_type: "mtype" },
    noProduct: "disconame: There is no such disco.",
  },
  invalidName: "INVALID METER NUMBER",
  numberPattern: /^[0-9]{6,13}$/,
  bodyOf(query) {
    const { meternumber, disconame, mtype = 1 } = query as Static<typeof meterQuery>;
    const number = meternumber.trim();
    const body = { biller: keyOf(discoNames, "disconame", disconame), meter_type: meterTypeOf(mtype) };
    return { number, body: { ...body, meter_number: number } };
  },
};

const answers: TSchema = Type.Union([
  Type.Object(
    {
      invalid: Type.Literal(false),
      name: text(150, "Whose it is.", "ADEYEMI TUNDE"),
      customer_name: text(150, "The same.", "ADEYEMI TUNDE"),
      address: text(300, "Where the meter is; empty for a smartcard.", "12 Allen Avenue, Ikeja, Lagos"),
      Status: Type.Literal("successful"),
      status: Type.Literal("success"),
    },
    { "x-component": "LegacyValidNumber" },
  ),
  Type.Object(
    {
      invalid: Type.Literal(true),
      name: text(150, "That it is nobody's.", "INVALID METER NUMBER"),
      Status: Type.Literal("failed"),
      status: Type.Literal("failed"),
      ...(legacyErrorFields as unknown as TObject["properties"]),
    },
    { "x-component": "LegacyInvalidNumber" },
  ),
]);

/** `/api/validateiuc` and `/api/validatemeter`: the merchant API's verification. Charges nothing. */
export function legacyValidationRoute(
  app: FastifyInstance,
  { verify, waiting }: LegacyServices,
  validation: LegacyValidation,
): void {
  const { category, query, words, invalidName, numberPattern, bodyOf } = validation;
  legacyRoute(app, {
    method: "GET",
    words,
    task: "read",
    notes: {
      ...validation.operation,
      querystring: query,
      responses: { 200: answers },
      problems: ["CATEGORY_NOT_ALLOWED", "BILLER_NOT_FOUND", "PROVIDER_UNAVAILABLE", "BILLER_UNAVAILABLE"],
    },
    async handler(request: FastifyRequest, reply: FastifyReply) {
      const { number, body } = bodyOf(request.query as Record<string, unknown>);
      if (!numberPattern.test(number) || category.verify === undefined) return invalidAnswer(invalidName);
      const inquiry = category.verify.read(body as never);
      const principal = principalOf(request);
      const reported = await waiting
        .asking(
          reply,
          () => verify({ principal, category, inquiry }),
          () => refuse("MAINTENANCE"),
        )
        .then((verified) => verified.reported)
        .catch(nullWhereUnknown)
        .catch(refuseWhenAway);
      return reported === null ? invalidAnswer(invalidName) : validAnswer(reported);
    },
  });
}

function nullWhereUnknown(error: unknown): null {
  if (error instanceof Refusal && error.code === "VERIFICATION_FAILED") return null;
  throw error;
}

function validAnswer(reported: JsonObject) {
  const name = textFact(reported, "customer_name") ?? "";
  const address = textFact(reported, "customer_address") ?? "";
  return { invalid: false, name, customer_name: name, address, Status: "successful", status: "success" };
}

function invalidAnswer(name: string) {
  return { invalid: true, name, ...failedBody([`${name}: the number is not known.`]) };
}
