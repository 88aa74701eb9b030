import { type TSchema, Type } from "typebox";
import { type SentTerms, sentFields, termColumns } from "../../domain/purchases/purchase.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { refuseField } from "../../kernel/problems.ts";
import { nullable } from "./schemas.ts";

/** A field that a merchant sends with a purchase only to get it back. */
interface SentField<Value> {
  readonly inRequests: TSchema;
  readonly inAnswers: TSchema;
  /** Reads a body that the schema has accepted. @throws Refusal VALIDATION_ERROR for what a schema can't say */
  readonly read: (body: Record<string, unknown>) => Value;
}

/** `metadata` is echoed with every answer, so it stays small. */
const metadataBytesMax = 2_048;

const sent: { readonly [Field in keyof SentTerms]: SentField<SentTerms[Field]> } = {
  metadata: {
    inRequests: Type.Optional(
      Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
        description:
          "An object of yours up to 2 KB, echoed with the transaction. Ids of more than 15 digits are sent as strings.",
        examples: [{ order: 7 }],
        "x-message": "Must be an object.",
      }),
    ),
    inAnswers: nullable(
      Type.Object(
        {},
        {
          additionalProperties: true,
          maxProperties: 1_000,
          description: "What you sent, as you sent it.",
          examples: [{}],
        },
      ),
    ),
    read: metadataOf,
  },
};

export const sentInRequests = schemasOf("inRequests");
export const sentInAnswers = schemasOf("inAnswers");

/** @throws Refusal VALIDATION_ERROR for what a schema can't say */
export function sentOf(body: Record<string, unknown>): SentTerms {
  const read: Record<string, unknown> = {};
  for (const field of sentFields) read[field] = sent[field].read(body);
  return read as unknown as SentTerms;
}

function schemasOf(side: "inRequests" | "inAnswers"): Readonly<Record<string, TSchema>> {
  return Object.fromEntries(sentFields.map((field) => [termColumns[field].name, sent[field][side]]));
}

/** @throws Refusal VALIDATION_ERROR where it is too long */
function metadataOf(body: Record<string, unknown>): JsonObject | null {
  const metadata = body.metadata as JsonObject | null | undefined;
  if (metadata == null) return null;
  const bytes = Buffer.byteLength(JSON.stringify(metadata));
  if (bytes > metadataBytesMax) {
    throw refuseField("VALIDATION_ERROR", "metadata", `Must be at most ${metadataBytesMax} bytes; it has ${bytes}.`);
  }
  return metadata;
}
