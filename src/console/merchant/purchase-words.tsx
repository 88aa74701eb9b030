import type { Purchase } from "../../domain/purchases/purchase.ts";
import { Status } from "../kit/parts/text.tsx";

/** A purchase's state by word, shape and colour. */
export function statusOf({ status, refundedAt }: Pick<Purchase, "status" | "refundedAt">) {
  if (status === "failed") return <Status kind="bad">{refundedAt === null ? "failed" : "failed, refunded"}</Status>;
  if (refundedAt !== null) return <Status kind="quiet">refunded later</Status>;
  return <Status>{status}</Status>;
}
