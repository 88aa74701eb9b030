import type { DifferenceEnd, KeptDifference } from "../../../domain/history/reconciliation/difference-queries.ts";
import {
  type Act,
  checkEnd,
  endDifferences,
  needsTwo,
  openDifferences,
} from "../../../domain/history/reconciliation/end-difference.ts";
import type { Fields } from "../../../domain/staff/change-kinds.ts";
import { type Answer, goTo } from "../../kit/answer.tsx";
import { choice, optional, text } from "../../kit/field-kinds.tsx";
import { fields } from "../../kit/fields.ts";
import { refused, type Form as SentForm, type Typed } from "../../kit/form.ts";
import type { Column } from "../../kit/parts/list.tsx";
import { countText, Money, Status } from "../../kit/parts/text.tsx";
import { matrix, type StaffVisit } from "../access.ts";
import { askForTwo, type TwoPeople } from "../approvals/two-people.ts";
import { changing } from "../audited.ts";
import type { OperatorServices } from "../services.ts";

export const differencesPath = "/operator/reconciliation/differences";

/** What a person may choose, by the value of its button. */
const endNames: Readonly<Record<string, { readonly label: string; readonly hint: string }>> = {
  "ours.fulfil": { label: "We were wrong: end the sale as delivered", hint: "The merchant stays charged." },
  "ours.review": { label: "We were wrong: hold the sale for review", hint: "A person decides it in the review queue." },
  "ours.refund": {
    label: "We were wrong: refund the sale",
    hint: "It wasn’t delivered, and the supplier didn’t charge it. Its price goes back to the merchant.",
  },
  "ours.take_back": {
    label: "We were wrong: take the refund back",
    hint: "It was delivered after all. Its price is taken from the merchant’s wallet.",
  },
  "ours.accept": {
    label: "We were wrong: take their amount as right",
    hint: "Correct the price list or the route too.",
  },
  theirs: { label: "They were wrong: claim it from the supplier", hint: "Write down their case number." },
  written_off: { label: "Write it off", hint: "Nobody pays it back." },
};

const ends = Object.keys(endNames);

const choices = ends.map((value) => ({ value, label: "", hint: "", ...endNames[value] }));

const form = fields({
  end: choice("End", choices, { isRadio: true, unread: "Choose how it ends." }),
  case_number: optional(text("Supplier’s case number, for a claim", { isOptional: false, isCode: true })),
  reason: text("Reason", {
    ...{ rows: 3, hint: "In 10 characters or more: what you found, who said it and when." },
  }),
});

/** How differences end, by what can be done with their sale. */
export function endFields(typed: Typed, acts: readonly Act[]) {
  const isPossible = (end: string) => !end.startsWith("ours.") || acts.some((act) => end === `ours.${act}`);
  return form.draw(typed, null, { end: { choices: choices.filter(({ value }) => isPossible(value)) } });
}

/** The end of differences that moves or waives money. */
export const differenceEnd: TwoPeople = {
  kind: "end difference",
  subjects: ({ differences }) => (Array.isArray(differences) ? differences.map((id) => `difference ${id}`) : []),
  ask: matrix.reconcile.roles,
  approve: ["admin", "finance"],
  by: (services) => ({
    async carryOut(database, { fields: frozen }, approvedBy) {
      const { ids, end } = endIn(frozen, approvedBy?.replace(/^staff:/, "") ?? null);
      await endDifferences({ ...services, database }, ids, end);
      return endedText(ids.length, end);
    },
  }),
};

function endIn(frozen: Fields, approvedBy: string | null): { readonly ids: number[]; readonly end: DifferenceEnd } {
  const { differences, end, reason, by } = frozen;
  if (!Array.isArray(differences) || typeof end !== "string" || !ends.includes(end)) {
    throw refused("This request can’t be read.");
  }
  const given = { reason: String(reason), caseNumber: null, endedBy: String(by), approvedBy };
  return { ids: differences.map(Number), end: { ...namedEnd(end), ...given } };
}

function namedEnd(name: string): Pick<DifferenceEnd, "endedAs" | "act"> {
  const [endedAs, act = null] = name.split(".") as [DifferenceEnd["endedAs"], Act?];
  return { endedAs, act };
}

function endedText(count: number, { endedAs, act }: DifferenceEnd): string {
  const words = endedAs === "ours" ? actNames[act ?? "accept"] : endedNames[endedAs];
  return `${countText(count, "difference")}: ${words}.`;
}

const endedNames = { theirs: "claimed from the supplier", written_off: "written off" } as const;
const actNames: Readonly<Record<Act, string>> = {
  fulfil: "the sale is delivered",
  review: "the sale is in review",
  refund: "the sale is refunded",
  take_back: "the refund is taken back",
  accept: "their amount is right",
};

/** Ends differences, or asks for it. @throws Refusal with what is missing at its field */
export async function endOrAsk(
  services: OperatorServices,
  visit: StaffVisit,
  sent: SentForm,
  ids: readonly number[],
): Promise<Answer> {
  const { person } = visit.session;
  const { end: name, case_number, reason } = form.read(sent);
  const named = namedEnd(name);
  const caseNumber = named.endedAs === "theirs" ? case_number : null;
  const end = { ...named, reason, caseNumber, endedBy: person.email, approvedBy: null };
  checkEnd(end);
  const differences = await openDifferences(services.database, ids);
  if (end.caseNumber !== null && differences.some(({ supplier }) => supplier !== differences[0]?.supplier)) {
    throw refused("One claim is about one supplier. Choose its differences alone.");
  }
  if (!needsTwo(end)) {
    const details = { differences: ids, end: name, case_number: end.caseNumber };
    const database = changing(services, visit, "console difference end", details);
    await endDifferences({ ...services, database }, ids, end);
    return goTo(differencesPath, endedText(ids.length, end));
  }
  const [first] = differences;
  const about =
    ids.length === 1
      ? (first?.reference ?? first?.providerReference ?? "no reference")
      : countText(ids.length, "difference");
  return askForTwo(services, visit, differenceEnd, {
    summary: `${endNames[name]?.label} (${first?.supplier}, ${about})`,
    fields: { differences: [...ids], end: name, reason: end.reason, by: person.email },
    doneAt: differencesPath,
  });
}

export const referenceColumn: Column<Pick<KeptDifference, "reference" | "providerReference">> = {
  title: "Reference",
  cell: ({ reference, providerReference }) => <code>{reference ?? providerReference ?? "none"}</code>,
  place: "lead",
};

export const amountColumns: readonly Column<Pick<KeptDifference, "ours" | "theirs">>[] = [
  { title: "Ours", cell: ({ ours }) => <Amount amount={ours} />, align: "end" },
  { title: "Theirs", cell: ({ theirs }) => <Amount amount={theirs} />, align: "end" },
];

export function Amount({ amount }: { readonly amount: KeptDifference["ours"] }) {
  return amount === null ? <>–</> : <Money amount={amount} />;
}

export function EndOf({ end }: Pick<KeptDifference, "end">) {
  if (end === null) return <Status kind="waiting">open</Status>;
  if (end.endedAs === "theirs") return <Status kind="good">{`claimed: ${end.caseNumber}`}</Status>;
  if (end.endedAs === "written_off") return <Status kind="quiet">written off</Status>;
  return <Status kind="good">{actNames[end.act ?? "accept"]}</Status>;
}
