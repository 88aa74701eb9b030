import { listMerchantsOf, listWaitingAnnouncements } from "../../../domain/funding/statements/announcement-queries.ts";
import { type ChosenLine, creditLines } from "../../../domain/funding/statements/credit-lines.ts";
import type { KeptLine, LineState } from "../../../domain/funding/statements/line-queries.ts";
import { type MatchedBy, matchLines, type Proposal } from "../../../domain/funding/statements/match-lines.ts";
import { formatMerchantId } from "../../../domain/merchants/merchant.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { type Answer, goTo } from "../../kit/answer.tsx";
import { columnsOf } from "../../kit/columns.tsx";
import { Moment } from "../../kit/parts/text.tsx";
import { states } from "../../kit/states.tsx";
import type { StaffVisit } from "../access.ts";
import { answerRequest } from "../approvals/two-people.ts";
import { changing } from "../audited.ts";
import { providerPath } from "../payments/words.ts";
import type { OperatorServices } from "../services.ts";

export const transfersPath = "/operator/transfers";
/** What merchants announced: more of it at once than any company has. */
const announcedMax = 2_000;

export function linePath(number: number): string {
  return `${transfersPath}/lines/${number}`;
}

export const lineStates = states<LineState>({
  open: ["open", "waiting"],
  credited: ["credited", "good"],
  set_aside: ["set aside", "quiet"],
  settlement: ["settlement", "good"],
});

/** A line with whose it may be. */
export interface LineRow extends KeptLine {
  readonly proposal: Proposal | null;
  /** The merchant that it is of, or may be. */
  readonly name: string | null;
}

export async function withProposals(reads: Queryable, lines: readonly KeptLine[]): Promise<readonly LineRow[]> {
  const open = lines.filter(({ state }) => state === "open");
  const place = { limit: announcedMax, before: null };
  const proposals = matchLines(open, open.length === 0 ? [] : await listWaitingAnnouncements(reads, place));
  const ids = lines.flatMap(({ number, merchantId }) => proposals.get(number)?.merchantId ?? merchantId ?? []);
  const merchants = await listMerchantsOf(reads, [...new Set(ids)]);
  return lines.map((line) => {
    const proposed = proposals.get(line.number);
    const proposal = proposed !== undefined && merchants.has(proposed.merchantId) ? proposed : null;
    const id = proposal?.merchantId ?? line.merchantId;
    return { ...line, proposal, name: id === null ? null : `${merchants.get(id)?.name} (${formatMerchantId(id)})` };
  });
}

/** Whether it can be credited as it is proposed. */
export function isMatched({ proposal, creditId, requestId }: LineRow): boolean {
  return proposal !== null && creditId === null && requestId === null;
}

const matchedWords: Readonly<Record<MatchedBy, string>> = {
  reference: "by its reference",
  amount_and_sender: "by amount and sender",
  amount: "by amount and day alone",
};

const column = columnsOf<LineRow>();

export const lineColumns = [
  column.lead("From", ({ narration }) => narration),
  column.sub("Day", ({ paidOn }) => <Moment at={`${paidOn}T12:00:00Z`} style="day" />),
  column.sub("Merchant", ({ name }) => name ?? "nobody known"),
  column.sub("Why", (row) => <Why {...row} />),
  column.extra("Account", ({ bank, accountNumber }) => `${bank} ${accountNumber}`),
  column.extra("Bank reference", ({ bankReference }) => <code>{bankReference}</code>),
  column.state("State", lineStates, ({ state }) => state),
  column.amount("Amount", ({ amount }) => amount),
];

/** Why it is whose it is, or why it can't be credited. */
export function Why({ proposal, state, creditId, requestId, setAsideBecause, settlementOf }: LineRow) {
  if (state === "credited") return <a href="/operator/money">{`Credit ${creditId}`}</a>;
  if (settlementOf !== null) return <a href={providerPath(settlementOf)}>{`Settlement of ${settlementOf}`}</a>;
  if (state === "set_aside") return <>{setAsideBecause}</>;
  if (creditId !== null) return <>{`Credit ${creditId} has this reference`}</>;
  if (requestId !== null) return <a href={`/operator/approvals/${requestId}`}>{`Request ${requestId}`}</a>;
  return <>{proposal === null ? "no match" : matchedWords[proposal.by]}</>;
}

/** Credits lines, or asks a second person to. */
export async function creditOrAsk(
  services: OperatorServices,
  visit: StaffVisit,
  lines: readonly ChosenLine[],
  doneAt: string,
): Promise<Answer> {
  const { people, creditAloneMax } = services;
  const { person } = visit.session;
  const details = { lines: lines.map(({ number }) => number) };
  const given = { database: changing(services, visit, "console transfers credit", details), clock: people.clock };
  const openChanges = () => Promise.resolve(people);
  const done = await creditLines({ ...given, creditAloneMax, openChanges }, person, lines);
  return done.kind === "booked" ? goTo(doneAt, done.outcome) : answerRequest(done.result, { me: person.id, doneAt });
}
