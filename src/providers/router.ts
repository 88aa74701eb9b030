import type { VendRequest, VerifyRequest } from "../categories/supplier-request.ts";
import type { Connector, VendOutcome, VerifyOutcome } from "./contract.ts";

/** Brings questions to suppliers by name, within their deadlines; null is the simulator. */
export interface Router {
  /** Asks the route's supplier to vend, once, within the deadline. Never throws. */
  vend(supplier: string | null, request: VendRequest): Promise<VendOutcome>;
  /** Asks the same supplier what became of it. Never throws. */
  requery(supplier: string | null, request: VendRequest): Promise<VendOutcome>;
  /** Asks a supplier about a number, within the deadline. Never throws. */
  verify(supplier: string | null, request: VerifyRequest, deadlineMs: number): Promise<VerifyOutcome>;
}

/** Well under the 60 s after which a purchase comes due for requery. */
export const vendDeadlineMs = 30_000;

/** The connector of a supplier, as it is configured now; null when there is none. */
export type ConnectorOf = (supplier: string) => Promise<Connector | null>;

interface LiveQuestion {
  readonly question: "vend" | "requery";
  readonly request: VendRequest;
  readonly deadline: Deadline;
}

/** Until then whoever asked waits for the answer. */
interface Deadline {
  readonly isOver: boolean;
}

/** Sandbox's questions go to the simulator, live ones to their supplier's connector. */
export function openRouter(options: { readonly simulator: Connector; readonly connectorOf: ConnectorOf }): Router {
  const { simulator, connectorOf } = options;

  function ask(supplier: string | null, question: "vend" | "requery", request: VendRequest): Promise<VendOutcome> {
    // The simulator makes its answer up on the spot: there is nothing to wait for.
    if (supplier === null) return simulator[question](request);
    return within(vendDeadlineMs, (deadline) => askLive(supplier, { question, request, deadline }), unknown);
  }

  async function askLive(supplier: string, { question, request, deadline }: LiveQuestion): Promise<VendOutcome> {
    const connector = await connectorOf(supplier);
    // The caller has its answer, and goes by it: what has not left yet must not leave any more.
    if (deadline.isOver) return unknown("no connector within the deadline");
    if (connector !== null) return connector[question](request);
    const evidence = `no connector for ${supplier}`;
    // Nothing leaves without one; but what left before, it may have vended.
    if (question === "requery") return unknown(evidence);
    return { kind: "declined", errorCode: "OPERATOR_UNAVAILABLE", evidence, ownFault: true };
  }

  return {
    vend: (supplier, request) => ask(supplier, "vend", request),
    requery: (supplier, request) => ask(supplier, "requery", request),
    async verify(supplier, request, deadlineMs) {
      const connector = supplier === null ? simulator : await connectorOf(supplier);
      if (connector?.verify === undefined) return { kind: "unasked", evidence: "it verifies nothing" };
      const verify = connector.verify.bind(connector);
      return within(deadlineMs, async () => verify(request), unavailable);
    },
  };
}

/** Silence and exceptions are `unknown`: neither proves that nothing was vended. */
function unknown(evidence: string): VendOutcome {
  return { kind: "unknown", evidence };
}

function unavailable(evidence: string): VerifyOutcome {
  return { kind: "unavailable", evidence };
}

/** `ask` never throws before it has returned its promise. */
function within<Outcome>(
  deadlineMs: number,
  ask: (deadline: Deadline) => Promise<Outcome>,
  otherwise: (evidence: string) => Outcome,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const deadline = { isOver: false };
    const end = (outcome: Outcome) => {
      deadline.isOver = true;
      clearTimeout(timer);
      resolve(outcome);
    };
    const timer = setTimeout(() => end(otherwise("no answer within the deadline")), deadlineMs);
    ask(deadline).then(end, (error: unknown) => end(otherwise(`connector failed: ${String(error)}`)));
  });
}
