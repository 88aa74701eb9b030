import type { ListedPayment, PaymentEntry } from "../../../domain/funding/listed-payment-queries.ts";
import { formatPaymentNumber } from "../../../domain/funding/payment.ts";
import type { Instant } from "../../../kernel/clock.ts";
import type { TimelineStep } from "../../kit/parts/data.tsx";
import { countText, Moment, moneyText, sinceText } from "../../kit/parts/text.tsx";
import { personName } from "../audit/audit-words.ts";
import { contradictionEndWords, senderText } from "./words.ts";

interface Happened {
  readonly payment: ListedPayment;
  readonly entries: readonly PaymentEntry[];
  readonly merchantName: string | null;
  /** What its merchant owes by now. */
  readonly debt: bigint;
}

interface Step extends Pick<TimelineStep, "state" | "title"> {
  readonly at: Instant | null;
  readonly detail?: string;
}

/** What happened to a payment, in its order; at the end what is still to come. */
export function paymentSteps({ payment, entries, merchantName, debt }: Happened): readonly TimelineStep[] {
  const { paidAt, provider, receivedAt, receivedBy } = payment;
  const merchant = merchantName ?? "the merchant";
  const begun: Step[] = [
    { at: receivedAt, state: "noted", title: receivedWords[receivedBy](provider) },
    ...(paidAt === null ? [] : [{ at: paidAt, state: "noted" as const, title: sentTitle(payment) }]),
  ];
  const steps: Step[] = [
    ...begun.toSorted((one, other) => (one.at ?? 0) - (other.at ?? 0)),
    ...bookings(entries).map((booking) => bookingStep(booking, merchant)),
    ...laterSteps(payment, merchant, debt),
  ];
  const first = steps[0]?.at ?? null;
  return steps.map(({ at, state, title, detail }, place) => ({
    ...{ state, title, children: detail },
    ...(at === null ? {} : { at: <Moment at={at} style="millisecond" /> }),
    since: place === 0 ? null : sinceText(first, at),
  }));
}

const receivedWords: Readonly<Record<ListedPayment["receivedBy"], (provider: string) => string>> = {
  event: (provider) => `${provider} told of it`,
  list: (provider) => `Found in ${provider}’s list: it told of it by no event`,
  person: () => "A person named it",
};

function sentTitle(payment: ListedPayment): string {
  return `${moneyText(payment.amount ?? 0n)} arrived from ${senderText(payment) ?? "a sender it doesn’t name"}`;
}

/** What was booked at one moment. */
interface Booking {
  readonly at: Instant;
  readonly entries: readonly PaymentEntry[];
}

function bookings(entries: readonly PaymentEntry[]): readonly Booking[] {
  const moments = [...new Set(entries.map(({ at }) => at))];
  return moments.map((at) => ({ at, entries: entries.filter((entry) => entry.at === at) }));
}

function bookingStep({ at, entries }: Booking, merchant: string): Step {
  const moved = (of: (entry: PaymentEntry) => boolean) =>
    entries.filter(of).reduce((sum, { amount }) => sum + amount, 0n);
  const credited = moved(({ credit, debit }) => credit === "funding" && debit !== "debts");
  const suspended = moved(({ credit }) => credit === "suspense");
  const [first] = entries;
  const left =
    first?.balanceAfter == null
      ? {}
      : { detail: `Balance after ${moneyText(first.balanceAfter)}, entry ${first.entry}` };
  if (credited > 0n) {
    const how = entries.some(({ debit }) => debit === "suspense") ? "Matched" : "Verified, and credited";
    return { at, state: "cash", title: `${how} to ${merchant}: +${moneyText(credited)}`, ...left };
  }
  if (suspended > 0n) {
    const detail = "Its account is none of a merchant’s. It waits for a person to match it.";
    return { at, state: "noted", title: `Verified: ${moneyText(suspended)}, and nobody’s`, detail };
  }
  const back = moved(({ credit }) => credit === "provider");
  const debt = moved(({ debit }) => debit === "debts");
  const isNobodys = entries.some(({ debit }) => debit === "suspense");
  if (isNobodys) return { at, state: "failed", title: `${moneyText(back)} went back to its sender` };
  return {
    ...{ at, state: "cash", title: `Taken back: −${moneyText(back)}` },
    detail: [
      ...(left.detail === undefined ? [] : [left.detail]),
      ...(debt === 0n ? [] : [`${moneyText(debt)} was spent by then and became a debt of ${merchant}`]),
    ].join(". "),
  };
}

function laterSteps(payment: ListedPayment, merchant: string, debt: bigint): Step[] {
  const { state, isAnnounced, dueAt, tries, takenBack, number } = payment;
  const requested = tries === 0 ? "Not asked yet" : `Asked ${countText(tries, "time")}`;
  return [
    ...(state === "refused"
      ? [{ at: null, state: "failed" as const, title: "Never became money", detail: requested }]
      : []),
    ...(state === "credited"
      ? [
          isAnnounced
            ? { at: null, state: "done" as const, title: `${merchant} was told`, detail: formatPaymentNumber(number) }
            : { at: null, state: "waiting" as const, title: `${merchant} is told in a moment` },
        ]
      : []),
    ...contradictionSteps(payment),
    ...(takenBack > 0n && debt > 0n
      ? [
          {
            at: null,
            state: "waiting" as const,
            title: `${merchant} owes ${moneyText(debt)} and can’t buy until it’s paid`,
          },
        ]
      : []),
    ...(dueAt === null ? [] : [{ at: dueAt, state: "waiting" as const, title: "Asked again", detail: requested }]),
  ];
}

/** That its provider contradicts it, which has no time of its own, and how a person ended that. */
function contradictionSteps(payment: ListedPayment): Step[] {
  const { provider, contradiction, contradictionEnd: end, contradictionEndedAt: at } = payment;
  if (contradiction === null) return [];
  const said: Step = { at: null, state: "failed", title: `${provider} contradicts it`, detail: contradiction };
  if (end === null) return [said];
  const by = personName(payment.contradictionEndedBy ?? "");
  const detail = `${payment.contradictionNote} (${by})`;
  return [said, { at, state: "done", title: `Ended: ${contradictionEndWords[end].toLowerCase()}`, detail }];
}
