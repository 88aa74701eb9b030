import { assert } from "../../kernel/assert.ts";
import type { MerchantId } from "../../kernel/ids.ts";
import { groupedNaira, type Kobo } from "../../kernel/money.ts";
import { refuse } from "../../kernel/problems.ts";
import type { Queryable, Tx } from "../../platform/database/database.ts";
import { readCatalogue } from "../catalogue/catalogue.ts";
import { listKnownHashes } from "../merchants/key-queries.ts";
import { type Approval, listApprovals } from "../staff/approval-queries.ts";
import { type Proposal, propose } from "../staff/approvals.ts";
import { findStaffPerson, namedPerson } from "../staff/staff.ts";
import { needsApproval } from "../wallet/credits.ts";
import { carryOut, carryOutMove, findExistingMove, type MoveServices } from "./carry-out-move.ts";
import {
  findMoveHash,
  findMoveOf,
  insertMoveIn,
  type MoveId,
  type MoveIn,
  updateMoveUndone,
} from "./move-in-queries.ts";
import { listMerchantsWithEmails, type MerchantWithEmail } from "./move-line-queries.ts";
import type { OlderScript } from "./older-script.ts";
import { type MovePlan, planMove, tokenHashesOf } from "./plan-move.ts";
import type { Tiers } from "./tiers.ts";

/** What waits for a second person, and who may approve it: it credits wallets. */
export const moveInChange: Pick<Proposal, "kind" | "roles"> = { kind: "move in", roles: ["admin", "finance"] };

/** A plan, and the move that carries out the same; null where nobody has asked for it, or it was taken back. */
export interface PlannedMove {
  readonly plan: MovePlan;
  readonly move: MoveIn | null;
}

/**
 * Judges an export by what this deployment has. What a move has brought already fits where the plan is the same to the last
 * bit; in any other plan it is a merchant here already. @throws Refusal VALIDATION_ERROR
 */
export async function planMoveHere(database: Queryable, older: OlderScript, tiers: Tiers): Promise<PlannedMove> {
  const emails = [...new Set(older.users.map(({ email }) => email.trim().toLowerCase()))];
  const [present, keys, catalogue] = await Promise.all([
    listMerchantsWithEmails(database, emails),
    listKnownHashes(database, tokenHashesOf(older)),
    readCatalogue(database),
  ]);
  const planWithout = (moved: ReadonlySet<MerchantId>) =>
    planMove(older, tiers, {
      takenEmails: takenBy(present.filter(({ merchantId }) => !moved.has(merchantId))),
      takenTokens: new Set(keys.filter(({ merchantId }) => !moved.has(merchantId)).map(({ hash }) => hash)),
      catalogue,
    });
  const moved = new Set(present.filter(({ movedBy }) => movedBy !== null).map(({ merchantId }) => merchantId));
  if (moved.size > 0) {
    const plan = planWithout(moved);
    const move = await findMoveOf(database, plan.digest);
    if (move !== null) return { plan, move };
  }
  const plan = planWithout(new Set());
  return { plan, move: await findMoveOf(database, plan.digest) };
}

/** What a move has left that was taken back is free to come again. */
function takenBy(present: readonly MerchantWithEmail[]): ReadonlyMap<string, MerchantId> {
  const taken = present.filter(({ isMovedBack }) => !isMovedBack);
  return new Map(taken.map(({ email, merchantId }) => [email, merchantId]));
}

/** What became of a plan that somebody applied. */
export type Applied =
  | { readonly kind: "moved"; readonly move: MoveIn }
  /** Nothing changed: it was moved before. */
  | { readonly kind: "repeated"; readonly move: MoveIn }
  /** Nothing is moved yet: a second person approves it in the console. */
  | { readonly kind: "waiting"; readonly move: MoveIn; readonly approval: number };

/** The person who applies a plan. */
interface Applying {
  /** The email of one of the staff, or without staff a name. */
  readonly typedBy: string;
  /** What one person may credit alone. */
  readonly aloneMax: Kobo;
}

/**
 * Moves what a plan says, all of it in one transaction or nothing; or asks for it, where the balances come to more than one
 * person of the staff may credit. Safe to repeat, also after a crash: one move holds a plan's digest.
 * @throws Refusal VALIDATION_ERROR where the plan moves nothing, something has changed since it was made, or the person may
 * not ask
 */
export async function applyMove(
  services: MoveServices,
  { plan, move }: PlannedMove,
  applying: Applying,
): Promise<Applied> {
  const { database } = services;
  const by = await namedPerson(database, applying.typedBy);
  if (move?.state === "moved") return { kind: "repeated", move };
  if (plan.merchants.length === 0 && plan.prices.length === 0) {
    throw refuse("VALIDATION_ERROR", { message: "The plan moves nothing." });
  }
  const person = needsApproval(plan.balance, applying.aloneMax)
    ? await findStaffPerson(database, applying.typedBy, moveInChange.roles)
    : null;
  const keep = (tx: Tx) => keepAnew(tx, services, { plan, move }, by);
  if (person === null) {
    const id = await carryOut(services, keep, null);
    return { kind: "moved", move: await findExistingMove(database, id) };
  }
  const waiting = move === null ? null : await findWaiting(services, move.id);
  if (move !== null && waiting !== null) return { kind: "waiting", move, approval: waiting.id };
  const id = await database.transaction(keep);
  const kept = await findExistingMove(database, id);
  const proposal = await proposalOf(database, kept);
  const proposed = await propose(services, { by: person, proposal }, (db) =>
    carryOutMove({ ...services, database: db }, proposal.payload, null),
  );
  return proposed.kind === "waiting"
    ? { kind: "waiting", move: kept, approval: proposed.id }
    : { kind: "moved", move: await findExistingMove(database, id) };
}

const approvalsMax = 100;

/** The approval that somebody may still give to a move. */
async function findWaiting({ database, clock }: MoveServices, id: MoveId): Promise<Approval | null> {
  const now = clock.now();
  const isOpen = ({ kind, status, endsAt }: Approval) =>
    kind === moveInChange.kind && status === "waiting" && endsAt > now;
  const open = (await listApprovals(database, now, approvalsMax)).filter(isOpen);
  return open.find(({ payload }) => (JSON.parse(payload) as { move?: unknown }).move === id) ?? null;
}

/** Keeps a plan as it was read just now: what was kept before, and is not waiting for anybody, may not be the same any more. */
async function keepAnew(tx: Tx, { clock }: MoveServices, { plan, move }: PlannedMove, by: string): Promise<MoveId> {
  const now = clock.now();
  if (move !== null) await updateMoveUndone(tx, move.id, { by, now });
  return insertMoveIn(tx, plan, { madeBy: by, now });
}

async function proposalOf(database: Queryable, move: MoveIn): Promise<Proposal> {
  const { id, digest, merchants, prices } = move;
  const hash = await findMoveHash(database, id);
  assert(hash !== null, "the move is there");
  const balance = groupedNaira(move.balance);
  const summary = `Move in ${merchants} merchants of an older script with ₦${balance}`;
  return { ...moveInChange, summary, payload: { move: id, digest, hash, merchants, balance, prices } };
}
