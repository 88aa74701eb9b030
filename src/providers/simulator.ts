import type { VendRequest, VerifyRequest } from "../categories/supplier-request.ts";
import { assert } from "../kernel/assert.ts";
import type { JsonObject } from "../kernel/json.ts";
import type { Connector, VendOutcome, VerifyOutcome } from "./contract.ts";

/** The outcome of a sandbox purchase, by its customer's number. */
export type SandboxOutcome = "successful" | "failed" | "pending_then_successful" | "pending_then_failed";

/** What the last four characters of a sandbox purchase's customer number decide; all others succeed. */
export const verdictOfSuffix: Readonly<Record<string, SandboxOutcome>> = {
  "0002": "failed",
  "0003": "pending_then_successful",
  "0004": "pending_then_failed",
};

/** A number that ends so belongs to nobody: verify fails, and it alone. */
export const unverifiableSuffix = "0009";

export interface Simulator extends Connector {
  /** Decided by the last four characters alone; a purchase without a number succeeds. 0009 matters to verify only. */
  verdict(customerRef: string | null): SandboxOutcome;
  verify(request: VerifyRequest): Promise<VerifyOutcome>;
}

function verdict(customerRef: string | null): SandboxOutcome {
  return verdictOfSuffix[customerRef?.slice(-4) ?? ""] ?? "successful";
}

/**
 * The sandbox's supplier. `fulfil` makes the fulfilment up and `findOut` whom a number belongs to; they come as parameters
 * because only a category knows. It keeps nothing, so the answer is the same from any process and after any restart;
 * the wait before `requery` is the caller's. Never throws but for a mistake of ours.
 */
export function simulator(
  fulfil: (request: VendRequest) => Promise<JsonObject>,
  findOut: (request: VerifyRequest) => JsonObject,
): Simulator {
  async function vended(request: VendRequest): Promise<VendOutcome> {
    return { kind: "vended", providerReference: providerReference(request), fulfilment: await fulfil(request) };
  }

  return {
    name: "simulator",
    verdict,
    async vend(request) {
      assert(request.mode === "test", "only sandbox purchases reach the simulator");
      const result = verdict(request.customerRef);
      if (result === "successful") return vended(request);
      if (result === "failed") return declined(request);
      return { kind: "unknown", evidence: `sandbox number ${request.customerRef}: pending` };
    },
    async requery(request) {
      assert(request.mode === "test", "only sandbox purchases reach the simulator");
      const result = verdict(request.customerRef);
      return result === "failed" || result === "pending_then_failed" ? declined(request) : vended(request);
    },
    async verify(request) {
      assert(request.mode === "test", "only sandbox numbers reach the simulator");
      if (!request.customerRef.endsWith(unverifiableSuffix)) return { kind: "verified", findings: findOut(request) };
      return { kind: "unverifiable", evidence: `sandbox number ${request.customerRef}` };
    },
  };
}

function declined(request: VendRequest): VendOutcome {
  return { kind: "declined", errorCode: "SANDBOX_FORCED_FAILURE", evidence: `sandbox number ${request.customerRef}` };
}

function providerReference(request: VendRequest): string {
  return `SIM-${request.supplierReference}`;
}
