import type { Category, Verification } from "../../../categories/category.ts";
import type { Product } from "../../../categories/product/product.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import { type Network, networkHint, networks, parsePhone } from "../../../kernel/phone.ts";
import { BillerTile } from "../../kit/parts/biller-tile.tsx";
import { type Fact, Facts } from "../../kit/parts/data.tsx";
import { Flash } from "../../kit/parts/form.tsx";
import { Money, spoken } from "../../kit/parts/text.tsx";
import { useVisit } from "../access.ts";
import { saleHref } from "./customers.ts";
import type { Chosen, Holder } from "./price-sale.ts";

/** The owner of the number, to be read to the customer before anything is paid. */
export function HolderFacts({ category, holder }: { readonly category: Category; readonly holder: Holder }) {
  const { verify, customerField } = category;
  if (holder === null || verify === undefined) return null;
  if (holder.kind === "unknown") {
    return (
      <Flash kind="waiting">We can’t check the name right now. Make sure the number is right before you pay.</Flash>
    );
  }
  return (
    <section class="holder" aria-label="Account name">
      <Facts facts={findingsOf(verify, customerField, holder.verified.reported)} />
    </section>
  );
}

/** What the verification found out, name by name; what it left open is left out. */
function findingsOf(verify: Verification, customerField: string, found: JsonObject): readonly Fact[] {
  const isRequested = (name: string) => name === customerField || name in verify.body.properties;
  return Object.entries(verify.findings.properties).flatMap(([name, schema]): Fact[] => {
    const value = found[name] ?? null;
    // What is as it should be says nothing: no debt, a meter that takes tokens.
    const isUsual = value === true || value === "0.00";
    if (value === null || isUsual || isRequested(name) || name.endsWith("_id")) return [];
    const isMoney = "pattern" in schema && typeof value === "string" && /^[0-9]+\.[0-9]{2}$/.test(value);
    const shown = value === false ? "no" : String(value);
    const label = name === "customer_name" ? "Account name" : spoken(name);
    return [[label, isMoney ? <Money key={name} amount={shown} /> : shown]];
  });
}

const names: Readonly<Record<Network, string>> = {
  MTN: "MTN",
  GLO: "Glo",
  "9MOBILE": "9mobile (T2)",
  AIRTEL: "Airtel",
};

interface FoundProps extends Chosen {
  /** As purchases keep it. */
  readonly number: string;
  /** The network of the last sale to it; null where there is none. */
  readonly soldAs: Network | null;
  /** Products of the same category that the other networks have, each the first. */
  readonly others: readonly Product[];
}

/** Which network a phone's number belongs to, how we know, and the way to another one where it was ported. */
export function FoundNetwork({ category, product, number, soldAs, others }: FoundProps) {
  const visit = useVisit();
  const { network } = product.biller;
  const phone = parsePhone(number);
  if (network === null || phone === null) return null;
  const hint = networkHint(phone);
  const fields = {
    ...Object.fromEntries(visit.query),
    product: undefined,
    sale: undefined,
    [category.customerField]: number,
  };
  const hrefOf = ({ id, amountType, biller }: Product) =>
    saleHref(visit, category, {
      ...fields,
      ...(amountType === "variable" ? { product: String(id) } : { biller: biller.slug }),
    });
  return (
    <>
      <div class="found">
        <BillerTile biller={product.biller} />
        <b>{names[network]}</b> <span>{whyNetwork(network, hint, soldAs)}</span>
        <details>
          <summary>Moved to another network?</summary>
          {networks
            .filter((other) => other !== network)
            .flatMap((other) => others.find(({ biller }) => biller.network === other) ?? [])
            .map((other) => (
              <>
                {" "}
                <a key={other.id} href={hrefOf(other)}>
                  {names[other.biller.network as Network]}
                </a>
              </>
            ))}
        </details>
      </div>
      {hint !== null && hint !== network && soldAs !== network ? (
        <Flash kind="waiting">
          The number begins as {names[hint]} numbers do. Sell {names[network]} only if the customer moved it there.
        </Flash>
      ) : null}
    </>
  );
}

function whyNetwork(network: Network, hint: Network | null, soldAs: Network | null): string {
  if (network === hint) return "found by its number.";
  if (network === soldAs) {
    return hint === null ? "as on your last sale." : `Ported from ${names[hint]}, as on your last sale.`;
  }
  return "chosen by you.";
}
