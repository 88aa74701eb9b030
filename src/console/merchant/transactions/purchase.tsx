import type { Purchase } from "../../../domain/purchases/purchase.ts";
import { CopyButton } from "../../kit/parts/data.tsx";
import type { Column } from "../../kit/parts/list.tsx";
import { Moment, Money, Status } from "../../kit/parts/text.tsx";
import type { ModeVisit } from "../access.ts";

/** The page of one purchase. */
export function purchasePath(visit: ModeVisit, reference: string): string {
  return visit.to(`transactions/${encodeURIComponent(reference)}`);
}

/** A purchase's state by word, shape and colour. */
export function purchaseStatus({ status, refundedAt }: Pick<Purchase, "status" | "refundedAt">) {
  if (status === "failed") return <Status kind="bad">{refundedAt === null ? "failed" : "failed, refunded"}</Status>;
  if (refundedAt !== null) return <Status kind="quiet">refunded later</Status>;
  return <Status>{status}</Status>;
}

/** Something to be read and pasted elsewhere. */
export function Copied({ text, subject }: { readonly text: string; readonly subject: string }) {
  return (
    <>
      <code>{text}</code> <CopyButton text={text} subject={subject} />
    </>
  );
}

/** A line of a list of transactions. */
export interface PurchaseRow {
  readonly purchase: Purchase;
  readonly product: { readonly name: string };
}

/** The columns of a list of transactions; narrow beside a drawer, which tells whom each was for. */
export function purchaseColumns({ isNarrow = false } = {}): readonly Column<PurchaseRow>[] {
  const customer: Column<PurchaseRow> = {
    title: "For",
    cell: ({ purchase }) => <code>{purchase.customerRef ?? ""}</code>,
  };
  return [
    { title: "Time", cell: ({ purchase }) => <Moment at={purchase.purchasedAt} style="second" />, isQuiet: true },
    { title: "Reference", cell: ({ purchase }) => <code>{purchase.reference}</code>, place: "under" },
    { title: "Product", cell: ({ product }) => product.name, place: "lead" },
    ...(isNarrow ? [] : [customer]),
    { title: "Charged", cell: ({ purchase }) => <Money amount={purchase.total} />, align: "end", place: "amount" },
    { title: "Status", cell: ({ purchase }) => purchaseStatus(purchase), place: "state" },
  ];
}
