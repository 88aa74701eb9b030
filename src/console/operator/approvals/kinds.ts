import { invitation, removal, roleChange } from "../staff/staff.tsx";
import { supplierStop } from "../suppliers/suppliers.tsx";
import type { TwoPeople } from "./two-people.ts";

/** All changes that a second person approves, by their kinds. */
const changes: ReadonlyMap<string, TwoPeople> = new Map(
  [invitation, roleChange, removal, supplierStop].map((change) => [change.kind, change]),
);

/** Null for a kind of another release. */
export function changeOf(kind: string): TwoPeople | null {
  return changes.get(kind) ?? null;
}
