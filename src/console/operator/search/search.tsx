import { findPaymentCalled } from "../../../domain/funding/listed-payment-queries.ts";
import { codesAmong } from "../../../domain/history/search/code-end-queries.ts";
import { endDigits, findAnything, salesMax } from "../../../domain/history/search/find-anything.ts";
import { countOne, quietThrottle } from "../../../domain/identity/people/throttle.ts";
import { formatMerchantId } from "../../../domain/merchants/merchant.ts";
import { codeEndDigits } from "../../../domain/purchases/fulfilment/code-ends.ts";
import { hourMs } from "../../../kernel/clock.ts";
import { readNumber } from "../../../kernel/phone.ts";
import { type Answer, goTo, page } from "../../kit/answer.tsx";
import { queryText } from "../../kit/list-page.tsx";
import { Empty, Sheet } from "../../kit/parts/layout.tsx";
import { TableSheet } from "../../kit/parts/list.tsx";
import { grouped, Status } from "../../kit/parts/text.tsx";
import { lastDigits } from "../../kit/visit.ts";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { enterLook } from "../audited.ts";
import { merchantPath } from "../merchants/found-merchant.ts";
import { paymentPath } from "../payments/words.ts";
import { saleColumns } from "../sales/sales.tsx";
import { merchantNames, salePath } from "../sales/words.ts";
import type { OperatorServices } from "../services.ts";

const here = "/operator/search";
/** By trying ends of codes somebody would learn which there are. */
const codesAnHour = 20;

/** One box for whatever a caller says; what is the only hit is opened at once. */
export function searchPages(routes: StaffRoutes, services: OperatorServices): void {
  routes.page(here, { capability: "look", show: (visit) => searchPage(services, visit) });
}

async function searchPage(services: OperatorServices, visit: StaffVisit): Promise<Answer> {
  const text = queryText(visit.query, "q");
  if (text === "") return emptyPage("Search for anything a caller says");
  const { reads, transactionIds, people, secretBox } = services;
  await enterLook(services, visit, "console search", { q: lastDigits(text) });
  let isLocked = false;
  const findCode = async () => {
    if (!visit.may("find_by_code")) return false;
    const throttle = { ...quietThrottle("code search", visit.session.person.id, hourMs), max: codesAnHour };
    isLocked = (await countOne(people.database, people.clock, throttle)) === null;
    return !isLocked;
  };
  const { sales, merchants, hasMore } = await findAnything(
    { database: reads, transactionIds, clock: people.clock, secretBox },
    text,
    { findCode, seeMoney: visit.may("see_money") },
  );
  const [sale, merchant] = [sales[0], merchants[0]];
  if (sales.length + merchants.length === 1) {
    if (sale !== undefined) return goTo(salePath(transactionIds, sale));
    if (merchant !== undefined) return goTo(merchantPath(merchant.id));
  }
  if (sales.length + merchants.length === 0) {
    const payment = visit.may("see_payments") ? await findPaymentCalled(reads, text) : null;
    if (payment !== null) return goTo(paymentPath(payment));
    return emptyPage(
      isLocked
        ? `You searched ${codesAnHour} codes in an hour. Wait, or search by the reference`
        : `No results for “${text}”`,
    );
  }
  const names = await merchantNames(reads, sales);
  const products = await services.catalogue.current();
  return page(
    { title: "Search", note: `What matches “${text}”` },
    <>
      {merchants.length === 0 ? null : (
        <TableSheet
          title="Merchants"
          rows={merchants}
          href={({ id }) => merchantPath(id)}
          columns={[
            { title: "Merchant", cell: ({ name }) => name, place: "lead" },
            { title: "ID", cell: ({ id }) => formatMerchantId(id), place: "sub" },
            { title: "Email", cell: ({ email }) => email, place: "sub" },
            { title: "State", cell: ({ status }) => <Status>{status}</Status>, place: "state" },
          ]}
        />
      )}
      {sales.length === 0 ? null : (
        <TableSheet
          title="Transactions"
          note={
            hasMore ? (
              <a href={`/operator/sales?customer=${encodeURIComponent(readNumber(text))}`}>See all</a>
            ) : sales.length < salesMax ? undefined : (
              `The newest ${salesMax}`
            )
          }
          caption="Transactions, newest first"
          rows={sales}
          href={(purchase) => salePath(transactionIds, purchase)}
          columns={saleColumns(products, names)}
        />
      )}
    </>,
  );
}

function emptyPage(title: string) {
  return page(
    { title: "Search" },
    <Sheet>
      <Empty title={title} icon="search">
        References, transaction IDs, phones, meters, smartcards, suppliers’ IDs, emails, merchants’ names and IDs are
        found whole, and so are payments by their numbers, session IDs and providers’ IDs, and bank references, by
        whoever sees those. Of a merchant’s name a part is enough. A supplier’s own ID is searched in the last 7 days.
        Among the newest {grouped(codesAmong)} live sales these are enough: the last {endDigits.min} to {endDigits.max}{" "}
        digits of a phone or meter, the last {codeEndDigits} of a token or PIN, a part of the name that a merchant saved
        the number under, a receipt’s number, and a reference in any case.
      </Empty>
    </Sheet>,
  );
}
