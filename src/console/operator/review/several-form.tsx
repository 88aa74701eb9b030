import type { CatalogueSnapshot } from "../../../domain/catalogue/snapshot.ts";
import { type Purchase, soldProductOf } from "../../../domain/purchases/purchase.ts";
import { add, zeroKobo } from "../../../kernel/money.ts";
import { columnsOf } from "../../kit/columns.tsx";
import type { Typed } from "../../kit/form.ts";
import { RadioField, TextAreaField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { Empty, Sheet } from "../../kit/parts/layout.tsx";
import { TableSheet } from "../../kit/parts/list.tsx";
import { countText, Money } from "../../kit/parts/text.tsx";
import { ProductName } from "../../kit/sale.tsx";
import { ticks } from "../../kit/ticks.tsx";
import { type MerchantNames, shortNumber } from "../sales/words.ts";
import type { Cause } from "./cause.ts";
import { Waited } from "./queue.tsx";
import { ReasonField } from "./resolve.tsx";
import { SureField } from "./sure.tsx";

const column = columnsOf<Group["sales"][number]>();

export const severalPath = "/operator/review/several";

const formId = "decide";

export const chosenSales = ticks({ name: "sale", form: formId, none: "Choose the sales first." });

/** Sales that wait at one supplier, to all of which the same happened there. */
export interface Group {
  readonly supplier: string;
  readonly cause: string;
  readonly sales: readonly { readonly purchase: Purchase; readonly happened: Cause }[];
}

export function linkTo(
  { supplier, cause }: Pick<Group, "supplier" | "cause">,
  more: Record<string, string> = {},
): string {
  return `${severalPath}?${new URLSearchParams({ supplier, cause, ...more })}`;
}

/** Whether nothing is handed over, so that there is nothing to show for it either. */
export function areTopUps(products: CatalogueSnapshot, sales: Group["sales"]): boolean {
  return sales.every(({ purchase }) => soldProductOf(products, purchase).category.byHand === null);
}

/** What waits, by supplier and what happened. */
export function Groups({ groups }: { readonly groups: readonly Group[] }) {
  return (
    <TableSheet
      caption="Sales in review by supplier and what happened"
      rows={groups}
      href={(group) => linkTo(group)}
      columns={[
        { title: "What happened", cell: ({ cause }) => cause, place: "lead" },
        { title: "Supplier", cell: ({ supplier }) => supplier, place: "sub" },
        { title: "Sales", cell: ({ sales }) => countText(sales.length, "sale"), place: "state", align: "end" },
        {
          title: "Charged",
          cell: ({ sales }) => (
            <Money amount={sales.reduce((sum, { purchase }) => add(sum, purchase.total), zeroKobo)} />
          ),
          place: "amount",
        },
      ]}
      empty={
        <Empty title="No sales in review" icon="check">
          Sales whose supplier never says whether it delivered appear here.
        </Empty>
      }
    />
  );
}

interface ChosenProps {
  readonly group: Group;
  readonly shown: Group["sales"];
  readonly typed: Typed;
  readonly products: CatalogueSnapshot;
  readonly now: number;
  readonly names: MerchantNames;
  readonly isChosen: (name: string) => boolean;
  readonly idOf: (purchase: Purchase) => string;
}

/** The sales of one group with their boxes, and what is to become of those that are chosen. */
export function Chosen({ group, shown, typed, products, now, names, isChosen, idOf }: ChosenProps) {
  const { supplier, cause } = group;
  return (
    <>
      <TableSheet
        title="Sales"
        note={shownText(group, shown)}
        caption="Sales to choose"
        rows={shown}
        columns={[
          chosenSales.column(({ purchase }: Group["sales"][number]) => {
            const id = idOf(purchase);
            return { value: id, label: id };
          }, isChosen),
          column.lead("Sale", ({ purchase }) => <ProductName {...soldProductOf(products, purchase)} />),
          column.sub("For", ({ purchase }) => <span class="phone">{shortNumber(purchase.customerRef)}</span>),
          column.sub("Answer", ({ happened }) => happened.words ?? "None"),
          column.extra("Merchant", ({ purchase }) => names.get(purchase.wallet.merchantId)),
          column.sub("Reference", ({ purchase }) => (
            <a href={`/operator/sales/${idOf(purchase)}`}>{purchase.reference}</a>
          )),
          column.amount("Charged", ({ purchase }) => purchase.total),
          column.status("Waiting", ({ purchase }) => <Waited ms={now - purchase.purchasedAt} />),
        ]}
      />
      <Sheet title="What happened to all that you chose?">
        <Form
          id={formId}
          action={severalPath}
          submit="Ask a second person to end these sales"
          hidden={{ supplier, cause }}
        >
          <RadioField
            {...typed.field("result")}
            label="Result"
            choices={[
              { value: "declined", label: "Not delivered", hint: "The money goes back to the merchants." },
              ...(areTopUps(products, shown)
                ? [{ value: "vended", label: "Delivered", hint: "The merchants stay charged." }]
                : []),
            ]}
          />
          <ReasonField typed={typed} />
          <TextAreaField
            {...typed.field("evidence")}
            label="Evidence"
            rows={3}
            hint="In 10 characters or more, for all of them: a ticket, who said it and when. No token or PIN."
          />
          <SureField typed={typed} />
        </Form>
      </Sheet>
    </>
  );
}

function shownText({ sales }: Group, shown: Group["sales"]): string {
  return sales.length > shown.length ? `The oldest ${shown.length} of ${sales.length}` : "Oldest first";
}
