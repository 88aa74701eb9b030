import { staffDatabase } from "../../../domain/staff/approvals.ts";
import { listStock } from "../../../domain/suppliers/vouchers/queries.ts";
import { setThreshold, usualThreshold } from "../../../domain/suppliers/vouchers/stock.ts";
import type { ProductId } from "../../../kernel/ids.ts";
import { refuseField } from "../../../kernel/problems.ts";
import { goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import type { Typed } from "../../kit/form.ts";
import { TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { Empty, Sheet } from "../../kit/parts/layout.tsx";
import { Table } from "../../kit/parts/list.tsx";
import { grouped, Status } from "../../kit/parts/text.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import type { OperatorServices } from "../services.ts";

const here = "/operator/vouchers";

/** Our own stock of PINs and codes: what is left of each product, and when that is low. */
export function voucherPages(routes: StaffRoutes, services: OperatorServices): void {
  const show = (visit: StaffVisit, typed: Typed) => vouchersPage(services, visit, typed);
  routes.page(here, { capability: "see_suppliers", show });

  routes.form(`${here}/threshold`, {
    capability: "import_vouchers",
    doneAt: () => here,
    show,
    async send(visit, form) {
      const product = numberIn(form.text("product"), "product", 999_999_999);
      const lowAt = numberIn(form.text("low_at"), "low_at", 1_000_000);
      const details = { product_id: product, low_at: lowAt };
      const by = { by: visit.session.person, command: "console vouchers threshold", details };
      await setThreshold(staffDatabase(services.database, by), product as ProductId, lowAt);
      return goTo(here, `Product ${product} is low when ${grouped(lowAt)} or fewer are left.`);
    },
  });
}

function numberIn(text: string, field: string, most: number): number {
  const count = /^[1-9][0-9]{0,8}$/.test(text) ? Number(text) : null;
  if (count === null || count > most) {
    throw refuseField("VALIDATION_ERROR", field, `Enter a whole number from 1 to ${grouped(most)}.`);
  }
  return count;
}

async function vouchersPage(
  { reads, people, wallTime }: OperatorServices,
  visit: StaffVisit,
  typed: Typed,
): Promise<PageAnswer> {
  const rows = await listStock(reads, wallTime.dayOf(people.clock.now()).date, usualThreshold);
  return page(
    { title: "Vouchers", note: "Our own stock of PINs and codes", problem: typed.whole, status: typed.status },
    <>
      <Sheet title="Stock" isPadded={false}>
        <Table
          caption="Stock by product"
          rows={rows}
          columns={[
            { title: "Product", cell: ({ productId, name }) => `${productId} ${name}`, place: "lead" },
            {
              title: "Left",
              cell: ({ unsold, lowAt }) =>
                unsold <= lowAt ? (
                  <Status kind="bad">{`${grouped(Number(unsold))}, low`}</Status>
                ) : (
                  grouped(Number(unsold))
                ),
              place: "amount",
            },
            { title: "Expired", cell: ({ expired }) => grouped(Number(expired)) },
            { title: "Sold", cell: ({ sold }) => grouped(Number(sold)) },
            { title: "Low at", cell: ({ lowAt }) => grouped(lowAt) },
          ]}
          empty={<Empty title="No vouchers yet">Stock appears here after the command vouchers import.</Empty>}
        />
      </Sheet>
      {visit.may("import_vouchers") ? (
        <Sheet title="Low-stock threshold">
          <Form action={`${here}/threshold`} submit="Save threshold">
            <TextField {...typed.field("product")} label="Product number" keys="numeric" />
            <TextField {...typed.field("low_at")} label="Low at" keys="numeric" />
          </Form>
        </Sheet>
      ) : null}
    </>,
  );
}
