import type { ComponentChildren } from "preact";
import type { Product } from "../../categories/product/product.ts";
import type { Channel, Purchase, PurchaseStatus } from "../../domain/purchases/purchase.ts";
import { customerText } from "./delivered.tsx";
import { BillerTile } from "./parts/biller-tile.tsx";
import { Money, Status } from "./parts/text.tsx";
import { states } from "./states.tsx";

/** What became of a sale, as people say it; the API's own words stand in code alone. */
export const saleStates = states<PurchaseStatus>({
  successful: ["Delivered", "good"],
  pending: ["Pending", "waiting"],
  failed: ["Failed, refunded", "bad"],
});

/** How a sale came, as people say it. */
export const channelNames: Readonly<Record<Channel, string>> = {
  api: "API",
  dashboard: "Console",
  bulk: "Bulk",
  legacy: "Older API",
};

/** A sale's state by word, shape and colour. */
export function saleStatus({ status, refundedAt }: Pick<Purchase, "status" | "refundedAt">) {
  if (status === "successful" && refundedAt !== null) return <Status kind="quiet">Refunded later</Status>;
  return status === "failed" && refundedAt === null ? <Status>Failed</Status> : saleStates.status(status);
}

/** The product's name beside its biller's colours. */
export function ProductName({ product }: { readonly product: Pick<Product, "name" | "biller"> }) {
  return (
    <span class="with-net">
      <BillerTile biller={product.biller} />
      {product.name}
    </span>
  );
}

/** The number that something is for: a phone or a meter in groups, to be read aloud. */
export function Customer({ text }: { readonly text: string }) {
  return <span class="phone">{customerText(text)}</span>;
}

/** Behind what was sold: ` for 0803 123 4567`. */
export function ForCustomer({ text }: { readonly text: string | null }) {
  return text === null ? null : [" for ", <Customer key={text} text={text} />];
}

interface SaleHeadProps {
  readonly purchase: Purchase;
  readonly product: Pick<Product, "name">;
  /** The end of its sentence. */
  readonly children: ComponentChildren;
}

/** What a sale cost, what was sold and for whom. */
export function SaleHead({ purchase: { total, quantity, customerRef }, product, children }: SaleHeadProps) {
  return (
    <>
      <p class="amount-large">
        <Money amount={total} />
      </p>
      <p>
        {quantity > 1 ? `${quantity} × ` : ""}
        {product.name}
        <ForCustomer text={customerRef} />
        {children}
      </p>
    </>
  );
}
