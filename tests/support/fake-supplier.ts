import { simulatedFulfilment } from "../../src/categories/fulfilment/simulated.ts";
import type { VendRequest } from "../../src/categories/supplier-request.ts";
import { wallTime } from "../../src/kernel/clock.ts";
import type { Connector, VendOutcome } from "../../src/providers/contract.ts";

/** A live supplier that answers what it was told to. */
export interface FakeSupplier extends Connector {
  /** Every question, in order. */
  readonly calls: { readonly question: "vend" | "requery"; readonly request: VendRequest }[];
  /** What it answers from now on; a promise keeps the caller waiting. */
  answer: VendOutcome | Promise<VendOutcome>;
}

/** Keeps whoever asks it from now on waiting. @returns what answers them all */
export function answerLater(supplier: Pick<FakeSupplier, "answer">): (outcome: VendOutcome) => void {
  let answer: (outcome: VendOutcome) => void = () => {};
  supplier.answer = new Promise((resolve) => {
    answer = resolve;
  });
  return answer;
}

/** The supplier's own words, which no merchant may read. */
export const rawText = "RC 99: BACKEND SWITCH 10.0.0.7 SAYS NO";

/** As told, this fulfils every category: with what the sandbox would deliver. */
export const vended = { kind: "vended", providerReference: "SUP-1", fulfilment: null } as const;
export const declined: VendOutcome = { kind: "declined", errorCode: "RECIPIENT_BARRED", evidence: rawText };
export const silent: VendOutcome = { kind: "unknown", evidence: rawText };

const goods = simulatedFulfilment(wallTime("Africa/Lagos"));

export function openFakeSupplier(name = "told"): FakeSupplier {
  const supplier: FakeSupplier = {
    name,
    calls: [],
    answer: vended,
    vend: (request) => ask("vend", request),
    requery: (request) => ask("requery", request),
  };
  async function ask(question: "vend" | "requery", request: VendRequest): Promise<VendOutcome> {
    supplier.calls.push({ question, request });
    const answer = await supplier.answer;
    return answer === vended ? { ...vended, fulfilment: await goods(request) } : answer;
  }
  return supplier;
}
