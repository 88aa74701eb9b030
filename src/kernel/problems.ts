import type { JsonObject } from "./json.ts";
import { problems } from "./problem-catalogue.ts";

export type ProblemCode = keyof typeof problems;

/** Messages per field, keyed as the client sent them: `phone`, `items.3.phone`. */
export type FieldErrors = { readonly [field: string]: readonly string[] };

interface RefusalDetail {
  readonly message?: string;
  readonly errors?: FieldErrors;
  readonly meta?: JsonObject;
  /** Sent as `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** Sent as `Allow`. */
  readonly allow?: readonly string[];
  /** The error behind it, for the log alone. */
  readonly cause?: unknown;
}

/** Why a request was not carried out. Rendered in one place: `http/plugins/errors.ts`. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: ProblemCode;
  readonly detail: RefusalDetail;

  constructor(code: ProblemCode, detail: RefusalDetail) {
    super(detail.message ?? problems[code].title);
    this.code = code;
    this.detail = detail;
  }
}

/** Makes a refusal to throw: `throw refuse("PRODUCT_NOT_FOUND")`. */
export function refuse(code: ProblemCode, detail: RefusalDetail = {}): Refusal {
  return new Refusal(code, detail);
}

/** A refusal about one field: its sentence stands in `errors` under the field's name, and in `message` after it. */
export function refuseField(code: ProblemCode, field: string, sentence: string, meta?: JsonObject): Refusal {
  const message = aboutField(field, sentence);
  return new Refusal(code, { message, errors: { [field]: [sentence] }, ...(meta === undefined ? {} : { meta }) });
}

/** A field's sentence where it stands alone: `Is required.` → `The field phone is required.` */
export function aboutField(field: string, sentence: string): string {
  return `The field ${field} ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}
