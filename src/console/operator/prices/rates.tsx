import { checkFxRate, setFxRate } from "../../../domain/catalogue/offering.ts";
import { type FxRateRow, listFxRates, ratesOf } from "../../../domain/catalogue/offering-queries.ts";
import { formatNaira, type Kobo } from "../../../kernel/money.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { columnsOf } from "../../kit/columns.tsx";
import { box, naira, readOr, typed as typedField } from "../../kit/field-kinds.tsx";
import { fields } from "../../kit/fields.ts";
import type { Typed } from "../../kit/form.ts";
import { Empty, Sheet } from "../../kit/parts/layout.tsx";
import { TableSheet } from "../../kit/parts/list.tsx";
import { countText, moneyText } from "../../kit/parts/text.tsx";
import { seen } from "../../kit/stale.ts";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { changeOfTwo } from "../approvals/change.ts";
import type { OperatorServices } from "../services.ts";
import { pricesPath } from "./price-words.tsx";

const here = `${pricesPath}/rates`;

interface Found {
  /** That was typed or that the page's address names; "" where it names none. */
  readonly currency: string;
  /** Its rates now: two where its products differ, none where it is new. */
  readonly rates: readonly Kobo[];
}

const readCode = (typed: string) => (/^[A-Z]{3}$/i.test(typed) ? typed.toUpperCase() : null);

/** A person of the catalogue asks for a rate, and an admin approves it: it changes the prices and costs of all in the currency. */
export const rateChange = changeOfTwo({
  at: here,
  may: "change_prices",
  doneAt: () => here,
  find: async ({ reads }, visit, form) => foundIn(await listFxRates(reads), visit, form.text("currency")),
  fields: fields(
    {
      currency: typedField(
        "Currency",
        { read: readOr(readCode, "Enter its three letters, such as USD.") },
        { hint: "Three letters, such as USD", lengthMax: 3 },
      ),
      rate: naira("Rate in ₦", { hint: "In naira" }),
      confirm: box("Allow a change beyond half or double"),
    },
    ({ currency, rate }) => `${currency} ${formatNaira(rate)}`,
  ),
  stored: ({ currency, rates: [rate] }) => (rate === undefined ? null : { currency, rate, confirm: false }),
  evenUnchanged: (_form, { rates }) => rates.length > 1,
  check: ({ currency, rate, confirm }, _found, { reads }) => checkFxRate(reads, { currency, rate, mayLeap: confirm }),
  looks: ({ currency, rates }) =>
    rates.length === 0
      ? {
          submit: "Add currency",
          hidden: seen(""),
          more: { currency: { value: currency }, confirm: { isLeftOut: true } },
        }
      : {
          ...{ submit: "Change rate", cancelHref: here },
          more: { rate: { hint: `₦${ratesText(rates)} now. What was sold keeps its price.` } },
        },
  kind: "change exchange rate",
  approve: ["admin"],
  alone: { command: "console exchange-rate", may: (_services, { staff }) => staff.role === "admin" },
  subjects: ({ currency }) => [`rate of ${currency}`],
  async facts(_services, db, { currency }) {
    return { [`${currency} now`]: ratesText(ratesOf(await listFxRates(db), String(currency))) || "none" };
  },
  summary: ({ found: { rates }, values }) => rateRequest(rates, values).summary,
  freeze: ({ found: { rates }, values }) => rateRequest(rates, values).fields,
  async run({ database }, { currency, rate }, { confirmed }) {
    const { changed } = await setFxRate(database, currency, rate, { mayLeap: confirmed === true });
    return `One ${currency} is ${moneyText(rate)} now, also for ${countText(changed.length, "product")}.`;
  },
});

/** What is asked for by the page or a command. `rates`: those of now. */
export function rateRequest(
  rates: readonly Kobo[],
  { currency, rate, confirm }: { readonly currency: string; readonly rate: Kobo; readonly confirm: boolean },
) {
  return {
    summary:
      rates.length === 0
        ? `Add ${currency} at ${moneyText(rate)}`
        : `Change ${currency} from ₦${ratesText(rates)} to ${moneyText(rate)}`,
    fields: { currency, rate: formatNaira(rate), confirmed: confirm },
  };
}

function foundIn(rows: readonly FxRateRow[], { query }: StaffVisit, typed: string): Found {
  const chosen = rows.find(({ currency }) => currency === query.get("currency"))?.currency;
  const currency = (typed || (chosen ?? "")).toUpperCase();
  return { currency, rates: ratesOf(rows, currency) };
}

function ratesText(rates: readonly Kobo[]): string {
  return rates.map(formatNaira).join(" or ");
}

/** What does a unit of a foreign currency cost us? It prices gift cards and eSIMs, and what suppliers take in that currency. */
export function ratePages(routes: StaffRoutes, services: OperatorServices): void {
  const show = (visit: StaffVisit, typed: Typed) => ratesPage(services, visit, typed);
  routes.page(here, { capability: "see_prices", show });
  rateChange.addTo(routes, services, show);
}

const column = columnsOf<FxRateRow>();

async function ratesPage({ reads }: OperatorServices, visit: StaffVisit, typed: Typed): Promise<PageAnswer> {
  const rows = await listFxRates(reads);
  const mayChange = visit.may("change_prices");
  const found = foundIn(rows, visit, typed.form.text("currency"));
  return page(
    {
      title: "Exchange rates",
      crumbs: [["Prices", pricesPath]],
      note: "What one unit costs us: for what’s sold in it, and for suppliers’ costs in it",
    },
    <>
      <TableSheet
        caption="Exchange rates"
        rows={rows}
        columns={[
          column.lead("Currency", ({ currency }) => currency),
          column.amount("Rate in ₦", ({ rate }) => rate),
          column.count("Products in it", ({ products }) => Number(products)),
          ...(mayChange ? [column.act("Change", ChangeLink)] : []),
        ]}
        empty={<Empty title="No currency yet">Add one before you sell or buy in it.</Empty>}
      />
      {mayChange ? (
        <Sheet title={found.rates.length === 0 ? "Add a currency" : `Change ${found.currency}`} id="rate-form">
          {rateChange.draw(visit, typed, found)}
          <p>
            Then look at <a href={`${pricesPath}?margin=below-cost`}>what’s below cost</a>.
          </p>
        </Sheet>
      ) : null}
    </>,
  );
}

function ChangeLink({ currency }: FxRateRow) {
  return (
    <a href={`${here}?currency=${currency}#rate-form`} aria-label={`Change ${currency}`}>
      Change
    </a>
  );
}
