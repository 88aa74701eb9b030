import { servesMuch, stopOf, stoppingSupplier } from "../../../domain/history/suppliers/stopping.ts";
import { readSupplierDays, shareOfSales } from "../../../domain/history/today/supplier-days.ts";
import { setSupplierState } from "../../../domain/suppliers/administration.ts";
import type { Supplier } from "../../../domain/suppliers/routing/route.ts";
import { type Answer, goTo } from "../../kit/answer.tsx";
import { refused } from "../../kit/form.ts";
import { Facts } from "../../kit/parts/data.tsx";
import { Sheet } from "../../kit/parts/layout.tsx";
import type { StaffVisit } from "../access.ts";
import { changeOrAsk, type TwoPeople } from "../approvals/two-people.ts";
import { changing } from "../audited.ts";
import type { OperatorServices } from "../services.ts";
import { supplierPath } from "./found-supplier.ts";

export const supplierStop: TwoPeople = {
  ...stoppingSupplier.rules,
  by: () => stoppingSupplier,
  show: ({ reads, people }, { supplier }) => shareSheet({ database: reads, clock: people.clock }, String(supplier)),
};

/** What a second person judges a stop by. */
async function shareSheet(services: Parameters<typeof readSupplierDays>[0], name: string) {
  const share = shareOfSales(await readSupplierDays(services), name);
  return (
    <Sheet title="What stops with it">
      <Facts
        facts={{
          Supplier: <a href={supplierPath(name)}>{name}</a>,
          "Share of sales in 24 hours": share === null ? "no sales yet" : `${Math.round(share * 100)}%`,
        }}
      />
    </Sheet>
  );
}

/** Stops or starts a supplier. Where it serves much, or nobody knows how much, stopping it takes two people. */
export async function stopOrStart(
  services: OperatorServices,
  visit: StaffVisit,
  { name }: Supplier,
  requested: string,
): Promise<Answer> {
  if (requested !== "start" && requested !== "stop") throw refused("Choose to stop or start it.");
  const doneAt = supplierPath(name);
  if (requested === "stop") {
    const mayAlone = !(await servesMuch({ database: services.reads, clock: services.people.clock }, name));
    const command = "console supplier stop";
    return changeOrAsk(services, visit, supplierStop, { ...stopOf(name), mayAlone, command, doneAt });
  }
  const database = changing(services, visit, "console supplier start", { supplier: name });
  await setSupplierState(database, name, "enabled");
  return goTo(doneAt, `${name} gets new sales by its routes.`);
}
