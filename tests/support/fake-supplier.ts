import type pg from "pg";
import { simulatedFulfilment } from "../../src/categories/fulfilment/simulated.ts";
import type { VendRequest } from "../../src/categories/supplier-request.ts";
import type { OpenConnector } from "../../src/domain/suppliers/routing/routing.ts";
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

/** Enters suppliers as an operator would: each serves every product, in the order given, at 90 % of the face amount. */
export async function enterSuppliers(
  pool: Pick<pg.Pool, "query">,
  suppliers: readonly Pick<Connector, "name">[],
): Promise<void> {
  for (const [i, { name }] of suppliers.entries()) {
    await pool.query("insert into suppliers (name, connector) values ($1, $1) on conflict do nothing", [name]);
    await pool.query(
      `insert into supplier_routes (product_id, supplier, supplier_code, cost_basis_points, priority)
       select id, $1, code, 9000, $2 from products
           on conflict do nothing`,
      [name, i + 1],
    );
  }
  await pool.query("update revisions set revision = revision + 1 where subject = 'routes'");
}

/** Connectors that are in the test's own process, by name. */
export function connectorsAtHand(suppliers: readonly Connector[]): OpenConnector {
  const byName = new Map(suppliers.map((supplier) => [supplier.name, supplier]));
  return ({ connector }) => byName.get(connector) ?? null;
}
