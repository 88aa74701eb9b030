import { Type } from "typebox";
import type { VendRequest } from "../../categories/supplier-request.ts";
import type { ConnectorKind } from "../connector-kind.ts";
import type { Connector, VendOutcome } from "../contract.ts";

/**
 * A person fulfils: the purchase goes to the review queue at once, and stays unknown until an operator says there what
 * became of it, with evidence. For products that nobody automates yet.
 */
export function manual(name: string): Connector {
  const parked = async ({ supplierReference }: VendRequest): Promise<VendOutcome> => ({
    kind: "unknown",
    evidence: `${supplierReference} waits for a person`,
    askNobody: true,
    byHand: true,
  });
  return { name, vend: parked, requery: parked };
}

export const manualKind: ConnectorKind = {
  connector: "manual",
  title: "A person of ours (desk)",
  hasNoCodes: true,
  isHttp: false,
  settings: Type.Object({}),
  credentials: Type.Object({}),
  open: ({ name }) => manual(name),
};
