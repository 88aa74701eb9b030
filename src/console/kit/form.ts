import type { FastifyInstance, FastifyRequest } from "fastify";
import { type FieldErrors, type ProblemCode, type Refusal, refuse, refuseField } from "../../kernel/problems.ts";
import { foreignContent, textOfFile } from "../../platform/csv.ts";

/** What a form sent: names and values as typed. */
export interface Form {
  /** The field's value without white space at its ends; "" where it is missing. */
  text(name: string): string;
  /** The field's value as it is: passwords and pasted lists. */
  raw(name: string): string;
  /** All values under a name: checkboxes. */
  all(name: string): readonly string[];
  has(name: string): boolean;
  /** A file's bytes as they came; null where none was sent. */
  bytes(name: string): Buffer | null;
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
      done(tooManyFields());
    } else if (text.split(/%00|\0/, nulsMax + 2).length > nulsMax + 1) {
      done(refused("What you pasted isn’t text. Copy the rows and paste them."));
    } else {
      // As HTML reads it: PostgreSQL stores no NUL, and the check of a pasted workbook says more than that it has one.
      done(null, formOf(new URLSearchParams(text.replace(/%00|\0/g, "%EF%BF%BD"))));
    }
  });
  pages.addContentTypeParser("multipart/form-data", { parseAs: "buffer" }, (request: FastifyRequest, body: Buffer) =>
    readMultipart(body, request.headers["content-type"] ?? ""),
  );
}

/** A form with a file, by the reader that comes with Node. A file is a field of its text, a picture of its data URL, and its name one beside it. */
async function readMultipart(body: Buffer, type: string): Promise<Form> {
  // Before it is read: a part of nothing is an object of its own as well.
  if (body.toString("latin1").split(/\bform-data\b/i, fieldsMax + 2).length > fieldsMax + 1) throw tooManyFields();
  const parts = await new Response(new Uint8Array(body), { headers: { "content-type": type } })
    .formData()
    .catch((): never => {
      throw refused("The form did not come whole.");
    });
  const pairs: [string, string][] = [];
  const files = new Map<string, Buffer>();
  for (const [name, value] of parts) {
    if (typeof value === "string") pairs.push([name, withoutNul(value)]);
    else if (value.size > 0) {
      const bytes = Buffer.from(await value.arrayBuffer());
      const isPicture = /^image\/[a-z+]+$/.test(value.type);
      const text = isPicture ? `data:${value.type};base64,${bytes.toString("base64")}` : textOfFile(bytes);
      pairs.push([name, withoutNul(text)]);
      pairs.push([`${name}-name`, value.name]);
      files.set(name, bytes);
    }
  }
  return formOf(pairs, files);
}

/** Each takes its time to put right; of what has more, its beginning is enough to say what it is instead of text. */
const nulsMax = 1_000;

function withoutNul(text: string): string {
  if (text.split("\0", nulsMax + 2).length <= nulsMax + 1) return text.replaceAll("\0", "\uFFFD");
  const beginning = text.slice(0, 100).replaceAll("\0", "\uFFFD");
  return foreignContent(beginning) === null ? "\uFFFD\uFFFD" : beginning;
}

function tooManyFields(): Refusal {
  return refused(`A form has at most ${fieldsMax} fields.`);
}

/** The form that a request brought; an empty one where it brought none. */
export function sentForm({ body }: FastifyRequest): Form {
  return (body as Form | undefined) ?? emptyForm;
}

export function formOf(
  pairs: Iterable<readonly [name: string, value: string]>,
  files: ReadonlyMap<string, Buffer> = new Map(),
): Form {
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
    bytes: (name) => files.get(name) ?? null,
    fields,
  };
}

export const emptyForm: Form = formOf([]);

/** A form's fields, but for its token and its file, to be sent once more with what the page adds. */
export function sentAgain({ fields }: Form): Readonly<Record<string, string>> {
  const sent = [...fields].filter(([name]) => name !== onceField && !name.startsWith("file"));
  return Object.fromEntries(sent.map(([name, [value = ""]]) => [name, value]));
}

/** Whether a field holds what no page may show again, nor keep while a log-in or a factor is asked for. */
export function isSecretField(name: string): boolean {
  return /password|factor|secret|token|identity|^code$/i.test(name);
}

/** What is wrong with a field of a form: to be thrown. */
export function wrong(field: string, sentence: string): Refusal {
  return refuseField("VALIDATION_ERROR", field, sentence);
}

/** Why a form is refused as a whole: to be thrown. */
export function refused(message: string): Refusal {
  return refuse("VALIDATION_ERROR", { message });
}

/** Which button of its page sent a form: nothing else is taken for one of them. @throws Refusal VALIDATION_ERROR */
export function deedIn<Deed extends string>(form: Form, deeds: readonly Deed[]): Deed {
  const deed = deeds.find((each) => each === form.text("do"));
  if (deed === undefined) throw refused(`Nothing was done. Choose one: ${deeds.join(", ")}.`);
  return deed;
}

/** What the browser's authenticator answered, from the field that its island fills; null where that is no JSON. */
export function passkeyAnswerIn(form: Form): unknown {
  try {
    return JSON.parse(form.raw("response"));
  } catch {
    return null;
  }
}

/** A form as a page shows it: with what was typed and what is wrong with it, or as nobody has touched it. */
export interface Typed {
  readonly form: Form;
  readonly refusal: Refusal | null;
  readonly errors: FieldErrors;
  /** What a field holds: as it was typed, else as it is stored. */
  value(name: string, stored?: string | null): string;
  error(name: string): string | null;
  /** Both, with the name they belong to. */
  field(
    name: string,
    stored?: string | null,
  ): { readonly name: string; readonly value: string; readonly error: string | null };
  /** A box: whether it was ticked, and what is wrong with it. */
  box(name: string): { readonly name: string; readonly isChecked: boolean; readonly error: string | null };
  /** What is wrong where no field is. */
  readonly whole: string | null;
  /** The same, where some refusals are about a field without saying so, each with its sentence unless its own is right. */
  aimed(fields: Partial<Record<ProblemCode, readonly [field: string, sentence?: string]>>): Typed;
}

export function typedForm(
  form: Form,
  refusal: Refusal | null,
  errors: FieldErrors = refusal?.detail.errors ?? {},
): Typed {
  const typed: Typed = {
    ...{ form, refusal, errors },
    value: (name, stored) => (form.has(name) ? form.raw(name) : (stored ?? "")),
    error: (name) => errors[name]?.join(" ") ?? null,
    field: (name, stored) => ({ name, value: typed.value(name, stored), error: typed.error(name) }),
    box: (name) => ({ name, isChecked: form.has(name), error: typed.error(name) }),
    whole: refusal === null || Object.keys(errors).length > 0 ? null : refusal.message,
    aimed(fields) {
      const [field, sentence = refusal?.message ?? ""] = (refusal !== null && fields[refusal.code]) || [];
      if (field === undefined || Object.keys(errors).length > 0) return typed;
      return typedForm(form, refusal, { [field]: [sentence] });
    },
  };
  return typed;
}

export const untouched: Typed = typedForm(emptyForm, null);
