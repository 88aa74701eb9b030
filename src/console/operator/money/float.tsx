import { sumFloat } from "../../../domain/history/reports/queries.ts";
import { page } from "../../kit/answer.tsx";
import { TableSheet } from "../../kit/parts/list.tsx";
import { grouped, Moment, Money } from "../../kit/parts/text.tsx";
import type { StaffRoutes } from "../access.ts";
import type { OperatorServices } from "../services.ts";
import { supplierPath } from "../suppliers/found-supplier.ts";

/** Where the money is: in merchants' wallets, in sales that are under way, and at suppliers. */
export function floatPages(routes: StaffRoutes, { reads }: OperatorServices): void {
  routes.page("/operator/float", {
    capability: "see_reports",
    async show() {
      const { at, wallets, inFlight, suppliers } = await sumFloat(reads, "live");
      const owed = inFlight.reduce((sum, { amount }) => sum + amount, BigInt(wallets.amount));
      const held = suppliers.reduce((sum, { balance }) => sum + (balance ?? 0n), 0n);
      const sales = inFlight.map(({ supplier, purchases, amount }) => {
        return { what: "Pending sales", supplier, count: purchases, amount, at: null };
      });
      const money = suppliers.map(({ supplier, balance, reportedAt }) => {
        return { what: "Held for us", supplier, count: null, amount: balance, at: reportedAt };
      });
      const whole = { supplier: null, count: null, at: null };
      const rows = [
        { ...whole, what: "Merchants’ wallets", count: wallets.count, amount: wallets.amount },
        ...[...sales, { ...whole, what: "Owed to merchants", amount: owed }],
        ...[...money, { ...whole, what: "Held by all suppliers", amount: held }],
      ];
      return page(
        { title: "Float", note: <Moment at={at} style="full" /> },
        <TableSheet
          caption="Where the money is"
          rows={rows}
          href={({ supplier }) => (supplier === null ? null : supplierPath(supplier))}
          columns={[
            { title: "Money", cell: ({ what }) => what, place: "lead" },
            { title: "Supplier", cell: ({ supplier }) => supplier ?? "", place: "sub" },
            { title: "Number", cell: ({ count }) => (count === null ? "" : grouped(Number(count))), align: "end" },
            { title: "Reported", cell: (row) => (row.at === null ? "" : <Moment at={row.at} />), isExtra: true },
            {
              title: "Amount",
              cell: (row) => (row.amount === null ? "not reported" : <Money amount={row.amount} />),
              place: "amount",
            },
          ]}
        />,
      );
    },
  });
}
