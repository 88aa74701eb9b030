import type { Mode } from "../kernel/mode.ts";
import type { Connector, VendOutcome, VendRequest } from "./contract.ts";

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
}

/** Well under the 60 s after which a purchase comes due for requery. */
export const vendDeadlineMs = 30_000;

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
    return withinDeadline(connector[question](request));
  }

  return {
    choose(mode) {
      if (mode === "test") return { supplier: null, foreseeable: true };
      const [first] = options.suppliers;
      return first === undefined ? null : { supplier: first.name, foreseeable: false };
    },
    vend: (supplier, request) => ask(supplier, "vend", request),
    requery: (supplier, request) => ask(supplier, "requery", request),
  };
}

/** Silence and exceptions are `unknown`: neither proves that nothing was vended. */
async function withinDeadline(answer: Promise<VendOutcome>): Promise<VendOutcome> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<VendOutcome>((resolve) => {
    timer = setTimeout(() => resolve({ kind: "unknown", evidence: "no answer within the deadline" }), vendDeadlineMs);
  });
  try {
    return await Promise.race([answer, silence]);
  } catch (error) {
    return { kind: "unknown", evidence: `connector failed: ${String(error)}` };
  } finally {
    clearTimeout(timer);
  }
}
