import type { Connector, VendOutcome, VendRequest } from "../../../src/providers/contract.ts";

/** What the supplier does with a request, and what it says, by the last four digits of the customer's number. */
export interface Script {
  /** Whether it hands the goods over. */
  readonly vends: boolean;
  /** What the first request is answered. `throws`: the connection breaks after the goods were handed over. */
  readonly answer: "truth" | "unknown" | "throws";
  /** How many questions it leaves open before it tells the truth. */
  readonly silentFor: number;
}

const scripts: Readonly<Record<string, Script>> = {
  "0001": { vends: true, answer: "truth", silentFor: 0 },
  "0002": { vends: false, answer: "truth", silentFor: 0 },
  "0003": { vends: true, answer: "unknown", silentFor: 0 },
  "0004": { vends: false, answer: "unknown", silentFor: 0 },
  "0005": { vends: true, answer: "unknown", silentFor: 1 },
  "0006": { vends: true, answer: "throws", silentFor: 0 },
};

export const suffixes = Object.keys(scripts);

export function scriptOf(suffix: string): Script {
  return scripts[suffix]!;
}

/** A supplier that remembers everything and forgives nothing: asked twice, it vends twice. */
export interface ScriptedSupplier extends Connector {
  /** How often it vended under each of our references that it ever saw. */
  readonly vends: ReadonlyMap<string, number>;
  /** Runs between its deed and its answer, once. */
  meanwhile: (() => Promise<void>) | null;
}

export function scriptedSupplier(): ScriptedSupplier {
  const vends = new Map<string, number>();
  const questions = new Map<string, number>();

  const supplier: ScriptedSupplier = {
    name: "scripted",
    vends,
    meanwhile: null,
    async vend(request) {
      const script = scriptOf(suffixOf(request));
      vends.set(request.supplierReference, (vends.get(request.supplierReference) ?? 0) + (script.vends ? 1 : 0));
      const { meanwhile } = supplier;
      supplier.meanwhile = null;
      await meanwhile?.();
      if (script.answer === "throws") throw new Error("socket hang up");
      return script.answer === "unknown" ? { kind: "unknown", evidence: "504" } : truth(script, request);
    },
    async requery(request) {
      const script = scriptOf(suffixOf(request));
      if (!vends.has(request.supplierReference)) return declined("never received");
      const asked = questions.get(request.supplierReference) ?? 0;
      questions.set(request.supplierReference, asked + 1);
      return asked < script.silentFor ? { kind: "unknown", evidence: "in progress" } : truth(script, request);
    },
  };
  return supplier;
}

function suffixOf(request: VendRequest): string {
  return request.customerRef!.slice(-4);
}

function truth(script: Script, request: VendRequest): VendOutcome {
  if (!script.vends) return declined("declined");
  return { kind: "vended", providerReference: `S-${request.supplierReference}`, fulfilment: { kind: "topup" } };
}

function declined(evidence: string): VendOutcome {
  return { kind: "declined", errorCode: "PROVIDER_DECLINED", evidence };
}
