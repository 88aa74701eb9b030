import { Type } from "typebox";
import { beneficiaryIdPattern } from "../../domain/beneficiaries/beneficiary.ts";
import { type MeterType, meterTypes } from "../../domain/categories/product/product.ts";
import {
  categorySchema,
  instant,
  networkSchema,
  nullable,
  pathParameter,
  phoneSchema,
  slugSchema,
  text,
} from "../schemas/schemas.ts";

export const idParameter = Type.Object({
  id: pathParameter("The beneficiary's id.", "ben_01KAGZ7Q3M5T8V1X4Y6Z9B2C3D"),
});

const idExample = "ben_01KAGZ7Q3M5T8V1X4Y6Z9B2C3D";

function idSchema(description: string) {
  return Type.String({ pattern: beneficiaryIdPattern, maxLength: 30, description, examples: [idExample] });
}

export const beneficiarySchema = Type.Object(
  {
    id: idSchema("What a purchase sends as `beneficiary_id`."),
    label: text(100, "Your own name for it.", "Mama Tolu's shop"),
    category: categorySchema,
    customer_ref: text(64, "The customer's number, in the spelling that purchases answer.", "45012345678"),
    biller_slug: nullable(slugSchema),
    network: networkSchema,
    meter_type: Type.Unsafe<MeterType | null>({
      type: ["string", "null"],
      enum: [...meterTypes, null],
      description: "For a meter: its kind, where it was said.",
      examples: ["prepaid"],
    }),
    customer_name: nullable(text(200, "Whom the number belongs to.", "ADEYEMI TOLU")),
    phone: nullable(phoneSchema),
    created_at: instant("When it was saved."),
    updated_at: instant("When it was changed last."),
  },
  { "x-component": "Beneficiary" },
);

export const deletedAnswer = Type.Object({
  deleted: Type.Literal(true),
  id: idSchema("What was deleted."),
});
