import { Fragment } from "preact";
import type { Json, JsonObject } from "../../kernel/json.ts";
import { CopyButton, type Fact, Facts } from "./parts/data.tsx";
import { Sheet } from "./parts/layout.tsx";
import { Table } from "./parts/list.tsx";
import { spoken } from "./parts/text.tsx";

/** What a purchase handed over, whatever its category: facts, and a table for each list of pieces. */
export function Delivered({
  fulfilment,
  secrets,
}: {
  readonly fulfilment: JsonObject;
  readonly secrets: readonly string[];
}) {
  const tokens = (Array.isArray(fulfilment.tokens) ? fulfilment.tokens : []) as readonly MeterToken[];
  const entries = Object.entries(fulfilment).filter(
    ([name, value]) => name !== "kind" && value !== null && !(tokens.length > 0 && isOfTokens(name)),
  );
  if (entries.length === 0 && tokens.length === 0) return null;
  const lists = entries.filter((entry): entry is [string, JsonObject[]] => isListOfPieces(entry[1]));
  const facts = entries.filter(([, value]) => !isListOfPieces(value));
  return (
    <>
      {tokens.length === 0 ? null : <MeterTokens tokens={tokens} />}
      {facts.length === 0 ? null : (
        <Sheet title="Delivered">
          <Facts facts={facts.map(([name, value]) => [spoken(name), shown(name, value, secrets)] as const)} />
        </Sheet>
      )}
      {lists.map(([name, pieces]) => (
        <Sheet key={name} title={spoken(name)} isPadded={false}>
          <Table
            caption={spoken(name)}
            rows={pieces}
            columns={namesIn(pieces).map((column) => ({
              title: spoken(column),
              cell: (piece: JsonObject) => shown(column, piece[column] ?? null, secrets.includes(name) ? [column] : []),
            }))}
            empty={null}
          />
        </Sheet>
      ))}
    </>
  );
}

interface MeterToken {
  readonly type: string;
  readonly value: string;
  readonly order: number;
}

/** They say again what stands among the tokens. */
function isOfTokens(name: string): boolean {
  return name === "tokens" || name === "token" || name === "token_formatted";
}

const tokenNames: Readonly<Record<string, string>> = {
  kct1: "Key change token 1",
  kct2: "Key change token 2",
  main: "Token",
  bonus: "Bonus token",
};

/** What the customer types into the meter, in the order in which the meter takes it. */
function MeterTokens({ tokens }: { readonly tokens: readonly MeterToken[] }) {
  const ordered = tokens.toSorted((one, other) => one.order - other.order);
  return (
    <Sheet title={ordered.length === 1 ? "Token" : "Tokens"}>
      <p>
        {ordered.length === 1
          ? "Type the token into the meter, then press Enter."
          : "Type the tokens into the meter in this order. Press Enter after each."}
      </p>
      <Facts
        facts={ordered.map(
          ({ type, value }): Fact => [
            tokenNames[type] ?? spoken(type),
            <Fragment key={value}>
              <code>{value.replace(/(\d{4})(?=\d)/g, "$1 ")}</code>{" "}
              <CopyButton text={value} subject={`the ${(tokenNames[type] ?? type).toLowerCase()}`} />
            </Fragment>,
          ],
        )}
      />
    </Sheet>
  );
}

function isListOfPieces(value: Json | undefined): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "object" && one !== null);
}

/** The pieces' fields that at least one of them has. */
function namesIn(pieces: readonly JsonObject[]): readonly string[] {
  const names = pieces.flatMap((piece) => Object.keys(piece).filter((name) => piece[name] !== null));
  return [...new Set(names)];
}

const copied = /pin|token|code|lpa|serial|iccid|value|matching/;

function shown(name: string, value: Json | undefined, secrets: readonly string[]) {
  if (value === null || value === undefined) return "";
  if (typeof value === "string" && value.startsWith("data:image/png;base64,"))
    return <img src={value} alt={spoken(name)} />;
  const text = textOf(value);
  if (!secrets.includes(name) || !copied.test(name)) return text;
  return <Copied text={text} subject={spoken(name).toLowerCase()} />;
}

function textOf(value: Json): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map((one) => textOf(one as Json)).join(", ");
  if (typeof value === "object" && value !== null) {
    return Object.entries(value)
      .filter(([, inner]) => inner !== null)
      .map(([name, inner]) => `${spoken(name)} ${textOf(inner as Json)}`)
      .join(", ");
  }
  return String(value);
}

/** Something to be read and pasted elsewhere. */
export function Copied({ text, subject }: { readonly text: string; readonly subject: string }) {
  return (
    <>
      <span class="id">{text}</span> <CopyButton text={text} subject={subject} />
    </>
  );
}

/** `0803 123 4567`, `4512 0098 713`: in groups, to be read aloud; what is no number stays as it is. */
export function customerText(text: string): string {
  if (/^0\d{10}$/.test(text)) return text.replace(/^(\d{4})(\d{3})/, "$1 $2 ");
  return /^\d{8,20}$/.test(text) ? text.replace(/(\d{4})(?=\d)/g, "$1 ") : text;
}
