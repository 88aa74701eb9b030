import {
  foundMax,
  type ListedPayment,
  listPaymentNumbers,
  listPayments,
  numberMax,
  type PaymentFilter,
} from "../../../domain/funding/listed-payment-queries.ts";
import { formatPaymentNumber } from "../../../domain/funding/payment.ts";
import { listPaymentProviders } from "../../../domain/funding/provider-queries.ts";
import { listMerchantNames } from "../../../domain/history/today/risk-queries.ts";
import { formatMerchantId, parseMerchantId } from "../../../domain/merchants/merchant.ts";
import { wholeNumber } from "../../../kernel/typed-text.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { columnsOf, type ListColumn } from "../../kit/columns.tsx";
import { list } from "../../kit/list.tsx";
import { choiceFilter, findFilter, type ListQuery, periodFilters, textFilter } from "../../kit/list-page.tsx";
import { optionsOf } from "../../kit/offer-filters.ts";
import { Flash } from "../../kit/parts/form.tsx";
import { ButtonLink, Empty } from "../../kit/parts/layout.tsx";
import { grouped, Money } from "../../kit/parts/text.tsx";
import { lastDigits } from "../../kit/visit.ts";
import type { StaffRoutes } from "../access.ts";
import { enterLook } from "../audited.ts";
import type { OperatorServices } from "../services.ts";
import {
  accountText,
  paymentPath,
  paymentStates,
  paymentsPath,
  providersPath,
  type ShownState,
  senderText,
  shownState,
} from "./words.ts";

/** A payment with the name of the merchant that it was credited to. */
export type PaymentRow = ListedPayment & { readonly merchantName: string | null };

const column = columnsOf<PaymentRow>();
/** A spreadsheet takes about a million lines. */
const fileMax = 500_000;
const filePortion = 1_000;

/** Every transfer that a payment provider told of, whatever became of it. */
export function paymentListPages(routes: StaffRoutes, services: OperatorServices): void {
  const { reads } = services;
  list(routes, {
    at: paymentsPath,
    may: "see_payments",
    title: "Payments",
    filters: () => readFilters(services),
    placeIn: wholeNumber,
    async read({ visit, values, before, limit }) {
      if (values.q !== null) await enterLook(services, visit, "console search", { q: lastDigits(values.q) });
      const filter = await filterOf(reads, values);
      const rows = await withNames(reads, await listPayments(reads, filter, { below: before ?? numberMax, limit }));
      const isCut = (filter.numbers?.length ?? 0) > foundMax - 1;
      return {
        rows,
        above: isCut ? (
          <Flash kind="waiting">{`More than ${grouped(foundMax)} senders have a name like that. Type more of it.`}</Flash>
        ) : null,
      };
    },
    place: ({ number }) => number,
    href: ({ number }) => paymentPath(number),
    columns: () => paymentColumns,
    csv: {
      ...{ from: services, may: "see_money", what: "payments" },
      rows: async ({ values }) => filePortions(reads, await filterOf(reads, values)),
    },
    note: "Transfers to merchants’ receiving accounts",
    caption: "Payments, newest first",
    actions: () => <ButtonLink href={providersPath}>Payment providers</ButtonLink>,
    empty: (
      <Empty title="No payments yet" icon="wallet">
        Transfers appear here as soon as a payment provider tells of them.
      </Empty>
    ),
    noneFits: { title: "No payments match these filters", text: "Clear a filter, or choose a longer period." },
  });
}

async function readFilters({ reads, people, wallTime }: OperatorServices) {
  const providers = await listPaymentProviders(reads);
  const { options = [], ...state } = paymentStates.filter("State");
  return {
    q: findFilter("Payment, provider’s ID, session ID, sender"),
    state: choiceFilter("State", [...options, ...marks], (text) => markIn(text) ?? state.read(text)),
    provider: choiceFilter("Provider", optionsOf(providers.map(({ name }) => name))),
    merchant: textFilter("Merchant", "mer_17", parseMerchantId),
    ...periodFilters({ wallTime, clock: people.clock }, (instant) => instant),
  };
}

/** What some payments are besides their state. */
const marks = [
  { value: "owed", label: "Taken back, owed" },
  { value: "contradicted", label: "Contradicted by its provider" },
] as const;
type Mark = (typeof marks)[number]["value"];

function markIn(text: string): Mark | null {
  return marks.find(({ value }) => value === text)?.value ?? null;
}

type PaymentValues = ListQuery<Awaited<ReturnType<typeof readFilters>>>["values"];

async function filterOf(db: Queryable, values: PaymentValues): Promise<PaymentFilter> {
  const { q, state, provider, merchant: merchantId, days, from, to } = values;
  return {
    ...{ provider, merchantId, from: from ?? days, before: to, ...stateFilter(state) },
    ...{ isOwed: state === "owed", isContradicted: state === "contradicted" },
    numbers: q === null ? null : await listPaymentNumbers(db, q),
  };
}

function stateFilter(state: ShownState | Mark | null): Pick<PaymentFilter, "state" | "wasTakenBack"> {
  if (state === null || state === "contradicted") return { state: null, wasTakenBack: null };
  if (state === "owed" || state === "taken_back") return { state: null, wasTakenBack: true };
  return { state, wasTakenBack: false };
}

export async function withNames(db: Queryable, payments: readonly ListedPayment[]): Promise<PaymentRow[]> {
  const ids = payments.flatMap(({ merchantId }) => merchantId ?? []);
  const names = ids.length === 0 ? new Map() : await listMerchantNames(db, ids);
  return payments.map((payment) => ({
    ...payment,
    merchantName: payment.merchantId === null ? null : (names.get(payment.merchantId) ?? null),
  }));
}

async function* filePortions(db: Queryable, filter: PaymentFilter) {
  let below = numberMax;
  for (let written = 0; written < fileMax; written += filePortion) {
    const payments = await listPayments(db, filter, { below, limit: filePortion });
    if (payments.length > 0) yield withNames(db, payments);
    const last = payments.at(-1);
    if (payments.length < filePortion || last === undefined) return;
    below = last.number;
  }
}

export const paymentColumns: readonly ListColumn<PaymentRow>[] = [
  column.when("Time", ({ receivedAt }) => receivedAt, { heading: "heard_at" }),
  column.lead("Sender", (payment) => senderText(payment) ?? formatPaymentNumber(payment.number), {
    payment: ({ number }) => formatPaymentNumber(number),
    sender_name: ({ sender }) => sender?.name ?? null,
    sender_bank: ({ sender }) => sender?.bank ?? null,
    sender_account: ({ sender }) => sender?.accountNumber ?? null,
    session_id: ({ sender }) => sender?.sessionId ?? null,
    narration: ({ sender }) => sender?.narration ?? null,
  }),
  column.sub("Merchant", ({ merchantName, merchantId }) => merchantName ?? (merchantId === null ? "Nobody’s" : ""), {
    merchant: ({ merchantId }) => (merchantId === null ? null : formatMerchantId(merchantId)),
    merchant_name: ({ merchantName }) => merchantName,
  }),
  column.sub("To account", accountText, {
    account_number: ({ accountNumber }) => accountNumber,
    account_reference: ({ accountReference }) => accountReference,
  }),
  column.extra("Provider", ({ provider }) => provider, {
    provider: ({ provider }) => provider,
    provider_id: ({ paymentId }) => paymentId,
  }),
  {
    ...column.plain("Amount", ({ amount }) => (amount === null ? "–" : <Money amount={amount} />), {
      amount: ({ amount }) => amount,
      fee: ({ fee }) => fee,
      credited: ({ credited, merchantId }) => (merchantId === null ? null : credited),
      taken_back: ({ takenBack }) => takenBack,
    }),
    place: "amount",
  },
  {
    ...column.state("State", paymentStates, shownState),
    file: { state: shownState, paid_at: ({ paidAt }, wallTime) => (paidAt === null ? null : wallTime.format(paidAt)) },
  },
];
