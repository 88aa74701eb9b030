import { checkFxRate, setFxRate } from "../../../domain/catalogue/offering.ts";
import { type FxRateRow, listFxRates, ratesOf } from "../../../domain/catalogue/offering-queries.ts";
import { assert } from "../../../kernel/assert.ts";
import { formatNaira, type Kobo, notAnAmount, readAmount } from "../../../kernel/money.ts";
import { type Answer, goBack, type PageAnswer, page } from "../../kit/answer.tsx";
import { type Form as SentForm, type Typed, wrong } from "../../kit/form.ts";
import { CheckField, TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { Empty, Sheet } from "../../kit/parts/layout.tsx";
import { TableSheet } from "../../kit/parts/list.tsx";
import { countText, grouped, Money, moneyText } from "../../kit/parts/text.tsx";
import { refuseStale, seen } from "../../kit/stale.ts";
import { matrix, type StaffRoutes, type StaffVisit } from "../access.ts";
import { changeOrAsk, type TwoPeople } from "../approvals/two-people.ts";
import type { OperatorServices } from "../services.ts";
import { pricesPath } from "./price-words.tsx";

const here = `${pricesPath}/rates`;

/** A person of the catalogue asks for a rate, and an admin approves it: it changes the prices and costs of all in the currency. */
export const rateChange: TwoPeople = {
  kind: "change exchange rate",
  subjects: ({ currency }) => [`rate of ${currency}`],
  async readFacts(_services, db, { currency }) {
    return { [`${currency} now`]: ratesText(ratesOf(await listFxRates(db), String(currency))) || "none" };
  },
  ask: matrix.change_prices.roles,
  approve: ["admin"],
  async carryOut(_services, database, payload) {
    const currency = String(payload.currency);
    const rate = readAmount(String(payload.rate));
    assert(rate !== null, "the rate was read before it was asked for");
    const { changed } = await setFxRate(database, currency, rate, { mayLeap: payload.confirmed === true });
    return `One ${currency} is ${moneyText(rate)} now, also for ${countText(changed.length, "product")}.`;
  },
};

/** What does a unit of a foreign currency cost us? It prices gift cards and eSIMs, and what suppliers take in that currency. */
export function ratePages(routes: StaffRoutes, services: OperatorServices): void {
  const show = (visit: StaffVisit, typed: Typed) => ratesPage(services, visit, typed);
  const send = (visit: StaffVisit, form: SentForm) => change(services, visit, form);
  routes.page(here, { capability: "see_prices", show });
  routes.form(here, { capability: "change_prices", doneAt: () => here, show, send });
}

async function change(services: OperatorServices, visit: StaffVisit, form: SentForm): Promise<Answer> {
  const currency = form.text("currency").toUpperCase();
  if (!/^[A-Z]{3}$/.test(currency)) throw wrong("currency", "Enter its three letters, such as USD.");
  const rate = readAmount(form.text("rate"));
  if (rate === null) throw wrong("rate", notAnAmount(form.text("rate")));
  const confirmed = form.has("confirm");
  const from = ratesText(await checkFxRate(services.reads, { currency, rate, mayLeap: confirmed }));
  if (from === formatNaira(rate)) return goBack(here, "Nothing was changed.");
  refuseStale(form, from, from === "" ? "without a rate" : `${currency} ${from}`);
  return changeOrAsk(services, visit, rateChange, {
    mayAlone: visit.staff.role === "admin",
    command: "console exchange-rate",
    summary:
      from === "" ? `Add ${currency} at ${moneyText(rate)}` : `Change ${currency} from ₦${from} to ${moneyText(rate)}`,
    payload: { currency, rate: formatNaira(rate), confirmed },
    doneAt: here,
  });
}

/** The rate of a currency as it is shown; two where its products differ, "" where there is none. */
function ratesText(rates: readonly Kobo[]): string {
  return rates.map(formatNaira).join(" or ");
}

async function ratesPage({ reads }: OperatorServices, visit: StaffVisit, typed: Typed): Promise<PageAnswer> {
  const rows = await listFxRates(reads);
  const mayChange = visit.may("change_prices");
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
          { title: "Currency", cell: ({ currency }) => currency, place: "lead" },
          { title: "Rate in ₦", cell: ({ rate }) => <Money amount={rate} />, place: "amount" },
          { title: "Products in it", cell: ({ products }) => grouped(Number(products)), align: "end" },
          ...(mayChange ? [{ title: "Change", isTitleHidden: true, cell: ChangeLink, place: "act" as const }] : []),
        ]}
        empty={<Empty title="No currency yet">Add one before you sell or buy in it.</Empty>}
      />
      {mayChange ? <RateForm {...{ rows, typed }} chosen={visit.query.get("currency") ?? null} /> : null}
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

interface RateFormProps {
  readonly rows: readonly FxRateRow[];
  readonly typed: Typed;
  readonly chosen: string | null;
}

function RateForm({ rows, typed, chosen }: RateFormProps) {
  const currency = typed.value("currency", rows.find((row) => row.currency === chosen)?.currency ?? null).toUpperCase();
  const now = ratesText(ratesOf(rows, currency));
  return (
    <Sheet title={now === "" ? "Add a currency" : `Change ${currency}`} id="rate-form">
      <Form
        action={here}
        submit={now === "" ? "Add currency" : "Change rate"}
        hidden={seen(now)}
        {...(now === "" ? {} : { cancelHref: here })}
      >
        <TextField
          {...typed.field("currency", currency)}
          label="Currency"
          hint="Three letters, such as USD"
          lengthMax={3}
        />
        <TextField
          {...typed.field("rate")}
          label="Rate in ₦"
          hint={now === "" ? "In naira" : `₦${now} now. What was sold keeps its price.`}
          unit="₦"
          keys="decimal"
        />
        {now === "" ? null : <CheckField {...typed.box("confirm")} label="Allow a change beyond half or double" />}
      </Form>
      <p>
        Then look at <a href={`${pricesPath}?margin=below-cost`}>what’s below cost</a>.
      </p>
    </Sheet>
  );
}
