import { readTimeline } from "../../../domain/history/search/timeline.ts";
import { listSupplierDays, type SupplierDay } from "../../../domain/history/today/risk-queries.ts";
import { listUnread, unreadIdentity } from "../../../domain/resolution/review/unread-queries.ts";
import { listStoredBreakers } from "../../../domain/suppliers/routing/breaker.ts";
import { dayMs } from "../../../kernel/clock.ts";
import type { PageAnswer } from "../../kit/answer.tsx";
import { Copied, customerText } from "../../kit/delivered.tsx";
import { detail } from "../../kit/detail.ts";
import { type Typed, untouched } from "../../kit/form.ts";
import { Facts, Timeline } from "../../kit/parts/data.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { Detail, Sheet } from "../../kit/parts/layout.tsx";
import { countText, currencyText, Moment, Status } from "../../kit/parts/text.tsx";
import { SaleHead, saleStatus } from "../../kit/sale.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { merchantPath } from "../merchants/found-merchant.ts";
import { askSupplier, enterSale, enterSaleLook, type OpenSale, openSale } from "../sales/acting.ts";
import { RawAnswer } from "../sales/raw-answer.tsx";
import { saleSteps } from "../sales/steps.tsx";
import { merchantNames } from "../sales/words.ts";
import type { OperatorServices } from "../services.ts";
import { causeOf, whyText } from "./cause.ts";
import { queuePage } from "./queue.tsx";
import { askForResolution, deliveryFormOf, ResolveForm } from "./resolve.tsx";

const here = "/operator/review";

/** Sales whose end only a person can find out, oldest first, and one of them beside the list. */
export function reviewPages(routes: StaffRoutes, services: OperatorServices): void {
  routes.page(here, { capability: "see_review", show: (visit) => queuePage(services, visit, null) });
  const doneAt = (visit: StaffVisit) => `${here}/${visit.param("id")}`;
  detail(routes, {
    at: `${here}/:id`,
    may: "see_review",
    find: (visit) => openSale(services, visit),
    audit: (visit, sale) => enterSaleLook(services, visit, sale),
    show: (visit, sale, typed) => openPage(services, visit, { sale, typed }),
    actions: {
      ask: ["ask_supplier", (visit, sale) => askSupplier(services, visit, sale, doneAt(visit))],
      answers: ["reveal", (visit, sale) => answersPage(services, visit, sale)],
      resolve: [
        "resolve",
        (visit, sale, form) => askForResolution(services, visit, { sale, form, doneAt: doneAt(visit) }),
      ],
    },
  });
}

async function answersPage(services: OperatorServices, visit: StaffVisit, sale: OpenSale) {
  await enterSale(services, visit, sale, "console sale answers");
  visit.reply.header("cache-control", "no-store");
  return openPage(services, visit, { sale, typed: untouched, answers: await readAnswers(services, sale) });
}

type Answers = readonly { readonly title: string; readonly answer: string }[];

/** To the letter, as a token may be in them that nobody could make out. */
async function readAnswers({ reads, secretBox }: OperatorServices, { purchase }: OpenSale): Promise<Answers> {
  const kept = await listUnread(reads, purchase);
  const place = unreadIdentity(purchase.wallet.merchantId, purchase.id);
  return kept.map(({ attempt, supplier, sealed }) => ({
    title: `${supplier}, attempt ${attempt}`,
    answer: secretBox.open(sealed, place),
  }));
}

interface Opened {
  readonly sale: OpenSale;
  readonly typed: Typed;
  readonly answers?: Answers;
}

async function openPage(services: OperatorServices, visit: StaffVisit, opened: Opened): Promise<PageAnswer> {
  const { sale } = opened;
  const { purchase } = sale;
  const now = services.people.clock.now();
  const { reads, transactionIds } = services;
  const [timeline, fulfilment, names, unread, suppliers, breakers] = await Promise.all([
    readTimeline({ database: reads, transactionIds }, purchase, await services.catalogue.current()),
    deliveryFormOf(services, sale),
    merchantNames(reads, [purchase]),
    listUnread(reads, purchase),
    listSupplierDays(reads, { counted: now - dayMs, spent: now - dayMs }),
    listStoredBreakers(reads),
  ]);
  const merchantName = names.get(purchase.wallet.merchantId) ?? "the merchant";
  const supplier = suppliers.find((each) => each.supplier === purchase.supplier) ?? null;
  const stopped = breakers.filter((each) => each.supplier === purchase.supplier).map(({ category }) => category);
  const action = `${here}/${sale.transactionId}`;
  const isOpen = purchase.status === "pending" && visit.may("resolve");
  const opener = (
    <Detail label={purchase.reference} closeHref={here} listName="Review queue">
      <SaleSheet {...{ sale, merchantName, action, visit, events: timeline.events }} />
      {unread.length === 0 || !visit.may("reveal") ? null : (
        <Answered action={`${action}/answers`} answers={opened.answers ?? null} />
      )}
      {!isOpen ? null : (
        <Sheet title="What happened to it?">
          <ResolveForm action={`${action}/resolve`} {...{ sale, fulfilment, merchantName, typed: opened.typed }} />
          <p class="quiet">The second person has 24 hours. Nothing changes until then.</p>
        </Sheet>
      )}
    </Detail>
  );
  const beside = supplier === null ? null : <SupplierNow {...{ supplier, stopped }} />;
  return queuePage(services, visit, { detail: opener, beside, purchase });
}

interface SaleSheetProps {
  readonly sale: OpenSale;
  readonly merchantName: string;
  readonly action: string;
  readonly visit: StaffVisit;
  readonly events: Parameters<typeof saleSteps>[0];
}

function SaleSheet({ sale, merchantName, action, visit, events }: SaleSheetProps) {
  const { purchase, sold, transactionId } = sale;
  const { wallet, supplier, providerReference } = purchase;
  const isPending = purchase.status === "pending";
  const next = events.find(({ kind }) => kind === "next");
  const number = customerText(purchase.customerRef ?? "");
  return (
    <Sheet title={<span>{isPending ? <Status>In review</Status> : saleStatus(purchase)}</span>}>
      <SaleHead purchase={purchase} product={sold.product}>
        , sold by <a href={merchantPath(wallet.merchantId)}>{merchantName}</a>.
      </SaleHead>
      {next === undefined ? null : <p>{whyText(causeOf(next.evidence), { supplier, number })}.</p>}
      <Facts
        facts={{
          Reference: <Copied text={purchase.reference} subject="the reference" />,
          "Transaction ID": <Copied text={transactionId} subject="the transaction ID" />,
          "Supplier’s ID": providerReference && <Copied text={providerReference} subject="the supplier’s ID" />,
          Charged: <Moment at={purchase.purchasedAt} style="full" />,
        }}
      />
      <Timeline label={`What happened to ${purchase.reference}`} steps={saleSteps(events)} />
      {isPending && supplier !== null && visit.may("ask_supplier") ? (
        <Form action={`${action}/ask`} submit={`Ask ${supplier} again`} kind="plain" size="small" isInline />
      ) : null}
    </Sheet>
  );
}

/** What a supplier answered may hold a token that nobody could make out: it is shown to whoever asks for it, and logged. */
function Answered({ action, answers }: { readonly action: string; readonly answers: Answers | null }) {
  return (
    <Sheet title="The supplier’s whole answers">
      {answers === null ? (
        <>
          <p>They may hold a token or PIN that nobody could make out. We log who views them.</p>
          <Form {...{ action }} submit="Show whole answers" kind="plain" size="small" />
        </>
      ) : (
        answers.map(({ title, answer }) => <RawAnswer key={title} label={title} text={answer} />)
      )}
    </Sheet>
  );
}

function SupplierNow({ supplier, stopped }: { readonly supplier: SupplierDay; readonly stopped: readonly string[] }) {
  const { balance, reportedAt, currency, state } = supplier;
  const name = supplier.supplier;
  const isOff = state !== "enabled";
  return (
    <Sheet title={`${name}, right now`} note={<a href="/operator/suppliers">See suppliers</a>}>
      <Facts
        facts={{
          State: isOff ? (
            <Status kind="stop">Stopped by us</Status>
          ) : stopped.length === 0 ? (
            <Status kind="good">Open</Status>
          ) : (
            <Status kind="bad">{`Stopped by its breaker: ${stopped.join(", ")}`}</Status>
          ),
          "Its balance":
            balance === null || reportedAt === null ? (
              "Balance not reported"
            ) : (
              <>
                {currencyText(balance, currency)} at <Moment at={reportedAt} style="list" />
              </>
            ),
          "Last 24 hours": `${countText(supplier.vended, "delivery", "deliveries")}, ${supplier.declined} declined, ${supplier.unknown} without an answer`,
        }}
      />
    </Sheet>
  );
}
