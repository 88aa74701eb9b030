import type { JsonObject } from "../../../kernel/json.ts";

/** What a customer types or shows somewhere: a meter's token, a PIN, a card's code. */
export interface Code {
  readonly label: string;
  /** To be copied. */
  readonly value: string;
  /** To be read aloud: digits in groups of four. */
  readonly text: string;
  /** What else is needed with it. */
  readonly note: string | null;
}

const tokenNames: Readonly<Record<string, string>> = {
  kct1: "Key change token 1",
  kct2: "Key change token 2",
  main: "Token",
  bonus: "Bonus token",
};

/** The codes of a fulfilment in the order in which they are typed: a meter takes its key change first. */
export function codesIn(fulfilment: JsonObject): readonly Code[] {
  const tokens = listIn(fulfilment, "tokens").toSorted((one, other) => Number(one.order) - Number(other.order));
  if (tokens.length > 0) {
    return tokens.map(({ type, value }) => codeOf(tokenNames[String(type)] ?? "Token", value, []));
  }
  const numbered = (label: string, place: number, count: number) => (count > 1 ? `${label} ${place + 1}` : label);
  const pins = listIn(fulfilment, "pins");
  const cards = listIn(fulfilment, "cards");
  const esims = listIn(fulfilment, "esims");
  return [
    ...pins.map(({ pin, serial, load_code }, at) =>
      codeOf(numbered("PIN", at, pins.length), pin, [
        ["Serial", serial],
        ["Dial", load_code],
      ]),
    ),
    ...cards.map(({ code, pin, serial }, at) =>
      codeOf(numbered("Code", at, cards.length), code, [
        ["PIN", pin],
        ["Serial", serial],
      ]),
    ),
    ...esims.map(({ lpa }, at) => codeOf(numbered("Activation code", at, esims.length), lpa, [])),
  ];
}

function codeOf(label: string, value: unknown, notes: readonly (readonly [name: string, value: unknown])[]): Code {
  const code = String(value);
  const text = /^\d{8,}$/.test(code) ? code.replace(/(\d{4})(?=\d)/g, "$1 ") : code;
  const known = notes.flatMap(([name, each]) => (typeof each === "string" ? [`${name} ${each}`] : []));
  return { label, value: code, text, note: known.length === 0 ? null : known.join(" · ") };
}

function listIn(fulfilment: JsonObject, name: string): readonly JsonObject[] {
  const list = fulfilment[name];
  return Array.isArray(list) ? (list as readonly JsonObject[]) : [];
}

/** A code large, its groups whole: a line breaks between them alone. */
export function LargeCode({ code: { label, text, note } }: { readonly code: Code }) {
  return (
    <>
      <p class="label">{label}</p>
      <p class="token">
        {text.split(" ").map((group, at) => (
          <>
            {at === 0 ? "" : " "}
            <span key={at}>{group}</span>
          </>
        ))}
      </p>
      {note === null ? null : <p class="label">{note}</p>}
    </>
  );
}
