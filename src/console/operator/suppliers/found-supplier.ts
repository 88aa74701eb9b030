import { type AskingServices, findNamedSupplier } from "../../../domain/suppliers/asking.ts";
import type { Supplier } from "../../../domain/suppliers/routing/route.ts";
import type { StaffVisit } from "../access.ts";
import type { OperatorServices } from "../services.ts";

export const suppliersPath = "/operator/suppliers";

export function supplierPath(name: string): string {
  return `${suppliersPath}/${name}`;
}

/** The address of a visit's supplier, whether there is one or not. */
export function atSupplier(visit: StaffVisit): string {
  return supplierPath(encodeURIComponent(visit.param("supplier")));
}

/** The supplier that the path names. @throws Refusal NOT_FOUND: the page says that there is none */
export function supplierOf({ reads }: Pick<OperatorServices, "reads">, visit: StaffVisit): Promise<Supplier> {
  return findNamedSupplier({ database: reads }, visit.param("supplier"));
}

/** What it takes to ask a supplier something while a person waits. */
export function askingOf({ database, people, secretBox, supplierOrigins }: OperatorServices): AskingServices {
  return {
    ...{ database, clock: people.clock, supplierOrigins },
    monotonicMs: () => performance.now(),
    secretBox: async () => secretBox,
  };
}
