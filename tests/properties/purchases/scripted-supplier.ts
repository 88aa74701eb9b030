import type { VendRequest } from "../../../src/categories/supplier-request.ts";
import type { Connector, VendOutcome } from "../../../src/providers/contract.ts";

/** What the supplier does with a request, and what it says, by the last four digits of the customer's number. */
export interface Script {
  /** Whether it hands the goods over. */
  readonly vends: boolean;
  /** What the first request is answered. `throws`: the connection breaks after the goods were handed over. */
  readonly answer: "truth" | "unknown" | "throws";
  /** How many questions it leaves open before it tells the truth. */
  readonly silentFor: number;
}

const vends: Script = { vends: true, answer: "truth", silentFor: 0 };
const declines: Script = { vends: false, answer: "truth", silentFor: 0 };

/** What the first supplier does, and what the next one does that a purchase may be sent on to. */
const scripts: Readonly<Record<string, readonly [Script, Script]>> = {
  "0001": [vends, vends],
  "0002": [declines, declines],
  "0003": [{ ...vends, answer: "unknown" }, vends],
  "0004": [{ ...declines, answer: "unknown" }, declines],
  "0005": [
    { ...vends, answer: "unknown", silentFor: 1 },
    { ...vends, answer: "unknown" },
  ],
  "0006": [{ ...vends, answer: "throws" }, declines],
  "0007": [declines, vends],
  "0008": [declines, { ...vends, answer: "unknown", silentFor: 1 }],
};

export const suffixes = Object.keys(scripts);

/** The suppliers' names, in the order in which they are asked: as many as a purchase has attempts. */
export const supplierNames = ["scripted", "spare"] as const;

export function scriptOf(suffix: string, attempt: number): Script {
  return scripts[suffix]![attempt - 1]!;
}

/** Both suppliers in one memory that forgives nothing: asked twice, they vend twice. */
export interface ScriptedSupplier extends Omit<Connector, "name"> {
  /** How often it vended under each of our references that it ever saw. */
  readonly vends: ReadonlyMap<string, number>;
  /** Runs between its deed and its answer, once. */
  meanwhile: (() => Promise<void>) | null;
}

export function scriptedSupplier(): ScriptedSupplier {
  const vends = new Map<string, number>();
  const questions = new Map<string, number>();

  const supplier: ScriptedSupplier = {
    vends,
    meanwhile: null,
    async vend(request) {
      const script = scriptOf(suffixOf(request), request.attempt);
      vends.set(request.supplierReference, (vends.get(request.supplierReference) ?? 0) + (script.vends ? 1 : 0));
      const { meanwhile } = supplier;
      supplier.meanwhile = null;
      await meanwhile?.();
      if (script.answer === "throws") throw new Error("socket hang up");
      return script.answer === "unknown" ? { kind: "unknown", evidence: "504" } : truth(script, request);
    },
    async requery(request) {
      const script = scriptOf(suffixOf(request), request.attempt);
      if (!vends.has(request.supplierReference)) return declined("never received");
      const calls = questions.get(request.supplierReference) ?? 0;
      questions.set(request.supplierReference, calls + 1);
      return calls < script.silentFor ? { kind: "unknown", evidence: "in progress" } : truth(script, request);
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
