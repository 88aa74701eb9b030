import type { ComponentChildren, VNode } from "preact";
import type { Json, JsonObject } from "../../kernel/json.ts";
import { Refusal, refuse } from "../../kernel/problems.ts";
import type { Form, Typed } from "./form.ts";
import type { Choice, FieldProps } from "./parts/fields.tsx";

/** One thing that is typed or chosen: how it is asked for, read, frozen and said. */
export interface Field<Value> {
  readonly label: string;
  /** @throws Refusal, whose sentences are shown at the field */
  readonly read: (form: Form, name: string) => Value;
  /** As its control has it; two values with the same text are one. */
  readonly show: (value: Value) => string;
  readonly freeze: (value: Value) => Json;
  /** What was frozen, by this release or the one before. @throws Refusal where it holds no longer */
  readonly thaw: (frozen: Json) => Value;
  /** Null where there is nothing to say. */
  readonly words: (value: Value) => string | null;
  readonly draw: (drawn: Drawn) => VNode;
  /** What a form holds that nobody has touched. */
  readonly initial?: Value | undefined;
  /** What is stored of it is neither shown nor frozen. */
  readonly isSecret?: boolean;
  /** A form that lacks it says no. */
  readonly isBox?: boolean;
}

/** How one is asked for, where that depends on what is changed; `value`: what it begins with where nothing is stored. */
export type More = Partial<FieldProps> & {
  readonly isLeftOut?: boolean;
  readonly choices?: readonly Choice[];
  readonly placeholder?: string;
  readonly unit?: string;
};
type Drawn = Omit<More, "isLeftOut"> & { readonly name: string; readonly value: string };

/** The fields of a form: one declaration draws them, reads them, freezes them, compares them and says them. */
export interface FieldSet<Values> {
  /** @throws Refusal VALIDATION_ERROR with every fault, at its field */
  read(form: Form): Values;
  draw(typed: Typed, stored: Values | null, more?: { readonly [Name in keyof Values]?: More }): ComponentChildren;
  /** What is secret is left out. */
  freeze(values: Partial<Values>): JsonObject;
  /** What isn't frozen is left out. @throws Refusal where it holds no longer */
  thaw(frozen: JsonObject): Values;
  /** The fields in which two differ, with their values now. */
  changed(values: Values, before: Values): Partial<Values>;
  /** What a form compares: what was stored when its page was shown. */
  seen(stored: Values): string;
  /** In a sentence: `Gold; ₦200,000.00`. */
  wordsOf(values: Values): string;
  /** What the fields are called that something has, in a sentence: `name, bank details`. */
  labelsIn(some: object): string;
}

export function fields<Values extends object>(
  shape: { readonly [Name in keyof Values]: Field<Values[Name]> },
  words?: (values: Values) => string,
): FieldSet<Values> {
  type Name = keyof Values & string;
  const all = Object.entries(shape) as unknown as [Name, Field<Values[Name]>][];
  const open = all.filter(([, { isSecret = false }]) => !isSecret);
  const collect = (kept: typeof all, each: (name: Name, field: Field<Values[Name]>) => unknown) =>
    Object.fromEntries(kept.map(([name, field]) => [name, each(name, field)]));
  const freeze = (values: Partial<Values>) =>
    collect(
      open.filter(([name]) => name in values),
      (name, field) => field.freeze(values[name] as Values[Name]),
    ) as JsonObject;
  return {
    read(form) {
      const errors: Record<string, readonly string[]> = {};
      const values = collect(all, (name, field) => {
        try {
          return field.read(form, name);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          const sentences = Object.values(error.detail.errors ?? {}).flat();
          errors[name] = sentences.length === 0 ? [error.message] : sentences;
          return null;
        }
      });
      if (Object.keys(errors).length > 0) throw refuse("VALIDATION_ERROR", { errors });
      return values as Values;
    },
    draw: (typed, stored, more = {}) =>
      all.map(([name, { draw, show, initial, isSecret = false, isBox = false }]) => {
        const { isLeftOut = false, value: usual = "", ...props }: More = more[name] ?? {};
        const value = stored === null ? initial : stored[name];
        const before = isSecret ? "" : value === undefined ? usual : show(value);
        const isSent = isBox ? typed.form.fields.size > 0 : typed.form.has(name);
        const shown = { name, value: isSent ? typed.form.raw(name) : before, error: typed.error(name) };
        return isLeftOut ? null : draw({ ...props, ...shown });
      }),
    freeze,
    thaw: (frozen) =>
      collect(
        open.filter(([name]) => name in frozen),
        (name, { thaw }) => thaw(frozen[name] ?? null),
      ) as Values,
    changed(values, before) {
      const isChanged = ([name, { show }]: (typeof all)[number]) => show(values[name]) !== show(before[name]);
      return collect(all.filter(isChanged), (name) => values[name]) as Partial<Values>;
    },
    // Without signs that a hidden field, or a reader of its page, would change.
    seen: (stored) => encodeURIComponent(JSON.stringify(freeze(stored))),
    wordsOf: words ?? ((values) => open.flatMap(([name, field]) => field.words(values[name]) ?? []).join("; ")),
    labelsIn: (some) => all.flatMap(([name, { label }]) => (name in some ? label.toLowerCase() : [])).join(", "),
  };
}
