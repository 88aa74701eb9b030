import { findLastPayment } from "../../../domain/funding/payment-announcement-queries.ts";
import { listPurchaseDays } from "../../../domain/history/lists/count-queries.ts";
import { listPage, noFilter } from "../../../domain/history/lists/list.ts";
import { daysLeast, daysWithSales, hoursLeft, readToday } from "../../../domain/history/sales/sales.ts";
import { findPendingSum, listSoldProducts } from "../../../domain/history/sales/sales-queries.ts";
import { formatMerchantId } from "../../../domain/merchants/merchant.ts";
import { soldProductOf } from "../../../domain/purchases/purchase.ts";
import { findWallet } from "../../../domain/wallet/queries.ts";
import { zeroKobo } from "../../../kernel/money.ts";
import { goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import { Alerts, Figures } from "../../kit/parts/data.tsx";
import { Live } from "../../kit/parts/form.tsx";
import { ButtonLink, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { TableSheet } from "../../kit/parts/list.tsx";
import { momentText } from "../../kit/parts/text.tsx";
import { readCookie, setCookie } from "../../kit/session-cookies.ts";
import { type ModeRoutes, type ModeVisit, useVisit } from "../access.ts";
import type { MerchantServices } from "../services.ts";
import { type PurchaseRow, purchaseColumns, purchasePath, purchaseRows } from "../transactions/purchase.tsx";
import { attentionFor } from "./attention.tsx";
import { figuresOf } from "./figures.tsx";
import { FirstSteps, firstStepsFor } from "./first-steps.tsx";
import { SalesChart, TopProducts } from "./sales.tsx";

const daysRead = 30;
const productDays = 7;
const rowsShown = 8;

/** Am I selling, how long does the money last, and what needs somebody now? */
export function overviewPages(routes: ModeRoutes, services: MerchantServices): void {
  routes.page("/overview", {
    capability: "enter",
    show(visit) {
      if (!visit.may("look")) return goTo(visit.to("buy"));
      return visit.query.has(stepsField) ? keepSteps(visit) : overviewPage(services, visit);
    },
  });
}

/** The parameter that closes the first steps in this browser, or shows them again. */
const stepsField = "steps";

function keepSteps(visit: ModeVisit) {
  const { reply, place, member, query } = visit;
  setCookie(reply, place, "steps", query.get(stepsField) === "close" ? formatMerchantId(member.merchantId) : "open");
  return goTo(visit.to("overview"));
}

async function overviewPage(services: MerchantServices, visit: ModeVisit): Promise<PageAnswer> {
  const { reads, format, clock, wallTime, catalogue } = services;
  const { wallet } = visit;
  const now = clock.now();
  const [found, days, pending, sold, latest, steps, products, added] = await Promise.all([
    findWallet(reads, wallet),
    listPurchaseDays(reads, wallet, { now, days: daysRead }),
    findPendingSum(reads, wallet),
    listSoldProducts(reads, wallet, { now, days: productDays }),
    listPage(reads, wallet, noFilter, { page: 1, perPage: rowsShown }),
    firstStepsFor(services, visit),
    catalogue.current(),
    findLastPayment(reads, wallet),
  ]);
  const today = await readToday(reads, wallet, { now, wallTime, days });
  const balance = found?.balance ?? zeroKobo;
  const left = hoursLeft(balance, days);
  const alerts = await attentionFor(services, visit, { now, found, left, pending });
  const rows = purchaseRows(latest.purchases, products);
  const named = sold.map((each) => ({ ...each, name: soldProductOf(products, each).product.name }));
  // Nothing is drawn before there are days enough for it to say something: until then the first steps are what matters.
  const isClosed = readCookie(visit.request, visit.place, "steps") === formatMerchantId(visit.member.merchantId);
  const shown = isClosed ? null : steps;
  const isDrawn = daysWithSales(days) >= daysLeast;
  return page(
    { title: "Overview", note: momentText(format, now, "full"), barActions: <FirstActions /> },
    <>
      {alerts.length === 0 ? null : (
        <Sheet title="Needs attention" note={String(alerts.length)} isPadded={false}>
          <Alerts alerts={alerts} />
        </Sheet>
      )}
      {shown === null || isDrawn ? null : <FirstSteps steps={shown} />}
      {rows.length === 0 && balance === zeroKobo ? null : (
        <Figures
          figures={figuresOf(visit, {
            now,
            format,
            balance,
            left,
            added,
            days,
            today,
            pending,
            hasSold: rows.length > 0,
          })}
        />
      )}
      {isDrawn ? (
        <div class="columns equal">
          <SalesChart days={days} today={today} />
          <TopProducts products={named} days={productDays} />
        </div>
      ) : null}
      {shown !== null && isDrawn ? <FirstSteps steps={shown} /> : null}
      <Latest rows={rows} hasSteps={shown !== null} />
      {steps !== null && isClosed ? <a href={`?${stepsField}=open`}>Show the first steps</a> : null}
    </>,
  );
}

function FirstActions() {
  const visit = useVisit();
  return (
    <>
      {visit.may("see_money") ? (
        <ButtonLink href={visit.to("wallet")} icon="plus">
          Add money
        </ButtonLink>
      ) : null}
      {visit.may("buy") ? (
        <ButtonLink href={visit.to("buy")} kind="main">
          Sell
        </ButtonLink>
      ) : null}
    </>
  );
}

function Latest({ rows, hasSteps }: { readonly rows: readonly PurchaseRow[]; readonly hasSteps: boolean }) {
  const visit = useVisit();
  if (rows.length === 0 && hasSteps) return null;
  return (
    <Live tableId="latest-transactions">
      <TableSheet
        title="Latest transactions"
        note={rows.length === 0 ? undefined : <a href={visit.to("transactions")}>View all</a>}
        id="latest-transactions"
        caption="Latest transactions, newest first"
        rows={rows}
        columns={purchaseColumns()}
        href={({ purchase }) => purchasePath(visit, purchase.reference)}
        empty={<Empty title="No sales yet">Your first sale appears here the moment it’s made.</Empty>}
      />
    </Live>
  );
}
