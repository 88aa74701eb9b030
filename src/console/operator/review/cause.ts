import { maskedWords } from "../../../domain/history/search/timeline.ts";

const wordsMax = 100;

/** What a supplier made of a sale that waits for a person, as far as its last answer tells; as the end of a sentence. */
const happenings = {
  sold_before: "sent what another sale got",
  delivered: "says it delivered",
  declined: "says it didn’t deliver",
  pending: "says it’s still pending",
  contradicted: "declined, but an earlier supplier says it delivered",
  another: "answered about another sale",
  unstored: "answered what we can’t store",
  unreadable: "answered what we can’t read",
  failing: "answered with an error",
  silent: "never answered",
  unnamed: "gave no ID to ask by",
  by_hand: "leaves it to a person",
  other: "answered",
} as const;

export interface Cause {
  readonly kind: keyof typeof happenings;
  /** The supplier's own, shortened, secrets masked; null where it said none. */
  readonly words: string | null;
}

/** What our own words beside an answer say. */
const notes: readonly (readonly [RegExp, Cause["kind"]])[] = [
  [/was sold before, with/, "sold_before"],
  [/an earlier supplier has said something else/, "contradicted"],
  [/; of another purchase: /, "another"],
  [/cannot be stored/, "unstored"],
  [/^nothing to ask by/, "unnamed"],
  [/ waits for a person$/, "by_hand"],
];

/** Of several words the worst counts: `"status":"success"` may say that the question was understood. */
const states: readonly (readonly [RegExp, Cause["kind"]])[] = [
  [/fail|declin|reject|revers|refund|cancel|unsuccess|\bnot\b.{0,12}(deliver|success|complet)/i, "declined"],
  [/pend|progress|processing|being processed|queue|initiat|await|on.?hold/i, "pending"],
  [/success|deliver|complete|vended|fulfil/i, "delivered"],
];
const stateField = /"[^"]*(?:status|state)[^"]*"\s*:\s*"([^"]*)"/gi;
/** Where suppliers put their sentence. */
const sentence = /"(?:[a-z_]*description|message|error|reason|msg|remark)"\s*:\s*"([^"]+)"/i;

/** What the last answer of a sale's supplier tells: evidence as connectors write it, or words of our own. */
export function causeOf(answer: string | null): Cause {
  if (answer === null) return { kind: "silent", words: null };
  // Of several questions the last one counts.
  const reply = (answer.split(" -> ").at(-1) ?? "").replace(/ \(\d+ ms\)/, "");
  const said = sentence.exec(reply)?.[1] ?? (answer.includes(" -> ") ? null : answer);
  const words = said === null ? null : short(maskedWords(said));
  const [, ours = null] = notes.find(([text]) => text.test(answer)) ?? [];
  if (ours !== null) return { kind: ours, words: ours === "by_hand" ? null : words };
  if (/^(silent|unsent): |^none within the deadline/.test(reply)) return { kind: "silent", words: null };
  if (/^5\d\d /.test(reply)) return { kind: "failing", words: words ?? reply.slice(0, 3) };
  if (/^\d{3} \d+ characters, not JSON/.test(reply)) return { kind: "unreadable", words: null };
  const fields = [...reply.matchAll(stateField)].map(([, value]) => value).join(" ");
  const [kind = "other"] = [fields, words ?? ""].flatMap((text) => {
    const [, state = null] = states.find(([shape]) => shape.test(text)) ?? [];
    return state ?? [];
  });
  return { kind, words };
}

function short(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > wordsMax ? `${line.slice(0, wordsMax - 1)}…` : line;
}

/** Why a sale waits, in a sentence: `vtpass says it delivered for …4567: “TRANSACTION SUCCESSFUL”`. */
export function whyText(
  { kind, words }: Cause,
  { supplier, number }: { readonly supplier: string | null; readonly number: string },
): string {
  const of = number === "" ? "" : ` for ${number}`;
  return `${supplier ?? "Nobody"} ${happenings[kind]}${of}${words === null ? "" : `: “${words}”`}`;
}

/** The same for all sales to which the same happened: without what each answer has of its own. */
export function causeText({ kind, words }: Cause): string {
  const happened = happenings[kind].replace(/^./, (first) => first.toUpperCase());
  return kind === "other" && words !== null ? `${happened}: “${words.replaceAll(/\S*\d\S*/g, "…")}”` : happened;
}

/** Whether its supplier, or one before, says that it delivered: to give the money back may then pay for it twice. */
export function isSaidDelivered({ kind, words }: Cause): boolean {
  return ["delivered", "sold_before", "contradicted"].includes(kind) || words?.startsWith("vended") === true;
}
