import { type IncidentRow, listLatestIncidents } from "../../../domain/resolution/incident-queries.ts";
import { page } from "../../kit/answer.tsx";
import { Empty } from "../../kit/parts/layout.tsx";
import { TableSheet } from "../../kit/parts/list.tsx";
import { Moment } from "../../kit/parts/text.tsx";
import type { StaffRoutes } from "../access.ts";
import type { OperatorServices } from "../services.ts";

const shownMax = 200;
const kinds: Readonly<Record<IncidentRow["kind"], string>> = {
  late_reversal: "Taken back after delivery",
  contradiction: "Said something else later",
  another_purchase: "Answered about another sale",
  review: "Decided by a person",
};

/** What suppliers said after a sale had ended, and what people said instead of them. */
export function incidentPages(routes: StaffRoutes, { reads, transactionIds }: OperatorServices): void {
  routes.page("/operator/incidents", {
    capability: "see_review",
    async show() {
      const rows = await listLatestIncidents(reads, shownMax);
      return page(
        { title: "Incidents", note: `The newest ${shownMax}. Open a sale to see the evidence` },
        <TableSheet
          caption="Incidents, newest first"
          rows={rows}
          href={({ purchaseId, wallet }) => `/operator/sales/${transactionIds.format(purchaseId, wallet.mode)}`}
          columns={[
            { title: "What happened", cell: ({ kind }) => kinds[kind], place: "lead" },
            { title: "Supplier", cell: ({ supplier }) => supplier, place: "sub" },
            { title: "Said by", cell: ({ source }) => source, place: "sub" },
            { title: "When", cell: ({ at }) => <Moment at={at} style="list" />, place: "amount" },
          ]}
          empty={<Empty title="No incidents">What a supplier says after a sale has ended appears here.</Empty>}
        />,
      );
    },
  });
}
