import type { VendOutcome } from "../../../src/providers/contract.ts";
import type { Question } from "./taps.ts";

/**
 * What a supplier says at first. `unknown`: it vends, but its answer times out, and the first question too. `rerouted`:
 * the first one declines, the next one vends.
 */
export type Verdict = "vended" | "declined" | "unknown" | "rerouted";

/** Both suppliers in one memory, which is never killed: an append-only truth of what it handed over. Asked twice, it vends twice. */
export interface RememberingSupplier {
  /** How requests for a phone number will go. */
  script(phone: string, verdict: Verdict): void;
  answer(question: Question): VendOutcome;
  /** How often it vended to a phone number, under whatever reference. */
  vendsTo(phone: string): number;
}

interface Deed {
  readonly supplierReference: string;
  readonly phone: string;
  readonly vended: boolean;
}

export function rememberingSupplier(): RememberingSupplier {
  const scripts = new Map<string, Verdict>();
  const deeds: Deed[] = [];
  const calls = new Map<string, number>();

  function vend({ supplierReference, phone }: Question): VendOutcome {
    const verdict = scripts.get(phone);
    if (verdict === undefined) throw new Error(`a request for ${phone}, which no case bought for`);
    const isFirst = supplierReference.endsWith("-1");
    deeds.push({ supplierReference, phone, vended: verdict !== "declined" && !(verdict === "rerouted" && isFirst) });
    return verdict === "unknown" ? { kind: "unknown", evidence: "504" } : reply(deeds.at(-1)!);
  }

  function requery({ supplierReference, phone }: Question): VendOutcome {
    const deed = deeds.find((each) => each.supplierReference === supplierReference);
    if (deed === undefined) return declined("never received");
    const times = (calls.get(supplierReference) ?? 0) + 1;
    calls.set(supplierReference, times);
    if (scripts.get(phone) === "unknown" && times === 1) return { kind: "unknown", evidence: "in progress" };
    return reply(deed);
  }

  return {
    script: (phone, verdict) => void scripts.set(phone, verdict),
    answer: (question) => (question.kind === "vend" ? vend(question) : requery(question)),
    vendsTo: (phone) => deeds.filter((deed) => deed.phone === phone && deed.vended).length,
  };
}

function reply({ vended, supplierReference }: Deed): VendOutcome {
  if (!vended) return declined("declined");
  return { kind: "vended", providerReference: `R-${supplierReference}`, fulfilment: { kind: "topup" } };
}

function declined(evidence: string): VendOutcome {
  return { kind: "declined", errorCode: "PROVIDER_DECLINED", evidence };
}
