import type { CatalogueSnapshot } from "../../../domain/catalogue/snapshot.ts";
import type { ProductId } from "../../../kernel/ids.ts";
import { grouped, moneyText } from "../../kit/parts/text.tsx";

/** What an entry keeps of what was done; what is missing or of another kind reads as nothing. */
interface Details {
  text(name: string): string;
  /** A text of ours within quotes. */
  quoted(name: string): string;
  readonly product: string;
}

type Words = string | ((details: Details) => string);

const keys = ({ text }: Details) => text("key_id") || "a key";
const host = ({ text }: Details) => (URL.canParse(text("url")) ? new URL(text("url")).host : text("id"));
const reference = ({ text }: Details) => text("reference");

/** What somebody did, behind their name, by the command that the audit log has without "console ". */
const words: Readonly<Record<string, Words>> = {
  "log-in": ({ text }) =>
    `logged in with ${text("browser")} from ${text("address")}${text("isNewDevice") === "true" ? ", a new device" : ""}`,
  buy: (details) => `sold ${details.product}, ${reference(details)}`,
  bulk: (details) => `started the bulk order ${reference(details)}, ${grouped(Number(details.text("lines")))} lines`,
  reveal: (details) => `viewed the token or PIN of ${reference(details)}`,
  export: ({ text }) => `downloaded ${text("file")}`,
  "key create": ({ text, quoted }) => `created the ${text("mode")} key ${quoted("label")}`,
  "key rotate": (details) => `rotated ${keys(details)}`,
  "key revoke": (details) => `revoked ${keys(details)}`,
  "addresses set": ({ text }) => `set the addresses that keys work from: ${text("addresses") || "any"}`,
  "low balance": ({ text }) =>
    text("threshold") === ""
      ? "turned off the low-balance alert"
      : `set the low-balance alert to ${moneyText(text("threshold"))}`,
  "member invite": ({ text }) => `invited ${text("email")} as ${text("role")}`,
  "member invite again": ({ text }) => `invited ${text("email")} again`,
  "member withdraw": ({ text }) => `withdrew the invitation of ${text("email")}`,
  "member accept": ({ text }) => `joined as ${text("role")}`,
  "member role": ({ text }) => `changed ${text("email")} from ${text("from")} to ${text("to")}`,
  "member remove": ({ text }) => `removed ${text("email")} from the team`,
  "two-step demand": "turned on two-step login for everyone",
  "two-step allow": "turned off two-step login for everyone",
  "webhook add": (details) => `added the webhook to ${host(details)}`,
  "webhook change": (details) => `changed the webhook to ${host(details)}`,
  "webhook rotate": (details) => `rotated the secret of the webhook ${host(details)}`,
  "webhook remove": (details) => `removed the webhook ${host(details)}`,
  "beneficiary add": ({ quoted }) => `saved the number ${quoted("label")}`,
  "beneficiary change": ({ quoted }) => `changed the saved number ${quoted("label")}`,
  "beneficiary remove": ({ quoted }) => `removed the saved number ${quoted("label")}`,
  "business save": "saved the business details",
  "live-access ask": "asked for live access",
  "sandbox reset": "reset the sandbox",
  "sign-up": ({ text }) => `signed up ${text("name")}`,
};

/** An entry as a sentence without its subject: `created the live key “Till”`. A command that nobody has worded here is shown as it is. */
export function actWords(
  { command, details }: { readonly command: string; readonly details: string },
  products: Pick<CatalogueSnapshot, "findProduct">,
): string {
  const name = command.replace(/^console /, "");
  const found = words[name] ?? name;
  return (typeof found === "string" ? found : found(readDetails(details, products))).trim();
}

function readDetails(json: string, products: Pick<CatalogueSnapshot, "findProduct">): Details {
  const values = valuesIn(json);
  const text = (name: string) => {
    const value = values[name];
    if (Array.isArray(value)) return value.map(String).join(", ");
    return value === null || value === undefined ? "" : String(value);
  };
  const product = products.findProduct(Number(values.product) as ProductId)?.name ?? `product ${text("product")}`;
  return { text, quoted: (name) => (text(name) === "" ? "without a name" : `“${text(name)}”`), product };
}

/** The details of an entry by name. */
export function valuesIn(json: string): Readonly<Record<string, unknown>> {
  try {
    const values: unknown = JSON.parse(json);
    return typeof values === "object" && values !== null ? (values as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
