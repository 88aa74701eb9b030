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
  /** The same for a camera, as an address that holds the picture itself. */
  readonly picture?: string;
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
    ...cards.map(({ code, pin, serial, claim_url }, at) =>
      codeOf(numbered("Code", at, cards.length), code, [
        ["PIN", pin],
        ["Serial", serial],
        ["Redeem at", claim_url],
      ]),
    ),
    ...esims.map(({ lpa, iccid, smdp_address, matching_id, apn, qr_code }, at) => ({
      ...codeOf(numbered("Activation code", at, esims.length), lpa, [
        ["ICCID", iccid],
        ["Server", smdp_address],
        ["Code", matching_id],
        ["Access point", apn],
      ]),
      ...(typeof qr_code === "string" && qr_code.startsWith("data:image/png;base64,") ? { picture: qr_code } : {}),
    })),
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

/** Letters that stand in one line of a roll. */
const lineMax = 16;

/** A code large, its groups whole: a line breaks between them alone. */
export function LargeCode({ code: { label, text, note, picture } }: { readonly code: Code }) {
  return (
    <>
      <p class="label">{label}</p>
      <p class={text.length > lineMax && !text.includes(" ") ? "token long" : "token"}>
        {text.split(" ").map((group, at) => (
          <>
            {at === 0 ? "" : " "}
            <span key={at}>{group}</span>
          </>
        ))}
      </p>
      {note === null ? null : <p class="label">{note}</p>}
      {picture === undefined ? null : (
        <p class="label">
          <img src={picture} alt={`${label} for a camera`} />
        </p>
      )}
    </>
  );
}
