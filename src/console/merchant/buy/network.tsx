import type { Product } from "../../../categories/product/product.ts";
import { type Network, networkHint, networks, parsePhone } from "../../../kernel/phone.ts";
import { BillerTile } from "../../kit/parts/biller-tile.tsx";
import { Flash } from "../../kit/parts/form.tsx";
import { useVisit } from "../access.ts";
import { saleHref } from "./customers.ts";
import type { Chosen } from "./price-sale.ts";

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
