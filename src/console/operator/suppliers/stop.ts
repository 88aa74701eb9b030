import { readSupplierDays, shareOfSales } from "../../../domain/history/today/supplier-days.ts";
import { setSupplierState } from "../../../domain/suppliers/administration.ts";
import type { Supplier } from "../../../domain/suppliers/routing/route.ts";
import { refuse } from "../../../kernel/problems.ts";
import { type Answer, goTo } from "../../kit/answer.tsx";
import type { StaffVisit } from "../access.ts";
import { askForTwo, type TwoPeople } from "../approvals/two-people.ts";
import { changing } from "../audited.ts";
import type { OperatorServices } from "../services.ts";
import { supplierPath } from "./found-supplier.ts";

/** Beyond this share of the last 24 hours' sales a second person approves the stop. */
const largeShare = 1 / 3;

export const supplierStop: TwoPeople = {
  kind: "stop supplier",
  roles: ["admin", "catalogue"],
  async carryOut(_services, database, payload) {
    const name = String(payload.supplier);
    await setSupplierState(database, name, "disabled");
    return stopped(name);
  },
};

/** Stops or starts a supplier. Where it serves much, or nobody knows how much, stopping it takes two people. */
export async function stopOrStart(
  services: OperatorServices,
  visit: StaffVisit,
  { name }: Supplier,
  requested: string,
): Promise<Answer> {
  if (requested !== "start" && requested !== "stop") {
    throw refuse("VALIDATION_ERROR", { message: "Choose to stop or start it." });
  }
  const doneAt = supplierPath(name);
  if (requested === "stop" && (await servesMuch(services, name))) {
    const proposal = { summary: `Stop ${name}`, payload: { supplier: name }, doneAt };
    return askForTwo(services, visit, supplierStop, proposal);
  }
  const database = changing(services, visit, `console supplier ${requested}`, { supplier: name });
  const state = requested === "start" ? "enabled" : "disabled";
  await setSupplierState(database, name, state);
  return goTo(doneAt, requested === "start" ? `${name} gets new sales by its routes.` : stopped(name));
}

function stopped(name: string): string {
  return `${name} is stopped. It gets no new sale; we still ask about what it was sent.`;
}

/** Before the first sale of 24 hours nobody knows, so a second person looks too. */
async function servesMuch({ reads, people }: OperatorServices, name: string): Promise<boolean> {
  const share = shareOfSales(await readSupplierDays({ database: reads, clock: people.clock }), name);
  return share === null || share > largeShare;
}
