import type { Mode } from "../kernel/mode.ts";
import type { Connector, VendOutcome, VendRequest, VerifyOutcome, VerifyRequest } from "./contract.ts";

/** Whom a purchase is sent to. */
export interface Route {
  /** Kept with the purchase, so that it is asked about where it was sent; null is the simulator. */
  readonly supplier: string | null;
  /** The outcome costs nothing and touches nobody, so it may be known before the charge: one commit instead of two. */
  readonly foreseeable: boolean;
}

export interface Router {
  /** The route for a new purchase; null when no supplier serves it. */
  choose(mode: Mode): Route | null;
  /** Asks the route's supplier to vend, once, within the deadline. Never throws. */
  vend(supplier: string | null, request: VendRequest): Promise<VendOutcome>;
  /** Asks the same supplier what became of it. Never throws. */
  requery(supplier: string | null, request: VendRequest): Promise<VendOutcome>;
  /** Asks about a number, within the deadline; null when there is nobody to ask. Never throws. */
  verify(request: VerifyRequest): Promise<VerifyOutcome | null>;
}

/** Well under the 60 s after which a purchase comes due for requery. */
export const vendDeadlineMs = 30_000;

/** Half of a vend's: a customer waits at the counter, and asking again costs nothing. */
export const verifyDeadlineMs = 15_000;

/** Sandbox always goes to the simulator; live to the first supplier there is. */
export function openRouter(options: {
  readonly simulator: Connector;
  readonly suppliers: readonly Connector[];
}): Router {
  const byName = new Map(options.suppliers.map((supplier) => [supplier.name, supplier]));

  function connectorOf(supplier: string | null): Connector | undefined {
    return supplier === null ? options.simulator : byName.get(supplier);
  }

  function ask(supplier: string | null, question: "vend" | "requery", request: VendRequest): Promise<VendOutcome> {
    const connector = connectorOf(supplier);
    // The supplier was removed from the configuration: it may have vended all the same, so only a person can tell.
    if (connector === undefined)
      return Promise.resolve({ kind: "unknown", evidence: `no connector named ${supplier}` });
    // The simulator makes its answer up on the spot: there is nothing to wait for.
    if (supplier === null) return connector[question](request);
    return within(vendDeadlineMs, () => connector[question](request), unknown);
  }

  return {
    choose(mode) {
      if (mode === "test") return { supplier: null, foreseeable: true };
      const [first] = options.suppliers;
      return first === undefined ? null : { supplier: first.name, foreseeable: false };
    },
    vend: (supplier, request) => ask(supplier, "vend", request),
    requery: (supplier, request) => ask(supplier, "requery", request),
    async verify(request) {
      const candidates = request.mode === "test" ? [options.simulator] : options.suppliers;
      const connector = candidates.find((candidate) => candidate.verify !== undefined);
      if (connector?.verify === undefined) return null;
      const verify = connector.verify.bind(connector);
      return within(verifyDeadlineMs, () => verify(request), unavailable);
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

async function within<Outcome>(
  deadlineMs: number,
  ask: () => Promise<Outcome>,
  otherwise: (evidence: string) => Outcome,
): Promise<Outcome> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<Outcome>((resolve) => {
    timer = setTimeout(() => resolve(otherwise("no answer within the deadline")), deadlineMs);
  });
  try {
    return await Promise.race([ask(), silence]);
  } catch (error) {
    return otherwise(`connector failed: ${String(error)}`);
  } finally {
    clearTimeout(timer);
  }
}
