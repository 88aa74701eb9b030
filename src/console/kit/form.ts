import type { FastifyInstance, FastifyRequest } from "fastify";
import { refuse } from "../../kernel/problems.ts";

/** What a form sent: names and values as typed. */
export interface Form {
  /** The field's value without white space at its ends; "" where it is missing. */
  text(name: string): string;
  /** The field's value as it is: passwords and pasted lists. */
  raw(name: string): string;
  /** All values under a name: checkboxes. */
  all(name: string): readonly string[];
  has(name: string): boolean;
  /** All fields, to show the form again. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
}

/** Bytes of a form; a bulk order's, with 10,000 pasted lines, is longer. */
export const formBytesMax = 65_536;
export const bulkFormBytesMax = 4 * 1_048_576;

/** The longest form of ours is a bulk order whose hundred wrong lines are corrected in place. */
const fieldsMax = 200;

/** The field that the token is sent in which carries a form out once. */
export const onceField = "once";

/** Makes forms the only body that `pages` reads. */
export function readForms(pages: FastifyInstance): void {
  pages.removeAllContentTypeParsers();
  pages.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, body, done) => {
    const text = body as string;
    // Before it is parsed: a million names of nothing take a hundred times their length.
    if (text.split("&", fieldsMax + 1).length > fieldsMax) {
      done(refuse("VALIDATION_ERROR", { message: `A form has at most ${fieldsMax} fields.` }));
    } else {
      // As HTML reads it: PostgreSQL stores no NUL, and the check of a pasted workbook says more than that it has one.
      done(null, formOf(new URLSearchParams(text.replace(/%00|\0/g, "%EF%BF%BD"))));
    }
  });
}

/** The form that a request brought; an empty one where it brought none. */
export function sentForm({ body }: FastifyRequest): Form {
  return (body as Form | undefined) ?? emptyForm;
}

export function formOf(pairs: Iterable<readonly [name: string, value: string]>): Form {
  const fields = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    const values = fields.get(name);
    if (values === undefined) fields.set(name, [value]);
    else values.push(value);
  }
  const raw = (name: string) => fields.get(name)?.[0] ?? "";
  return {
    text: (name) => raw(name).trim(),
    raw,
    all: (name) => fields.get(name) ?? [],
    has: (name) => fields.has(name),
    fields,
  };
}

export const emptyForm: Form = formOf([]);

/** Whether a field holds what no page may show again, nor keep while a log-in or a factor is asked for. */
export function isSecretField(name: string): boolean {
  return /password|factor|secret|token|^code$/i.test(name);
}

/** What the browser's authenticator answered, from the field that its island fills; null where that is no JSON. */
export function passkeyAnswerIn(form: Form): unknown {
  try {
    return JSON.parse(form.raw("response"));
  } catch {
    return null;
  }
}
