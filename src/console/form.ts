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

/** The form in a body that was read as `application/x-www-form-urlencoded`. */
export function formOf(body: unknown): Form {
  const fields = new Map<string, readonly string[]>();
  if (typeof body === "object" && body !== null) {
    for (const [name, value] of Object.entries(body)) fields.set(name, [value].flat().map(String));
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

export const emptyForm: Form = formOf(null);

/** Whether a field holds what no page may show again, nor keep while a log-in or a factor is asked for. */
export function isSecretField(name: string): boolean {
  return /password|factor|secret/i.test(name);
}
