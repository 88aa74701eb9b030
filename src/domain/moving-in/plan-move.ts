import { createHash } from "node:crypto";
import type { MerchantId } from "../../kernel/ids.ts";
import { add, formatNaira, type Kobo, zeroKobo } from "../../kernel/money.ts";
import { parsePhone } from "../../kernel/phone.ts";
import { refuse } from "../../kernel/problems.ts";
import { isShortened, typedPhone } from "../../kernel/typed-text.ts";
import { type CatalogueSnapshot, grouped } from "../catalogue/snapshot.ts";
import { parseEmail, parseName } from "../identity/people/person.ts";
import { isOlderToken, olderToken, olderTokenMin } from "../merchants/key-format.ts";
import { storedText, usualNetworkNumbers } from "../merchants/legacy-settings.ts";
import { formatMerchantId } from "../merchants/merchant.ts";
import { readExactly } from "./exact-amount.ts";
import type { OlderScript } from "./older-script.ts";
import { type OlderCell, type OlderUser, type Place, placeText } from "./older-users.ts";
import { planPrices } from "./plan-prices.ts";
import { type Misfit, merchantsMax, type PlannedMerchant, type PlannedPrice } from "./planned.ts";
import type { Tiers } from "./tiers.ts";

/** What a move would do: the same for the same files and the same deployment, to the last bit of its digest. */
export interface MovePlan {
  /** SHA-256 in hexadecimal of all that is moved and left out. */
  readonly digest: string;
  readonly merchants: readonly PlannedMerchant[];
  /** The sum of their balances. */
  readonly balance: Kobo;
  readonly prices: readonly PlannedPrice[];
  /** How older clients number networks, as settings keep it; null: in the usual way. */
  readonly networks: string | null;
  readonly misfits: readonly Misfit[];
}

/** What this deployment has already. */
export interface KnownHere {
  /** Merchants by the emails of the export that can't be moved in under them, in lower case. */
  readonly takenEmails: ReadonlyMap<string, MerchantId>;
  /** Hashes of the export's tokens that are keys here. */
  readonly takenTokens: ReadonlySet<string>;
  readonly catalogue: CatalogueSnapshot;
}

/**
 * Judges an export: what fits is moved, and everything else is named with its line, beside what is `gone` from it.
 * @throws Refusal VALIDATION_ERROR
 */
export function planMove(older: OlderScript, tiers: Tiers, known: KnownHere, gone: readonly Misfit[] = []): MovePlan {
  if (older.users.length > merchantsMax) {
    throw refuse("VALIDATION_ERROR", { message: `At most ${merchantsMax} users move at once: move them in parts.` });
  }
  const ownerless = older.ownerless.map(({ place, what, owner }) => ({
    ...{ place, about: owner, leavesOut: what },
    why: `This ${what} belongs to no user of the export.`,
  }));
  const misfits: Misfit[] = [...gone, ...ownerless];
  const repeated = repeatedOf(older.users);
  const merchants = older.users.flatMap((user) => {
    const judged = judgeUser(user, { tiers, known, repeated });
    for (const misfit of judged.misfits) misfits.push(misfit);
    return judged.merchant === null ? [] : [judged.merchant];
  });
  const { prices, misfits: ofPrices } = planPrices(older, tiers, known.catalogue);
  for (const misfit of ofPrices) misfits.push(misfit);
  misfits.sort(({ place: one }, { place: other }) => byPlace(one, other));
  const networks = storedText(older.networks ?? usualNetworkNumbers);
  const balance = merchants.reduce((sum, merchant) => add(sum, merchant.balance), zeroKobo);
  return { digest: digestOf({ merchants, prices, networks, misfits }), merchants, balance, prices, networks, misfits };
}

function byPlace(one: Place, other: Place): number {
  return one.file.localeCompare(other.file) || one.line - other.line || (one.row ?? 0) - (other.row ?? 0);
}

/** Hashes of all tokens that may be moved. */
export function tokenHashesOf({ users }: OlderScript): string[] {
  const tokens = users.flatMap((user) => user.tokens.map(({ text }) => text));
  return tokens.filter(isOlderToken).map((text) => olderToken(text).hash);
}

/** Not by the files' names: they may be typed in another way the second time. */
function digestOf({ merchants, prices, networks, misfits }: Omit<MovePlan, "digest" | "balance">): string {
  const lines = [
    ...merchants.map((merchant) => JSON.stringify({ ...merchant, balance: formatNaira(merchant.balance) })),
    ...prices.map(({ productId, tier, price }) => `price ${productId} ${tier} ${formatNaira(price)}`),
    ...misfits.map(({ place, about, why, leavesOut }) => JSON.stringify([placeText(place), about, why, leavesOut])),
    JSON.stringify(networks),
  ];
  return createHash("sha256").update(lines.sort().join("\n")).digest("hex");
}

/** Where else each email, user number and token of an export stands. */
type Repeated = Readonly<Record<"ids" | "emails" | "tokens", ReadonlyMap<string, readonly OlderCell[]>>>;

function repeatedOf(users: readonly OlderUser[]): Repeated {
  const byText = (cells: readonly OlderCell[]) =>
    grouped(
      cells.filter(({ text }) => text !== ""),
      ({ text }) => text,
    );
  return {
    ids: byText(users.map(({ id, place }) => ({ text: id, place }))),
    emails: byText(users.map(({ email, place }) => ({ text: email.trim().toLowerCase(), place }))),
    tokens: byText(users.flatMap(({ tokens }) => differentOf(tokens))),
  };
}

/** Cells of which no two say the same. */
function differentOf(cells: readonly OlderCell[]): readonly OlderCell[] {
  return cells.length < 2 ? cells : [...new Map(cells.map((cell) => [cell.text, cell])).values()];
}

/** Where else something stands than at a place. */
function othersOf(cells: readonly OlderCell[] = [], place: Place): readonly Place[] {
  return cells.map((cell) => cell.place).filter((other) => other !== place);
}

interface Judging {
  readonly tiers: Tiers;
  readonly known: KnownHere;
  readonly repeated: Repeated;
}

interface Judged {
  /** Null: it is left out. */
  readonly merchant: PlannedMerchant | null;
  readonly misfits: readonly Misfit[];
}

function judgeUser(user: OlderUser, judging: Judging): Judged {
  const email = parseEmail(user.email);
  const about = user.email === "" ? `user ${user.id}` : user.email;
  const misfits: Misfit[] = [];
  const add = (leavesOut: Misfit["leavesOut"], why: string | null, place = user.place) => {
    if (why !== null) misfits.push({ place, about, why, leavesOut });
  };
  const { amount: balance, misfit: ofBalance } = balanceOf(user);
  const priceTier = judging.tiers.tierOf(user.userType);
  add("merchant", emailMisfit(user, email, judging) ?? idMisfit(user, judging.repeated));
  if (ofBalance !== null) add("merchant", ofBalance.why, ofBalance.place);
  if (priceTier === null)
    add("merchant", `The type “${user.userType.slice(0, 40)}” has no tier: give it one by --tier.`);
  if (email === null || priceTier === null || balance === null || misfits.length > 0)
    return { merchant: null, misfits };
  const token = tokenOf(user, judging);
  for (const { why, place } of token.misfits) add("token", why, place);
  const phone = parsePhone(typedPhone(user.phone));
  if (phone === null && user.phone !== "") add("phone", phoneMisfit(user.phone));
  const merchant: PlannedMerchant = {
    ...{ olderId: user.id.slice(0, 255), email, phone, balance, token: token.stored, priceTier },
    name: parseName(user.name, 200) ?? `Merchant ${/^[0-9]+$/.test(user.id) ? user.id : ""}`.trim(),
    blockedBy: user.blockedBy?.slice(0, 200) ?? null,
  };
  return { merchant, misfits };
}

function emailMisfit(user: OlderUser, email: string | null, { known, repeated }: Judging): string | null {
  if (user.email === "") return "There is no email.";
  if (email === null) return "The email can't be read.";
  const others = othersOf(repeated.emails.get(email), user.place);
  if (others.length > 0)
    return `The email is also that of ${placesOf(others)}: nobody knows which user is the merchant.`;
  const taken = known.takenEmails.get(email);
  return taken === undefined ? null : `The email is that of ${formatMerchantId(taken)}, a merchant here already.`;
}

/** Tokens and balances in files of their own would go to both. */
function idMisfit({ id, place }: OlderUser, { ids }: Repeated): string | null {
  const others = othersOf(ids.get(id), place);
  return others.length === 0 ? null : `The user's number is also that of ${placesOf(others)}.`;
}

const placesMax = 3;

function placesOf(places: readonly Place[]): string {
  const lines = places.slice(0, placesMax).map(placeText);
  return places.length > placesMax ? `${lines.join("; ")} and more` : lines.join(" and ");
}

interface Balance {
  /** Null where it does not fit. */
  readonly amount: Kobo | null;
  readonly misfit: { readonly why: string; readonly place: Place } | null;
}

/** A user without a balance has none, as the older scripts read it. */
function balanceOf({ balances }: OlderUser): Balance {
  const [first, ...others] = balances;
  if (first === undefined) return { amount: zeroKobo, misfit: null };
  const other = others.find(({ text }) => text !== first.text);
  if (other !== undefined) return { amount: null, misfit: { why: "The user has two balances.", place: other.place } };
  const read = readExactly(first.text);
  return typeof read === "string"
    ? { amount: null, misfit: { why: read, place: first.place } }
    : { amount: read, misfit: null };
}

interface JudgedToken {
  readonly stored: PlannedMerchant["token"];
  readonly misfits: readonly { readonly why: string; readonly place: Place }[];
}

/** The token that a user's clients send. No sentence repeats it. */
function tokenOf({ tokens, place: ofUser }: OlderUser, { known, repeated }: Judging): JudgedToken {
  const different = differentOf(tokens);
  const filled = different.filter(({ text }) => text !== "");
  const [token, second] = filled.length > 0 ? filled : different;
  if (token === undefined) return { stored: null, misfits: [] };
  const { text, place } = token;
  const why = tokenMisfit(text, othersOf(repeated.tokens.get(text), place));
  if (why !== null) return { stored: null, misfits: [{ why, place }] };
  const { hash, firstCharacters: first, lastCharacters: last } = olderToken(text);
  if (known.takenTokens.has(hash))
    return { stored: null, misfits: [{ why: "The token is a key here already.", place }] };
  const more = second === undefined ? [] : [{ why: "The user has a second token.", place: second.place ?? ofUser }];
  return { stored: { hash, first, last }, misfits: more };
}

function tokenMisfit(text: string, others: readonly Place[]): string | null {
  if (text === "") return "The token is empty.";
  if (others.length > 0) return `The token is also that of ${placesOf(others)}.`;
  if (text.length < olderTokenMin) return `The token has fewer than ${olderTokenMin} characters: it could be guessed.`;
  return isOlderToken(text) ? null : "The token can't be sent in a header.";
}

function phoneMisfit(text: string): string {
  const what = `The phone “${text.slice(0, 40)}” can't be read`;
  return isShortened(text) ? `${what}: a spreadsheet has shortened it.` : `${what}.`;
}
