import { type Static, Type } from "typebox";
import type { WallTime } from "../kernel/clock.ts";
import type { Json, JsonObject } from "../kernel/json.ts";
import { defineCategory } from "./category.ts";
import { emailField, ifSent, integerOf, phoneField, phoneOf, productIdField, quantityField } from "./fields.ts";
import { isJsonObject, pieceFaults, piecesIn } from "./fulfilment/fulfilment-by-hand.ts";
import { instantOrNull, text, textOrNull } from "./fulfilment/fulfilment-fields.ts";
import { daysLater, integerFact, madeUp, plainCharacters, textFact, validityDays } from "./fulfilment/made-up.ts";
import { integerAttribute, textAttribute } from "./product/product-shape.ts";
import { byProduct } from "./product/selection.ts";
import type { VendRequest } from "./supplier-request.ts";

const fulfilment = Type.Object(
  {
    kind: Type.Literal("esims"),
    esims: Type.Array(
      Type.Object({
        iccid: Type.String({
          pattern: "^89[0-9]{16,18}$",
          maxLength: 20,
          description: "The profile's number.",
          examples: ["8923400482107736591"],
        }),
        lpa: Type.String({
          pattern: "^LPA:1\\$[^$]+\\$[^$]*(\\$[0-9.]*(\\$1?(\\$[0-9A-Fa-f]*)?)?)?$",
          maxLength: 500,
          description:
            "The activation code, as a device reads it: SGP.22 allows an object identifier behind it, and `$1` where the device asks for a confirmation code.",
          examples: ["LPA:1$smdp.sandbox.example$TEST-4K7M-9QXR-2T7H-WPC8"],
        }),
        smdp_address: text("The server that holds the profile, for entering by hand.", "smdp.sandbox.example", 255),
        matching_id: text("The code that releases the profile, for entering by hand.", "TEST-4K7M-9QXR-2T7H-WPC8"),
        qr_code: Type.String({
          pattern: "^data:image/png;base64,",
          maxLength: 20_000,
          description: "`lpa` as a QR code: a PNG data URL.",
          examples: ["data:image/png;base64,iVBORw0KGgo="],
        }),
        apn: textOrNull("The access point, where a device asks for one.", "internet", 100),
        data_mb: Type.Unsafe<number | null>({
          type: ["integer", "null"],
          minimum: 1,
          maximum: 10_000_000,
          description: "Megabytes; null when unlimited.",
          examples: [1_024],
        }),
        validity_days: Type.Unsafe<number | null>({
          type: ["integer", "null"],
          minimum: 1,
          maximum: 3_650,
          description: "Days from first use.",
          examples: [7],
        }),
        coverage: Type.Array(Type.String({ maxLength: 100, examples: ["GB"] }), {
          maxItems: 300,
          description: "Countries (ISO 3166) or the region in which it works.",
        }),
        expires_at: instantOrNull("Until when the profile must be installed."),
      }),
      { maxItems: 10, description: "As many as bought." },
    ),
  },
  { "x-component": "EsimsDelivery" },
);

const attributes = Type.Object({
  apn: textAttribute(100),
  data_mb: Type.Optional(
    Type.Unsafe<number | null>({
      type: ["integer", "null"],
      minimum: 1,
      maximum: 10_000_000,
      description: "a whole number from 1 to 10000000, or null where it is unlimited",
    }),
  ),
  validity_days: integerAttribute(1, 3_650),
  coverage: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      maxItems: 300,
      description: "a list of up to 300 countries or regions",
    }),
  ),
});

/** What a product says of its profiles goes before what their supplier tells. */
export type EsimAttributes = Static<typeof attributes>;

/** Travel eSIMs: a data profile that a device downloads. */
export const esim = defineCategory({
  slug: "esim",
  title: "Travel eSIMs",
  paths: { purchase: "/esim/purchase" },
  operation: {
    id: "buyEsim",
    summary: "Buy travel eSIMs",
    description:
      "Buys data profiles that a phone downloads by scanning `qr_code` or entering `smdp_address` and `matching_id`.",
  },
  examples: { "A profile": { product_id: 12401, email: "ada@example.ng" } },
  body: Type.Object({
    product_id: productIdField,
    quantity: Type.Optional(quantityField(10, "How many eSIMs: 1 to 10. Default: 1.")),
    email: Type.Optional(emailField),
    phone: Type.Optional(phoneField),
  }),
  sells: {
    customerLabel: "Phone number",
    amountTypes: ["fixed"],
    quantityMax: 10,
    attributes,
  },
  customerField: "phone",
  quantityField: "quantity",
  fulfilment,
  secrets: ["esims"],
  byHand: {
    fixed: [],
    proposed: ["esims.apn", "esims.data_mb", "esims.validity_days", "esims.coverage"],
    derived: ["esims.smdp_address", "esims.matching_id", "esims.qr_code"],
    complete: withPartsOfLpa,
    faults: (request, fulfilment) => [
      ...pieceFaults(request, fulfilment, { list: "esims", differsIn: "iccid" }),
      ...piecesIn(fulfilment, "esims").flatMap(partFaults),
    ],
  },
  read(body) {
    const phone = ifSent(body.phone, phoneOf);
    const quantity = integerOf(body.quantity ?? 1);
    return {
      selector: byProduct(body.product_id),
      customerRef: phone,
      phone,
      quantity,
      amount: null,
      ported: null,
      details: { email: body.email ?? null },
      intent: { phone, product_id: integerOf(body.product_id), quantity },
    };
  },
  simulate,
});

/** Not resolvable anywhere, by RFC 2606: no device reaches a real server with the sandbox's codes. */
const smdpAddress = "smdp.sandbox.example";

type Fulfilment = Static<typeof fulfilment>;

/** Profiles as their supplier hands them over: what follows from the activation code is added by `complete`. */
export type DeliveredEsims = Pick<Fulfilment, "kind"> & {
  readonly esims: readonly Omit<Fulfilment["esims"][number], "smdp_address" | "matching_id" | "qr_code">[];
};

async function simulate(request: VendRequest, zone: WallTime): Promise<Fulfilment> {
  const { attributes } = request;
  const chance = madeUp(request.transactionId);
  const profiles = Array.from({ length: request.quantity }, () => ({
    iccid: withLuhn(`8923400${chance.digits(11)}`),
    matchingId: ["TEST", ...Array.from({ length: 4 }, () => chance.characters(plainCharacters, 4))].join("-"),
  }));
  const facts = {
    apn: textFact(attributes, "apn"),
    data_mb: integerFact(attributes, "data_mb"),
    validity_days: integerFact(attributes, "validity_days") ?? validityDaysOrNull(attributes),
    coverage: coverageOf(attributes.coverage),
    expires_at: daysLater(request.at, 365, zone),
  };
  const esims = await Promise.all(
    profiles.map(async ({ iccid, matchingId }) => {
      const lpa = `LPA:1$${smdpAddress}$${matchingId}`;
      const qrCode = await qrCodeOf(lpa);
      return { iccid, lpa, smdp_address: smdpAddress, matching_id: matchingId, qr_code: qrCode, ...facts };
    }),
  );
  return { kind: "esims", esims };
}

/** What draws it is loaded when the first eSIM is sold. */
async function qrCodeOf(lpa: string): Promise<string> {
  const { toDataURL } = await import("qrcode");
  return toDataURL(lpa, { errorCorrectionLevel: "M", margin: 2, scale: 4 });
}

/** Of SGP.22: the server, the code, whose key signs, whether a confirmation code is wanted, and whose root. */
const activationCode = /^(?:LPA:)?(1\$([^$\s]+)\$([^$\s]*)(?:\$[0-9.]*(?:\$1?(?:\$[0-9A-F]*)?)?)?)$/i;

/** An activation code as devices read it, with its server and its code; null where it is none, or is too long. */
function partsOfLpa(
  profile: JsonObject,
): { readonly lpa: string; readonly parts: Readonly<Record<string, string>> } | null {
  const known = textFact(profile, "lpa")?.trim() ?? "";
  const [, lpa, server = "", code = ""] = (known.length > 500 ? null : activationCode.exec(known)) ?? [];
  return lpa === undefined ? null : { lpa: `LPA:${lpa}`, parts: { smdp_address: server, matching_id: code } };
}

/** Adds what a profile lacks: the parts of its activation code, and that code as a QR code. */
async function withPartsOfLpa(fulfilment: JsonObject): Promise<JsonObject> {
  if (!Array.isArray(fulfilment.esims)) return fulfilment;
  const complete = async (profile: Json) => {
    const read = isJsonObject(profile) ? partsOfLpa(profile) : null;
    if (!isJsonObject(profile) || read === null) return profile;
    const { lpa, parts } = read;
    return { ...parts, ...("qr_code" in profile ? {} : { qr_code: await qrCodeOf(lpa) }), ...profile, lpa };
  };
  return { ...fulfilment, esims: await Promise.all(fulfilment.esims.map(complete)) };
}

function partFaults(profile: JsonObject, index: number): readonly string[] {
  const at = `/esims/${index}`;
  const read = partsOfLpa(profile);
  if (read === null) return "lpa" in profile ? [`${at}/lpa must be like LPA:1$SERVER$CODE`] : [];
  return Object.entries(read.parts)
    .filter(([name, part]) => typeof profile[name] === "string" && profile[name] !== part)
    .map(([name]) => `${at}/${name} must be as in ${at}/lpa; left out, it is made from it`);
}

function validityDaysOrNull(attributes: JsonObject): number | null {
  const validity = textFact(attributes, "validity");
  return validity === null ? null : validityDays(validity, 30);
}

function coverageOf(coverage: Json | undefined): string[] {
  if (typeof coverage === "string") return [coverage];
  return Array.isArray(coverage) ? coverage.filter((place) => typeof place === "string") : [];
}

/** Appends the check digit that every ICCID ends in (ITU-T E.118). */
function withLuhn(digits: string): string {
  const sum = Array.from(digits)
    .reverse()
    .reduce((total, digit, index) => {
      const value = index % 2 === 0 ? Number(digit) * 2 : Number(digit);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
