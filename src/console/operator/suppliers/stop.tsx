import { readSupplierDays, shareOfSales } from "../../../domain/history/today/supplier-days.ts";
import { setSupplierState } from "../../../domain/suppliers/administration.ts";
import type { Supplier } from "../../../domain/suppliers/routing/route.ts";
import { findSupplierNamed } from "../../../domain/suppliers/routing/route-table.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { type Answer, goTo } from "../../kit/answer.tsx";
import { refused } from "../../kit/form.ts";
import { Facts } from "../../kit/parts/data.tsx";
import { Sheet } from "../../kit/parts/layout.tsx";
import { matrix, type StaffVisit } from "../access.ts";
import { changeOrAsk, type Payload, type TwoPeople } from "../approvals/two-people.ts";
import { changing } from "../audited.ts";
import type { OperatorServices } from "../services.ts";
import { supplierPath } from "./found-supplier.ts";

/** Beyond this share of the last 24 hours' sales a second person approves the stop. */
const largeShare = 1 / 3;

/** One change at a time for a supplier; what it rests on is its state. */
export const ofSupplier = {
  subjects: ({ supplier }: Payload) => [`supplier ${supplier}`],
  async readFacts(_services: unknown, db: Queryable, { supplier }: Payload) {
    const present = await findSupplierNamed(db, String(supplier));
    return { State: present === null ? "gone" : present.state };
  },
};

export const supplierStop: TwoPeople = {
  kind: "stop supplier",
  ...ofSupplier,
  ask: matrix.change_suppliers.roles,
  approve: ["admin", "catalogue"],
  async carryOut(_services, database, payload) {
    const name = String(payload.supplier);
    await setSupplierState(database, name, "disabled");
    return `${name} is stopped. It gets no new sale; we still requery sales already sent.`;
  },
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
    return changeOrAsk(services, visit, supplierStop, {
      ...{ mayAlone: !(await servesMuch(services, name)), command: "console supplier stop", doneAt },
      ...{ summary: `Stop ${name}`, payload: { supplier: name } },
    });
  }
  const database = changing(services, visit, "console supplier start", { supplier: name });
  await setSupplierState(database, name, "enabled");
  return goTo(doneAt, `${name} gets new sales by its routes.`);
}

/** Before the first sale of 24 hours nobody knows, so a second person looks too. */
export async function servesMuch({ reads, people }: OperatorServices, name: string): Promise<boolean> {
  const share = shareOfSales(await readSupplierDays({ database: reads, clock: people.clock }), name);
  return share === null || share > largeShare;
}
