import { type TProperties, type TSchema, Type } from "typebox";
import type { Json, JsonObject } from "../../../kernel/json.ts";
import { type FieldErrors, refuse } from "../../../kernel/problems.ts";
import { faultsIn } from "../../../platform/validation/faults.ts";
import { type EnteredFields, text } from "../../../providers/connector-kind.ts";
import type { Form as SentForm, Typed } from "../../kit/form.ts";
import { PasswordField, TextField } from "../../kit/parts/fields.tsx";
import { spoken } from "../../kit/parts/text.tsx";

/** What a connector needs, as a form has it. The names of its keys say that they are secret: no page shows them again. */
const starts = { settings: "set-", credentials: "secret-" } as const;
type Part = keyof typeof starts;

export interface Account {
  readonly settings: JsonObject;
  readonly credentials: JsonObject;
}

/**
 * What was typed for a connector; keys that were left empty are those that `kept` has. `errors` were found before.
 * @throws Refusal with each fault at its field
 */
export function accountIn(
  form: SentForm,
  kind: EnteredFields,
  kept: JsonObject,
  errors: Record<string, string[]> = {},
): Account {
  const read = (part: Part) =>
    Object.fromEntries(
      fieldsOf(kind, part).flatMap(([name, schema]): [string, Json][] => {
        const field = `${starts[part]}${name}`;
        const value = valueIn(form, field, schema) ?? (part === "credentials" ? kept[name] : undefined);
        const given = value === undefined ? {} : { [name]: value };
        if (faultsIn({ part, shape: Type.Object({ [name]: schema }), value: given }).length > 0)
          errors[field] = [value === undefined ? "Enter it." : `Must be ${wordsOf(schema)}.`];
        return value === undefined ? [] : [[name, value]];
      }),
    );
  const account = { settings: read("settings"), credentials: read("credentials") };
  if (Object.keys(errors).length > 0) throw refuse("VALIDATION_ERROR", { errors: errors as FieldErrors });
  return account;
}

function fieldsOf(kind: EnteredFields, part: Part): [string, TSchema][] {
  return Object.entries(kind[part].properties as TProperties);
}

const typeOf = (schema: TSchema) => (schema as { readonly type?: string }).type;
const wordsOf = (schema: TSchema) => (schema as { readonly description?: string }).description ?? "something else";

const usualOf = (schema: TSchema) => (schema as { readonly default?: string }).default;

/** Undefined where nothing was typed. Whatever is no text is JSON; else it is left as it was typed, for the schema to refuse. */
function valueIn(form: SentForm, field: string, schema: TSchema): Json | undefined {
  const typed = form.text(field);
  if (typed === "" || typeOf(schema) === "string") return typed || undefined;
  try {
    return JSON.parse(typed) as Json;
  } catch {
    return typed;
  }
}

interface AccountFieldProps {
  readonly kind: EnteredFields;
  readonly typed: Typed;
  /** The settings that it has; null for a supplier that is new. */
  readonly settings: JsonObject | null;
}

export function AccountFields({ kind, typed, settings }: AccountFieldProps) {
  return (
    <>
      {fieldsOf(kind, "settings").map(([name, schema]) => {
        const stored = settings === null ? usualOf(schema) : settings[name];
        const shown = stored === undefined || typeof stored === "string" ? stored : JSON.stringify(stored);
        const field = typed.field(`${starts.settings}${name}`, shown);
        return (
          <TextField key={name} {...field} {...wordsFor(kind, "settings", name)} isCode={typeOf(schema) !== "string"} />
        );
      })}
      {fieldsOf(kind, "credentials").map(([name]) => {
        const words = wordsFor(kind, "credentials", name);
        const field = `${starts.credentials}${name}`;
        const kept = settings === null ? {} : { hint: "Leave it empty to keep what we have.", isRequired: false };
        return <PasswordField key={name} {...{ name: field, error: typed.error(field), ...words, ...kept }} />;
      })}
    </>
  );
}

function wordsFor(kind: EnteredFields, part: Part, name: string) {
  const schema = (kind[part].properties as TProperties)[name];
  const isRequired = (kind[part].required ?? []).includes(name);
  const label = spoken(name).replace(/\b(api|url|id)(?=s?\b)/gi, (word) => word.toUpperCase());
  const hint =
    schema === undefined || schema === text
      ? {}
      : { hint: `${wordsOf(schema).replace(/^./, (first) => first.toUpperCase())}.` };
  return { label, ...hint, isRequired };
}
