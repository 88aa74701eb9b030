import type { Json, JsonObject } from "../../../kernel/json.ts";
import { CopyButton } from "../../kit/parts/data.tsx";
import { Moment, spoken } from "../../kit/parts/text.tsx";

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
  readonly expiresAt?: string | null;
}

const tokenNames: Readonly<Record<string, string>> = {
  kct1: "Key change token 1",
  kct2: "Key change token 2",
  main: "Token",
  bonus: "Bonus token",
};

/** What says a token again, and the lists whose pieces are codes. */
const listed = ["token", "token_formatted", "tokens", "pins", "cards", "esims"];

/** What else was handed over. */
export function withoutCodes(fulfilment: JsonObject, secrets: readonly string[]): JsonObject {
  const isCode = (name: string) =>
    listed.includes(name) || (secrets.includes(name) && textIn(fulfilment[name]) !== null);
  return Object.fromEntries(Object.entries(fulfilment).filter(([name]) => !isCode(name)));
}

/** The codes of a fulfilment in the order in which they are typed: a meter takes its key change first. */
export function codesIn(fulfilment: JsonObject, secrets: readonly string[]): readonly Code[] {
  const tokens = listIn(fulfilment, "tokens").toSorted((one, other) => Number(one.order) - Number(other.order));
  if (tokens.length > 0) {
    return tokens.map(({ type, value }) => codeOf(tokenNames[String(type)] ?? "Token", value, []));
  }
  const pieces = (list: string, label: string, code: string, notes: Readonly<Record<string, string>>) => {
    const all = listIn(fulfilment, list);
    return all.map((piece, at) => ({
      ...codeOf(
        all.length > 1 ? `${label} ${at + 1}` : label,
        piece[code],
        Object.entries(notes).map(([field, name]) => [name, piece[field]] as const),
      ),
      expiresAt: textIn(piece.expires_at),
      ...(textIn(piece.qr_code)?.startsWith("data:image/png;base64,") ? { picture: String(piece.qr_code) } : {}),
    }));
  };
  return [
    ...pieces("pins", "PIN", "pin", { serial: "Serial", load_code: "Dial" }),
    ...pieces("cards", "Code", "code", { pin: "PIN", serial: "Serial", claim_url: "Redeem at" }),
    ...pieces("esims", "Activation code", "lpa", {
      iccid: "ICCID",
      smdp_address: "Server",
      matching_id: "Code",
      apn: "Access point",
    }),
    ...secrets
      .filter((name) => !listed.includes(name) && textIn(fulfilment[name]) !== null)
      .map((name) => codeOf(spoken(name), fulfilment[name], [])),
  ];
}

function textIn(value: Json | undefined): string | null {
  return typeof value === "string" ? value : null;
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
export function LargeCode({ code, isCopied = false }: { readonly code: Code; readonly isCopied?: boolean }) {
  const { label, value, text, note, picture, expiresAt = null } = code;
  return (
    <>
      <p class="label">
        {label}
        {isCopied ? (
          <>
            {" "}
            <CopyButton text={value} subject={label} />
          </>
        ) : null}
      </p>
      <p class={text.length > lineMax && !text.includes(" ") ? "token long" : "token"}>
        {text.split(" ").map((group, at) => (
          <>
            {at === 0 ? "" : " "}
            <span key={at}>{group}</span>
          </>
        ))}
      </p>
      {note === null ? null : <p class="label">{note}</p>}
      {expiresAt === null ? null : (
        <p class="label">
          Valid until <Moment at={expiresAt} style="day" />
        </p>
      )}
      {picture === undefined ? null : (
        <p class="label">
          <img src={picture} alt={`${label} for a camera`} />
        </p>
      )}
    </>
  );
}
