import { assert } from "../../kernel/assert.ts";
import type { MerchantId } from "../../kernel/ids.ts";
import { groupedNaira, type Kobo } from "../../kernel/money.ts";
import { refuse } from "../../kernel/problems.ts";
import type { Queryable, Tx } from "../../platform/database/database.ts";
import { violatedConstraint } from "../../platform/database/database-errors.ts";
import { bumpRevision } from "../../platform/revisions.ts";
import { formatMerchantId } from "../merchants/merchant.ts";
import { updateSettingsOfAll } from "../merchants/queries.ts";
import { openOlder } from "../merchants/registration.ts";
import { askForChange } from "../staff/ask-change.ts";
import type { CarriedOut, ChangeKind, ChangeServices, Fields, Request } from "../staff/change-kinds.ts";
import { findChangeAbout } from "../staff/change-subject-queries.ts";
import { findStaffPerson, namedPerson } from "../staff/staff.ts";
import type { BankReference } from "../wallet/credit-queries.ts";
import { bookOpeningBalances, needsApproval } from "../wallet/credits.ts";
import { readPresent } from "./apply-move.ts";
import {
  allAtOnce,
  type Brought,
  blockedReason,
  blockedReasonStart,
  bringMerchants,
  findExistingMove,
  hasChanged,
  type MoveServices,
  settleAlike,
} from "./bring-merchants.ts";
import {
  findMoveHash,
  listMoves,
  type MoveId,
  type MoveIn,
  updateMoveMoved,
  updateMoveWaiting,
} from "./move-in-queries.ts";
import {
  listLetInAgain,
  listMoveLines,
  type MoveLine,
  replaceMoveLines,
  updateMoveLines,
} from "./move-line-queries.ts";
import type { OlderScript } from "./older-script.ts";
import { type MovePlan, planMove } from "./plan-move.ts";
import { type Misfit, merchantsMax, portionsOf } from "./planned.ts";
import type { Tiers } from "./tiers.ts";

/** What waits for a second person, and who may approve it: it credits wallets. */
export const switchChange: ChangeKind = {
  kind: "move in",
  ask: ["admin", "finance"],
  approve: ["admin", "finance"],
  subjects: ({ move }) => [subjectOfMove(Number(move))],
};

/** What a change is about that switches this move. */
export function subjectOfMove(id: number): string {
  return `move ${id}`;
}

/** The balances and tokens that a move's switch would bring. */
export interface PlannedSwitch {
  readonly move: MoveIn;
  readonly plan: MovePlan;
}

/** The move that a command is about where nobody names one. @throws Refusal VALIDATION_ERROR where there is none, or several */
export async function findOnlyMove(database: Queryable, { toSwitch }: { readonly toSwitch: boolean }): Promise<MoveId> {
  const open = (await listMoves(database)).filter(({ state }) => state !== "undone");
  const awaited = open.filter(({ state }) => state !== "moved");
  // A switch that was made is what `switch` is about where nothing else is: it says so.
  const meant = toSwitch && awaited.length > 0 ? awaited : open;
  const [move, ...others] = meant;
  const [what, how] = toSwitch ? ["switch: apply one first", "switched: --move"] : ["take back", "taken back"];
  if (move === undefined) throw refuse("VALIDATION_ERROR", { message: `There is no move to ${what}.` });
  if (others.length === 0) return move.id;
  const numbers = meant.map(({ id }) => id).sort((one, other) => one - other);
  throw refuse("VALIDATION_ERROR", { message: `Say which move is to be ${how}: ${numbers.join(", ")}.` });
}

/**
 * Judges the export that was made after the last sale in the older script. Its users are the merchants that a move has
 * brought, and those that have come there since. Prices and tiers that were corrected here meanwhile stay.
 * @throws Refusal NOT_FOUND, VALIDATION_ERROR also where the export says of nobody a balance or a token
 */
export async function planSwitch(
  database: Queryable,
  { older, tiers, id }: { readonly older: OlderScript; readonly tiers: Tiers; readonly id: MoveId },
): Promise<PlannedSwitch> {
  const move = await findExistingMove(database, id);
  if (move.state === "undone") throw refuse("VALIDATION_ERROR", { message: `Move ${id} was taken back.` });
  const [lines, { without }] = await Promise.all([
    listMoveLines(database, id, merchantsMax),
    readPresent(database, older),
  ]);
  checkWhole(older, { id, hadTokens: lines.some(({ token }) => token !== null) });
  const [byEmail, ids] = [new Map<string, MerchantId>(), new Set<MerchantId>()];
  for (const { email, merchantId } of lines) {
    if (merchantId === null) continue;
    byEmail.set(email, merchantId);
    ids.add(merchantId);
  }
  const isOwn = ({ merchantId, email }: { readonly merchantId: MerchantId; readonly email: string | null }) =>
    email === null ? ids.has(merchantId) : byEmail.get(email) === merchantId;
  const gone = goneFrom(older, id, byEmail);
  return { move, plan: planMove({ ...older, prices: [], networks: null }, tiers, without(isOwn), gone) };
}

/** A table that was forgotten must not make everybody's balance 0.00. */
function checkWhole({ users }: OlderScript, { id, hadTokens }: { readonly id: MoveId; readonly hadTokens: boolean }) {
  const message = users.every(({ balances }) => balances.length === 0)
    ? "The export says nobody's balance: give the table that has them as well."
    : `The export has no tokens, and the one of move ${id} had: give the table that has them as well.`;
  const hasTokens = users.some(({ tokens }) => tokens.some(({ text }) => text !== ""));
  if (message.startsWith("The export says") || (hadTokens && !hasTokens)) throw refuse("VALIDATION_ERROR", { message });
}

/** Merchants of a move that the last export has no more. */
function goneFrom({ users }: OlderScript, id: MoveId, byEmail: ReadonlyMap<string, MerchantId>): Misfit[] {
  const present = new Set(users.map(({ email }) => email.trim().toLowerCase()));
  const place = { file: users[0]?.place.file ?? "", line: 0, row: null };
  return [...byEmail]
    .filter(([email]) => !present.has(email))
    .map(([email, merchantId]) => ({
      ...{ place, about: email, leavesOut: "merchant" as const },
      why: `${formatMerchantId(merchantId)} of move ${id} is not in this export: it stays without balance and token.`,
    }));
}

/** What became of a switch that somebody asked for. */
export type Switched =
  | { readonly kind: "switched"; readonly move: MoveIn }
  /** Nothing changed: it was switched before. */
  | { readonly kind: "repeated"; readonly move: MoveIn }
  /** No balance is here yet: a second person approves it; or a worker carries it out, as nobody else could approve it. */
  | { readonly kind: "waiting" | "agreed"; readonly move: MoveIn; readonly approval: number };

/** The person who switches. */
interface Switching {
  /** The email of one of the staff, or without staff a name. */
  readonly typedBy: string;
  /** What one person may credit alone. */
  readonly aloneMax: Kobo;
  /** What asking a second person takes: emails are sealed with the service's key. */
  readonly asking: () => Promise<ChangeServices>;
}

/**
 * Brings balances and tokens and opens live access, all of it in one transaction or nothing; or asks for it, where the
 * balances come to more than one person of the staff may credit. Safe to repeat, also after a crash.
 * @throws Refusal VALIDATION_ERROR where something has changed since it was planned, or the person may not ask
 */
export async function switchMove(
  services: MoveServices,
  { move, plan }: PlannedSwitch,
  switching: Switching,
): Promise<Switched> {
  const { database, clock } = services;
  const by = await namedPerson(database, switching.typedBy);
  if (move.state === "moved") {
    if (move.switchDigest === plan.digest) return { kind: "repeated", move };
    const message = `Move ${move.id} was switched before, with another export. Credit by hand what is missing, or take it back.`;
    throw refuse("VALIDATION_ERROR", { message });
  }
  const person = needsApproval(plan.balance, switching.aloneMax)
    ? await findStaffPerson(database, switching.typedBy, switchChange.ask)
    : null;
  const keep = (tx: Tx) => keepWaiting(tx, { move, plan }, by);
  if (person === null) {
    await carryOut(services, { id: move.id, first: keep, approvedBy: null });
    return { kind: "switched", move: await findExistingMove(database, move.id) };
  }
  if (move.state === "waiting" && move.switchDigest === plan.digest) {
    const waiting = await findChangeAbout(database, [subjectOfMove(move.id)], clock.now());
    if (waiting !== null) return { kind: "waiting", move, approval: waiting.id };
  }
  await database.transaction(keep);
  const kept = await findExistingMove(database, move.id);
  const asking = await switching.asking();
  const result = await askForChange(asking, person, switchingMove(services), await requestOf(database, kept));
  const now = await findExistingMove(database, move.id);
  if (now.state === "moved") return { kind: "switched", move: now };
  if (result.kind === "done") return { kind: "agreed", move: now, approval: result.id };
  return { kind: "waiting", move: kept, approval: result.kind === "taken" ? result.by.id : result.id };
}

/** Keeps what the last export says, in place of what an earlier one said. */
async function keepWaiting(tx: Tx, { move: { id }, plan }: PlannedSwitch, by: string): Promise<void> {
  if (!(await updateMoveWaiting(tx, id, { digest: plan.digest, by }))) throw hasChanged();
  await replaceMoveLines(tx, id, plan.merchants);
}

async function requestOf(database: Queryable, { id, merchants, balance: sum }: MoveIn): Promise<Request> {
  const hash = await findMoveHash(database, id);
  assert(hash !== null, "the move is there");
  const balance = groupedNaira(sum);
  const summary = `Switch ${merchants} merchants of an older script over, with ₦${balance}`;
  return { summary, fields: { move: id, hash, merchants, balance } };
}

/** Which move an approval is about. @throws Refusal where nobody can read it */
export function approvedMove({ move, hash }: Fields): { readonly id: MoveId; readonly hash: string } {
  if (typeof move === "number" && typeof hash === "string") return { id: move as MoveId, hash };
  throw refuse("VALIDATION_ERROR", { message: "This request can’t be read." });
}

/**
 * The switch as it was asked for, all in one transaction or nothing. @throws Refusal VALIDATION_ERROR where it waits no more,
 * was changed in the database, or something has changed since
 */
export function switchingMove({ clock }: Pick<MoveServices, "clock">): CarriedOut {
  const carryOutFields: CarriedOut["carryOut"] = async (database, { fields }, approvedBy) => {
    const { id, hash } = approvedMove(fields);
    const first = async (tx: Tx) => {
      if ((await findMoveHash(tx, id)) === hash) return;
      throw refuse("VALIDATION_ERROR", { message: "This move was changed in the database after it was made." });
    };
    await carryOut({ database, clock }, { id, first, approvedBy });
    const { merchants, balance } = await findExistingMove(database, id);
    return `${merchants} merchants sell here, with ₦${groupedNaira(balance)}.`;
  };
  return { rules: switchChange, carryOut: carryOutFields, portions: allAtOnce(carryOutFields) };
}

interface CarryingOut {
  readonly id: MoveId;
  /** Keeps what is asked for, or compares it with what was approved. */
  readonly first: (tx: Tx) => Promise<void>;
  readonly approvedBy: string | null;
}

async function carryOut(services: MoveServices, { id, first, approvedBy }: CarryingOut): Promise<void> {
  try {
    await services.database.transaction(async (tx) => {
      await first(tx);
      await switchAll(tx, services, { id, approvedBy });
    });
  } catch (error) {
    if (violatedConstraint(error) === "api_keys_hash_once") throw hasChanged();
    throw error;
  }
}

/** Locks the move, then the wallets by key. */
async function switchAll(
  tx: Tx,
  services: MoveServices,
  { id, approvedBy }: { readonly id: MoveId; readonly approvedBy: string | null },
): Promise<void> {
  const now = services.clock.now();
  const move = await updateMoveMoved(tx, id, { approvedBy, now });
  if (move === null) throw refuse("VALIDATION_ERROR", { message: `Move ${id} was switched or taken back before.` });
  const lines = (await listMoveLines(tx, id, merchantsMax)).filter(({ isLeftOut }) => !isLeftOut);
  const isHere = (line: MoveLine): line is Brought<MoveLine> => line.merchantId !== null;
  const before = lines.filter(isHere);
  const missing = lines.filter((line) => !isHere(line));
  const added = await bringMerchants(tx, services, move, missing);
  for (const some of portionsOf(added)) await updateMoveLines(tx, id, some);
  await settleChanged(tx, id, before);
  const all = [...before, ...added].sort((one, other) => one.merchantId - other.merchantId);
  for (const some of portionsOf(all)) {
    const merchants = some.map((line) => ({ merchantId: line.merchantId, token: tokenOf(line) }));
    await openOlder(tx, services, merchants, { createdBy: move.switchedBy });
    const balances = some.flatMap(({ merchantId, line, balance: amount }) =>
      amount === 0n ? [] : [{ merchantId, amount, bankReference: `MOVE-IN/${id}/${line}` as BankReference }],
    );
    const about = { reason: "Opening balance from the older script", by: move.switchedBy, approvedBy };
    await bookOpeningBalances(tx, balances, about);
  }
  await bumpRevision(tx, "merchants");
}

/** Merchants that were blocked, let in again, or got another type over there since they came. */
async function settleChanged(tx: Tx, id: MoveId, lines: readonly Brought<MoveLine>[]): Promise<void> {
  const letIn = (await listLetInAgain(tx, id, blockedReasonStart)).map(({ merchantId }) => merchantId);
  for (const some of portionsOf(letIn))
    await updateSettingsOfAll(tx, some, { status: "active", suspended_because: null });
  const changed = lines.filter(({ newTier, blockedBy }) => newTier !== null || blockedBy !== null);
  await settleAlike(tx, changed, ({ newTier, blockedBy }) => ({
    ...(newTier === null ? {} : { price_tier: newTier }),
    ...(blockedBy === null ? {} : { status: "suspended", suspended_because: blockedReason(blockedBy) }),
  }));
}

function tokenOf({ token }: MoveLine) {
  return token === null ? null : { hash: token.hash, firstCharacters: token.first, lastCharacters: token.last };
}
