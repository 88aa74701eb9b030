import type { Json, JsonObject } from "../kernel/json.ts";

type TokenType = "kct1" | "kct2" | "main" | "bonus";

/** A token as the customer types it into the meter: 20 digits. */
export interface MeterToken {
  readonly type: TokenType;
  readonly value: string;
}

/** What a label says of the digits behind it. `kct`: one of the two. `foreign`: some other token. `id`: no token at all. */
type Role = TokenType | "kct" | "foreign" | "id";

/** Words of a label that name the token itself, and those that add nothing to it. One that is on neither list may. */
const naming = "tokens?|tok|pins?|code|voucher|sts|metertoken|purchasedcode";
const adding = `${naming}|main|standard|std|normal|regular|credits?|energy|electric(?:ity)?|power|prepaid|postpaid|purchased?|meter|recharge|vend(?:ing|ed)?|new|generated|issued|units?|value|val|number|num|no|nos|numeric|raw|digits?|formatted|response|details?|info|data|list|items?|results?|content|all|object|type|name|you|your|ur|the|this|here|a|is|are|was|as|has|have|been|of|for|my|customer|dear|hello|hi|successful(?:ly)?|success|and|to|load|loaded|please|below|following|kwh|ikedc|ekedc|aedc|phed|ibedc|eedc|kedco|bedc|jed|kaedco|yedc`;
const names = new RegExp(`(?:${naming})`);
const namesNothingElse = new RegExp(`^(?:${adding})*$`);
const idAtEnd =
  /(?:reference|ref|receipt|rct|invoice|account|acct|phone|msisdn|mobile|serial|sgc|krn|date|time|uniqueelement|session|ident|(?<!your|the)meter)(?:numbers?|num|nos?|ids?)?$|^(?:\w*(?:transaction|trans|txn|trx|request|order|customer|message|external|provider|vendor|user|product|payment|purchase|batch|token))?ids?$|^\w*(?:transaction|txn|trx|request|order)(?:number|no)$/;
const bonusWords = /bonus|bsst|fbe|free/;
const keyChange = /kct|key(?:change|token)|change(?:of)?key|rekey|reset|config/;
const others =
  /tamper|clear|limit|test|debt|arrear|refund|demo|old|previous|last|expired?|used|cancel|revers|void|invalid/;

function roleOf(label: string): Role | null {
  const word = lettersOf(label);
  if (word === "" || word.length > 80) return null;
  const [isBonus, isKey] = [bonusWords.test(word), keyChange.test(word)];
  if (isBonus || isKey) return (isBonus && isKey) || others.test(word) ? "foreign" : isBonus ? "bonus" : keyOf(label);
  if (idAtEnd.test(word)) return "id";
  if (!names.test(word)) return others.test(word) ? "foreign" : null;
  return namesNothingElse.test(word) ? "main" : "foreign";
}

function lettersOf(label: string): string {
  return label.toLowerCase().replace(/[^a-z]/g, "");
}

/** `KCT1`, `Key Change Token (2)`, `1st KCT`, `Reset`, `Configure`. */
function keyOf(label: string): Role {
  const letters = label.toLowerCase();
  const isFirst = /1|first|one|reset/.test(letters);
  const isSecond = /2(?!0)|second|two|config/.test(letters);
  if (isFirst && isSecond) return "foreign";
  if (!isFirst && !isSecond) return /[3-9]/.test(letters) ? "foreign" : "kct";
  return isFirst ? "kct1" : "kct2";
}

/** Digits where a token may stand, with all that is said of them, the nearest first. */
interface Found {
  /** 20 of them; none where they are too many or too few. */
  readonly digits: string;
  readonly labels: readonly string[];
}

/**
 * The tokens of an answer, in the order in which they are entered, whatever their fields are called and however their
 * text puts them. `missing`: it holds none. `unclear`: it holds digits of which nobody says for certain what they are, or
 * two tokens of one kind: a person must look, as a wrong token is worse than none.
 */
export function tokensIn(
  answer: Json,
  known: readonly (string | null)[] = [],
): readonly MeterToken[] | "missing" | "unclear" {
  const found = collect(answer, { labels: [], known, isPiece: false });
  if (found === null) return "unclear";
  const byValue = new Map<string, Role | null>();
  for (const { digits, labels } of found) {
    const role = decided(labels);
    if (role !== null && role !== "id" && role !== "foreign" && digits === "") return "unclear";
    if (/^0*$/.test(digits)) continue;
    const before = byValue.get(digits);
    const merged = before === undefined ? role : sameRole(before, role);
    if (merged === undefined) return "unclear";
    byValue.set(digits, merged);
  }
  return inEntryOrder([...byValue].filter(([, role]) => role !== "id"));
}

/** What two mentions of the same digits say; undefined where they contradict each other. */
function sameRole(one: Role | null, other: Role | null): Role | null | undefined {
  if (one === other || other === null) return one;
  if (one === null) return other;
  const [key] = [one, other].filter((role) => role === "kct1" || role === "kct2");
  return key !== undefined && (one === "kct" || other === "kct") ? key : undefined;
}

function inEntryOrder(all: readonly (readonly [string, Role | null])[]): readonly MeterToken[] | "missing" | "unclear" {
  if (all.length === 0) return "missing";
  const of = (...roles: readonly Role[]) => all.filter(([, role]) => role !== null && roles.includes(role));
  const [unnumbered, main, bonus] = [of("kct"), of("main"), of("bonus")];
  // The two of one list are entered in its order. One alone, or beside numbered ones, is a guess.
  const isPair = unnumbered.length === 2 && of("kct1", "kct2").length === 0;
  const first = isPair ? unnumbered.slice(0, 1) : of("kct1");
  const second = isPair ? unnumbered.slice(1) : of("kct2");
  const isWhole = first.length + second.length + main.length + bonus.length === all.length;
  if (!isWhole || main.length > 1 || first.length > 1 || second.length > 1 || bonus.length > 7) return "unclear";
  if (main.length === 0) return "unclear";
  const typed = (type: TokenType, list: typeof all) => list.map(([value]) => ({ type, value }));
  return [...typed("kct1", first), ...typed("kct2", second), ...typed("main", main), ...typed("bonus", bonus)];
}

/** What kind of token a label names stands before what says only that it is a token. */
function decided(labels: readonly string[]): Role | null {
  const roles = labels.map(roleOf).filter((role) => role !== null);
  const special = new Set(roles.filter((role) => role === "kct1" || role === "kct2" || role === "bonus"));
  if (special.size > 1 || (special.has("bonus") && roles.includes("kct"))) return "foreign";
  const [only] = special;
  if (roles[0] === "foreign" || (roles[0] === "id" && only === undefined)) return roles[0];
  return only ?? (roles.includes("kct") ? "kct" : (roles.find((role) => role === "main" || role === "id") ?? null));
}

interface Place {
  readonly labels: readonly string[];
  /** The customer's numbers, which stand in many texts. */
  readonly known: readonly (string | null)[];
  /** Of a list, or of what is called a token: then what it says of its kind counts, whatever that is. */
  readonly isPiece: boolean;
}

const depthMax = 10;
const kindName = /^(token)?[_ -]?(?:type|kind|name|label|title|key|desc|description|class|category)$/i;

/** Null where a text cannot be told apart into labels and digits. */
function collect(value: Json, place: Place, depth = 0): readonly Found[] | null {
  if (typeof value === "string") return inText(plainText(value), place);
  if (typeof value === "number") {
    // `2.6e19`: digits that nobody told.
    return Math.abs(value) < 1e15 ? inText(plainText(String(value)), place) : [{ digits: "", labels: place.labels }];
  }
  if (typeof value !== "object" || value === null || depth === depthMax) return [];
  if (Array.isArray(value)) {
    return together(value.map((item: Json) => collect(item, { ...place, isPiece: true }, depth + 1)));
  }
  const fields = Object.entries(value as JsonObject);
  const kinds = fields.flatMap(([name, received]) => kindsIn(name, received, place));
  return together(
    fields.map(([name, inner]) => {
      const isPiece = ["main", "kct"].includes(roleOf(name) ?? "");
      return collect(inner, { ...place, isPiece, labels: [...kinds, name, ...place.labels] }, depth + 1);
    }),
  );
}

/** `{ type: "KCT1", value: … }`: what one field says of the others. */
function kindsIn(name: string, received: Json, { isPiece }: Place): readonly string[] {
  const [isKind, ofToken] = kindName.exec(name) ?? [];
  if (isKind === undefined || typeof received !== "string" || /[0-9]{6}/.test(received)) return [];
  const role = roleOf(received);
  if (role === null && (isPiece || ofToken !== undefined) && !namesNothingElse.test(lettersOf(received)))
    return ["odd token"];
  return role === "main" || role === "foreign" ? (isPiece || ofToken !== undefined ? [received] : []) : [received];
}

function together(parts: readonly (readonly Found[] | null)[]): readonly Found[] | null {
  return parts.some((part) => part === null) ? null : parts.flatMap((part) => part ?? []);
}

const date =
  /(?<![\d-])\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?)?(?![\d-])|(?<![\d/])\d\d?\/\d\d?\/\d{2,4}(?![\d/])/g;
const amount = /(?<![\d.-])\d[\d,]{0,12}\.\d{1,4}(?:\s*kwh)?(?![\d.-])/gi;
const saysNothing =
  /(?:kct|key|bonus|bsst|reset|config|token)[a-z _()]{0,20}[0-9]?\)?\s*[:=]\s*(?:n\/?a|null|none|nil|-+)(?![a-z0-9-])/gi;

/** Without tags and marks, with one kind of dash and of blank; amounts and dates, which are no tokens, are a mark. */
function plainText(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/<[^<>]{1,60}>|\\[nrt]/g, "\n")
    .replace(/&nbsp;|[^\S\n]/g, " ")
    .replace(/\p{Cf}/gu, "")
    .replace(/[\p{Pd}\u2212]/gu, "-")
    .replace(saysNothing, "|")
    .replace(date, "|")
    .replace(amount, "|");
}

const run = /(?<![a-z0-9])[0-9]+(?:(?: ?[-._/] ?| {1,3})[0-9]+)*/gi;
const shortDigits = 6;
const countedName = /val|am(?:oun)?t|units?/i;

function runsIn(text: string): readonly Run[] {
  return [...text.matchAll(run)]
    .map((match) => runOf(match, text))
    .filter(({ digits }) => digits.length >= shortDigits);
}

/** `Token for meter 45012345678: …` without the customer's own number. */
function withoutNumber(text: string, number: string | null): string {
  if (number === null || !/^[0-9]{6,}$/.test(number) || !text.includes(number)) return text;
  const named = `(?:(?:for|of|on|to)\\s+)?(?:(?:your|the)\\s+)?(?:(?:meter|phone|account)\\s*)?(?:(?:number|no)\\b\\.?\\s*)?[:#-]?\\s*`;
  return text.replace(new RegExp(`${named}(?<![0-9])${number}(?![0-9])`, "gi"), " ");
}

function inText(given: string, { labels, known }: Place): readonly Found[] | null {
  const cleared = known.reduce(withoutNumber, given);
  const hasToken = runsIn(cleared).some(({ tokens }) => tokens.length > 0);
  // Where nothing else is told, it stands in the token's place.
  const text = hasToken ? cleared : given;
  const runs = runsIn(text);
  const said = runs.map((one, n) => saidOf(text, one, { before: runs[n - 1], after: runs[n + 1] }));
  if (hasToken && said.some((one) => one === null)) return null;
  // Labels without a colon stand before their digits or behind them: only where each has one, and the first begins.
  const loose = said.filter((one) => one?.isLoose);
  if (hasToken && loose.length > 0 && loose.length < said.length) return null;
  return runs.flatMap(({ digits, tokens }, n) => {
    const label = said[n]?.label ?? "";
    const all = label === "" ? labels : [label, ...labels];
    if (tokens.length > 0) return tokens.map((token) => ({ digits: token, labels: all }));
    const isOther = label !== "" && roleOf(label) === null;
    const isCount = digits.length < 12 && countedName.test(all[0] ?? "");
    return isOther || isCount ? [] : [{ digits: "", labels: all }];
  });
}

interface Run {
  readonly digits: string;
  /** Empty where the digits are none. */
  readonly tokens: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** Digits in whatever groups. A single one before the others (`KCT 1 2636…`) belongs to the label. */
function runOf({ 0: found, index }: RegExpExecArray, text: string): Run {
  const end = index + found.length;
  const numbered = /[a-z]\s*$/i.test(text.slice(0, index)) && /^[1-9] /.test(found) ? 2 : 0;
  const groups = found.slice(numbered).match(/[0-9]+/g) ?? [];
  if (numbered > 0 && groups.join("").length === 20)
    return { digits: groups.join(""), tokens: [groups.join("")], start: index + numbered, end };
  const digits = found.replace(/[^0-9]/g, "");
  // Groups of one size: else a token's digits might be those of two numbers.
  const isEven = groups.every(
    ({ length }) => length === groups[0]?.length && (groups.length === 1 || 20 % length === 0),
  );
  const tokens = digits.length % 20 === 0 && isEven ? (digits.match(/[0-9]{20}/g) ?? []) : [];
  return { digits, tokens, start: index, end };
}

const apart = /[,;|\n]+|\.\s/;

/** What a text says of one group of digits: before it or, apart from the next one, behind it. Null where the two differ. */
function saidOf(
  text: string,
  { start, end }: Run,
  { before, after }: { readonly before: Run | undefined; readonly after: Run | undefined },
): { readonly label: string; readonly isLoose: boolean } | null {
  const ahead = text.slice(before?.end ?? 0, start).split(apart);
  const leads = before === undefined || ahead.length === 1 ? ahead : ahead.slice(1);
  const lead = leads.filter((part) => lettersOf(part) !== "").at(-1) ?? "";
  const behind = text.slice(end, after?.start).split(apart);
  const trail = after === undefined || behind.length > 1 ? (behind[0] ?? "") : "";
  const [leadRole, trailRole] = [roleOf(lead), roleOf(trail)];
  const isNamedBehind = trailRole !== null && trailRole !== "id" && trailRole !== "foreign";
  if (isNamedBehind && leadRole !== null && leadRole !== trailRole) return null;
  // Directly behind other digits: the label may be that of both.
  if (before !== undefined && lead === "" && ahead.length === 1) return null;
  const label = leadRole === null && isNamedBehind ? trail : lead;
  const isFirm = /(?:[:=>)\]-]|\b(?:is|are))\s*$/i.test(lead);
  return { label: label.trim(), isLoose: leadRole !== null && !isFirm };
}
