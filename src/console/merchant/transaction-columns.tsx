import type { Purchase } from "../../domain/purchases/purchase.ts";
import { Moment, type MomentFormat, Money } from "../kit/parts/text.tsx";
import { statusOf } from "./purchase-words.tsx";

interface Row {
  readonly purchase: Purchase;
  readonly product: { readonly name: string };
}

/** The columns of a list of transactions; narrow beside a drawer, which tells whom each was for. */
export function columnsOf(format: MomentFormat, { isNarrow = false } = {}) {
  const columns = [
    {
      title: "Time",
      cell: ({ purchase }: Row) => <Moment at={purchase.purchasedAt} format={format} style="second" />,
      isQuiet: true,
      place: "line" as const,
    },
    { title: "Reference", cell: ({ purchase }: Row) => <code>{purchase.reference}</code>, place: "under" as const },
    { title: "Product", cell: ({ product }: Row) => product.name, place: "lead" as const },
    { title: "For", cell: ({ purchase }: Row) => <code>{purchase.customerRef ?? ""}</code>, place: "line" as const },
    {
      title: "Charged",
      cell: ({ purchase }: Row) => <Money amount={purchase.total} />,
      align: "end" as const,
      place: "amount" as const,
    },
    { title: "Status", cell: ({ purchase }: Row) => statusOf(purchase), place: "state" as const },
  ];
  return isNarrow ? columns.filter(({ title }) => title !== "For") : columns;
}
