import { problems } from "../../kernel/problem-catalogue.ts";
import type { FieldErrors, ProblemCode, Refusal } from "../../kernel/problems.ts";
import { emptyForm, type Form } from "./form.ts";

/** A form as a page shows it: with what was typed and what is wrong with it, or as nobody has touched it. */
export interface Typed {
  readonly form: Form;
  /** Null where it was not refused. */
  readonly refusal: Refusal | null;
  /** The faults by field. */
  readonly errors: FieldErrors;
  /** What a field holds: as it was typed, else as it is stored. */
  value(name: string, stored?: string | null): string;
  /** What is wrong with a field; null where nothing is. */
  error(name: string): string | null;
  /** Both, with the name they belong to. */
  field(
    name: string,
    stored?: string | null,
  ): { readonly name: string; readonly value: string; readonly error: string | null };
  /** What is wrong where no field is. */
  readonly whole: string | null;
  /** The HTTP status of the page that shows it. */
  readonly status: number;
  /** The same, where some refusals are about a field without saying so, each with its sentence unless its own is right. */
  aimed(fields: Partial<Record<ProblemCode, readonly [field: string, sentence?: string]>>): Typed;
}

export function typedForm(form: Form, refusal: Refusal | null, errors: FieldErrors = errorsOf(refusal)): Typed {
  const typed: Typed = {
    ...{ form, refusal, errors },
    value: (name, stored) => (form.has(name) ? form.raw(name) : (stored ?? "")),
    error: (name) => errors[name]?.join(" ") ?? null,
    field: (name, stored) => ({ name, value: typed.value(name, stored), error: typed.error(name) }),
    whole: refusal === null || Object.keys(errors).length > 0 ? null : refusal.message,
    status: refusal === null ? 200 : problems[refusal.code].status,
    aimed(fields) {
      const [field, sentence = refusal?.message ?? ""] = (refusal !== null && fields[refusal.code]) || [];
      if (field === undefined || Object.keys(errors).length > 0) return typed;
      return typedForm(form, refusal, { [field]: [sentence] });
    },
  };
  return typed;
}

function errorsOf(refusal: Refusal | null): FieldErrors {
  return refusal?.detail.errors ?? {};
}

export const untouched: Typed = typedForm(emptyForm, null);
