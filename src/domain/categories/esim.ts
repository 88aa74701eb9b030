import { toDataURL } from "qrcode";
import { Type } from "typebox";
import type { WallTime } from "../../kernel/clock.ts";
import type { Json, JsonObject } from "../../kernel/json.ts";
import type { VendRequest } from "../../providers/contract.ts";
import { byProduct, defineCategory, integerOf, phoneOf } from "./category.ts";
import { emailField, phoneField, productIdField, quantityField } from "./fields.ts";
import { instantOrNull, text, textOrNull } from "./fulfilment-fields.ts";
import { daysLater, integerFact, madeUp, plainCharacters, textFact, validityDays } from "./made-up.ts";

const fulfilment = Type.Object({
  kind: Type.Literal("esims"),
  esims: Type.Array(
    Type.Object({
      iccid: Type.String({ pattern: "^89[0-9]{17,18}$", description: "The profile's number." }),
      lpa: Type.String({
        pattern: "^LPA:1\\$[^$]+\\$[^$]+$",
        description: "The activation code, as a device reads it.",
      }),
      smdp_address: text("The server that holds the profile, for entering by hand."),
      matching_id: text("The code that releases the profile, for entering by hand."),
      qr_code: Type.String({ pattern: "^data:image/png;base64,", description: "`lpa` as a QR code: a PNG data URL." }),
      apn: textOrNull("The access point, where a device asks for one."),
      data_mb: Type.Unsafe<number | null>({
        type: ["integer", "null"],
        description: "Megabytes; null when unlimited.",
      }),
      validity_days: Type.Unsafe<number | null>({ type: ["integer", "null"], description: "Days from first use." }),
      coverage: Type.Array(Type.String(), { description: "Countries (ISO 3166) or the region in which it works." }),
      expires_at: instantOrNull("Until when the profile must be installed."),
    }),
    { description: "As many as bought." },
  ),
});

/** Travel eSIMs: a data profile that a device downloads. */
export const esim = defineCategory({
  slug: "esim",
  title: "Travel eSIMs",
  paths: { purchase: "/esim/purchase" },
  body: Type.Object({
    product_id: productIdField,
    quantity: Type.Optional(quantityField(10, "How many eSIMs: 1 to 10. Default: 1.")),
    email: Type.Optional(emailField),
    phone: Type.Optional(phoneField),
  }),
  customerField: "phone",
  quantityField: "quantity",
  fulfilment,
  secrets: ["esims"],
  read(body) {
    const phone = body.phone === undefined ? null : phoneOf(body.phone);
    const quantity = integerOf(body.quantity ?? 1);
    return {
      selector: byProduct(body.product_id),
      customerRef: phone,
      phone,
      quantity,
      amount: null,
      ported: null,
      details: { email: body.email ?? null },
      intent: { product_id: integerOf(body.product_id), quantity, phone },
    };
  },
  simulate,
});

/** Not resolvable anywhere, by RFC 2606: no device reaches a real server with the sandbox's codes. */
const smdpAddress = "smdp.sandbox.example";

async function simulate(request: VendRequest, zone: WallTime): Promise<JsonObject> {
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
      const qrCode = await toDataURL(lpa, { errorCorrectionLevel: "M", margin: 2, scale: 4 });
      return { iccid, lpa, smdp_address: smdpAddress, matching_id: matchingId, qr_code: qrCode, ...facts };
    }),
  );
  return { kind: "esims", esims };
}

function validityDaysOrNull(attributes: JsonObject): number | null {
  const validity = textFact(attributes, "validity");
  return validity === null ? null : validityDays(validity, 30);
}

function coverageOf(coverage: Json | undefined): readonly Json[] {
  if (typeof coverage === "string") return [coverage];
  return Array.isArray(coverage) ? coverage : [];
}

/** Appends the check digit that every ICCID ends in (ITU-T E.118). */
export function withLuhn(digits: string): string {
  const sum = Array.from(digits)
    .reverse()
    .reduce((total, digit, index) => {
      const value = index % 2 === 0 ? Number(digit) * 2 : Number(digit);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
