import type { ComponentChildren } from "preact";
import type { TimelineEvent } from "../../../domain/history/search/timeline.ts";
import type { Json } from "../../../kernel/json.ts";
import type { TimelineStep } from "../../kit/parts/data.tsx";
import { Moment, moneyText, signedMoney, sinceText, spoken } from "../../kit/parts/text.tsx";
import { causeOf, whyText } from "../review/cause.ts";
import { isExchange, RawAnswer } from "./raw-answer.tsx";

/** What happened to a sale, for the company's people: with suppliers' names and words, masked where they were read. */
export function saleSteps(events: readonly TimelineEvent[]): readonly TimelineStep[] {
  const first = events[0]?.at ?? null;
  return events.map((event, place) => {
    const { state, title, detail = null } = wordsOf(event);
    return {
      state,
      title,
      at: event.at === null ? undefined : <Moment at={event.at} style="millisecond" />,
      since: place === 0 ? null : sinceText(first, event.at),
      children:
        detail === null && event.evidence === null ? undefined : (
          <>
            {detail}
            {event.evidence === null ? null : <Evidence of={event} evidence={event.evidence} />}
          </>
        ),
    };
  });
}

/** An exchange is told in a sentence, and stands folded below it; anything else is short as it is. */
function Evidence({ of: { facts }, evidence }: { readonly of: TimelineEvent; readonly evidence: string }) {
  if (!isExchange(evidence)) return <blockquote class="said">{evidence}</blockquote>;
  return (
    <>
      <p>{whyText(causeOf(evidence), { supplier: text(facts.supplier), number: "" })}</p>
      <RawAnswer label="What was sent and answered" text={evidence} />
    </>
  );
}

interface Words {
  readonly state: TimelineStep["state"];
  readonly title: ComponentChildren;
  readonly detail?: string | null;
}

function wordsOf({ kind, facts, what }: TimelineEvent): Words {
  switch (kind) {
    case "request":
      return {
        state: "done",
        title: `Request: ${text(facts.quantity)} × ${text(facts.product)}`,
        detail: listed([
          facts.customer,
          `by ${text(facts.channel)}`,
          `${moneyText(text(facts.total))} ${spelledMoney(text(facts.price))}`,
          ...requestWords(facts),
        ]),
      };
    case "wallet":
      return {
        state: "cash",
        title: `${entryNames[text(facts.entry_kind)] ?? text(facts.entry_kind)}: ${signedMoney(text(facts.delta))}`,
        detail: `Balance after ${moneyText(text(facts.balance_after))}, entry ${text(facts.entry)}`,
      };
    case "attempt":
      return attemptWords(facts);
    case "callback":
      return { state: "noted", title: `${text(facts.supplier)} called back: ${text(facts.said)}` };
    case "incident":
      return {
        state: "noted",
        title: `Incident: ${spoken(text(facts.incident)).toLowerCase()}`,
        detail: listed([`attempt ${text(facts.attempt)}`, facts.supplier, facts.source]),
      };
    case "end":
      return facts.status === "successful"
        ? { state: "done", title: "Delivered" }
        : { state: "failed", title: "Failed", detail: text(facts.error_code) };
    case "webhook":
      return webhookWords(facts);
    case "next":
      return {
        state: "waiting",
        detail: listed([
          facts.supplier === null ? null : `Attempt ${text(facts.attempt)} at ${text(facts.supplier)}`,
          facts.chosen_as,
          facts.cost === null || facts.cost === undefined ? null : `costs us ${moneyText(text(facts.cost))}`,
        ]),
        title: facts.step === "review" ? "In review: waits for a person" : capital(what),
      };
  }
}

type Facts = TimelineEvent["facts"];

const entryNames: Readonly<Record<string, string>> = {
  purchase: "Merchant charged",
  refund: "Refunded",
  reversal: "Refunded later",
  goodwill: "Refunded as goodwill",
};

/** What came in, from where, and what we answered; nothing of a sale that came in no request, or long ago. */
function requestWords(facts: Facts): readonly (string | null)[] {
  if (!("request" in facts)) return [];
  const answer = facts.http_status === null ? "closed before our answer" : `answered ${text(facts.http_status)}`;
  return [
    text(facts.request),
    facts.address === null ? null : `from ${text(facts.address)}`,
    `${answer}${facts.code === null ? "" : ` ${text(facts.code)}`} after ${text(facts.duration_ms)} ms`,
    `request ${text(facts.request_id)}`,
  ];
}

/** A sentence whose last word may be an amount. */
function spelledMoney(sentence: string): string {
  return sentence.replace(/\d+\.\d\d$/, (amount) => moneyText(amount));
}

/** Why the route was chosen stands with the attempt by it. */
function attemptWords(facts: Facts): Words {
  const isVended = facts.verdict === "vended";
  return {
    state: isVended ? "done" : "failed",
    title: `${text(facts.supplier)} ${isVended ? "delivered" : "declined"}`,
    detail: listed([
      `Attempt ${text(facts.attempt)}`,
      facts.chosen_as,
      facts.supplier_code === null ? null : `its code ${text(facts.supplier_code)}`,
      facts.cost === null ? null : `costs us ${moneyText(text(facts.cost))}`,
      `our reference there ${text(facts.our_reference_there)}`,
      facts.their_reference === null ? null : `its ID ${text(facts.their_reference)}`,
    ]),
  };
}

function webhookWords(facts: Facts): Words {
  const event = text(facts.event);
  if ("is_next" in facts) return { state: "waiting", title: `Next try of webhook ${event} to ${text(facts.endpoint)}` };
  if (!("url" in facts)) return { state: "noted", title: `Webhook ${event} stored for ${text(facts.endpoint)}` };
  const status = Number(facts.http_status ?? 0);
  return {
    state: status >= 200 && status < 300 ? "done" : "failed",
    title: `Webhook ${event}: ${text(facts.error ?? facts.http_status)}`,
    detail: listed([`attempt ${text(facts.attempt)}`, facts.url, `${text(facts.duration_ms)} ms`]),
  };
}

function listed(parts: readonly (Json | undefined)[]): string {
  return capital(
    parts
      .filter((part) => part !== null && part !== undefined && part !== "")
      .map(String)
      .join(" · "),
  );
}

function text(value: Json | undefined): string {
  return value === null || value === undefined ? "" : String(value);
}

function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
