import type { MerchantId } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/problems.ts";
import type { Queryable } from "../../platform/database/database.ts";
import { violatedConstraint } from "../../platform/database/database-errors.ts";
import { bumpRevision } from "../../platform/revisions.ts";
import { readCatalogue } from "../catalogue/catalogue.ts";
import { changeCatalogue } from "../catalogue/changes/change.ts";
import { listKnownHashes } from "../merchants/key-queries.ts";
import { namedPerson } from "../staff/staff.ts";
import { bringMerchants, findExistingMove, hasChanged, type MoveServices, setMovedPrices } from "./bring-merchants.ts";
import { findMoveOf, insertMoveIn, type MoveIn } from "./move-in-queries.ts";
import { insertMoveLines, listMerchantsWithEmails, type MerchantWithEmail } from "./move-line-queries.ts";
import type { OlderScript } from "./older-script.ts";
import { type KnownHere, type MovePlan, planMove, tokenHashesOf } from "./plan-move.ts";
import type { Tiers } from "./tiers.ts";

/** A plan, and the move that carried out the same; null where nobody has, or it was taken back. */
export interface PlannedMove {
  readonly plan: MovePlan;
  readonly move: MoveIn | null;
}

/** What this deployment has of an export's emails and tokens. */
interface PresentHere {
  readonly present: readonly MerchantWithEmail[];
  /** All of it but what is a move's own, by `isOwn`. */
  without(isOwn: (merchant: { readonly merchantId: MerchantId; readonly email: string | null }) => boolean): KnownHere;
}

export async function readPresent(database: Queryable, older: OlderScript): Promise<PresentHere> {
  const emails = [...new Set(older.users.map(({ email }) => email.trim().toLowerCase()))];
  const [present, keys, catalogue] = await Promise.all([
    listMerchantsWithEmails(database, emails),
    listKnownHashes(database, tokenHashesOf(older)),
    readCatalogue(database),
  ]);
  return {
    present,
    without(isOwn) {
      // What a move has left that was taken back is free to come again.
      const taken = present.filter((merchant) => !merchant.isMovedBack && !isOwn(merchant));
      const others = keys.filter(({ merchantId }) => !isOwn({ merchantId, email: null }));
      return {
        takenEmails: new Map(taken.map(({ email, merchantId }) => [email, merchantId])),
        takenTokens: new Set(others.map(({ hash }) => hash)),
        catalogue,
      };
    },
  };
}

/**
 * Judges an export by what this deployment has. What a move has brought already fits where the plan is the same to the last
 * bit; in any other plan it is a merchant here already. @throws Refusal VALIDATION_ERROR
 */
export async function planMoveHere(database: Queryable, older: OlderScript, tiers: Tiers): Promise<PlannedMove> {
  const { present, without } = await readPresent(database, older);
  const moved = new Set(present.filter(({ movedBy }) => movedBy !== null).map(({ merchantId }) => merchantId));
  const planWithout = async (isOwn: Parameters<PresentHere["without"]>[0]): Promise<PlannedMove> => {
    const plan = planMove(older, tiers, without(isOwn));
    return { plan, move: await findMoveOf(database, plan.digest) };
  };
  const repeated = moved.size > 0 ? await planWithout(({ merchantId }) => moved.has(merchantId)) : null;
  return repeated?.move ? repeated : planWithout(() => false);
}

/** What became of a plan that somebody applied. */
export interface Applied {
  readonly move: MoveIn;
  /** Nothing changed: its merchants came before. */
  readonly isRepeated: boolean;
}

/**
 * Brings the merchants and prices of a plan, all of it in one transaction or nothing: no balance and no key, and none of them
 * sells live before the switch. Safe to repeat, also after a crash: one move holds a plan's digest.
 * @throws Refusal VALIDATION_ERROR where the plan moves nothing, or something has changed since it was made
 */
export async function applyMove(
  services: MoveServices,
  { plan, move }: PlannedMove,
  { typedBy }: { readonly typedBy: string },
): Promise<Applied> {
  const { database, clock } = services;
  const madeBy = await namedPerson(database, typedBy);
  if (move !== null) return { move, isRepeated: true };
  if (plan.merchants.length === 0 && plan.prices.length === 0) {
    throw refuse("VALIDATION_ERROR", { message: "The plan moves nothing." });
  }
  const id = await changeCatalogue(database, async (tx) => {
    const made = await insertMoveIn(tx, plan, { madeBy, now: clock.now() });
    // Balances come with the export that is made after the last sale over there.
    const merchants = plan.merchants.map((merchant) => ({ ...merchant, balance: 0n as typeof merchant.balance }));
    await insertMoveLines(tx, { id: made, after: 0 }, await bringMerchants(tx, services, plan, merchants));
    await setMovedPrices(tx, made, madeBy);
    await bumpRevision(tx, "merchants");
    return made;
  }).catch((error: unknown) => {
    if (violatedConstraint(error) === "move_ins_once") throw hasChanged();
    throw error;
  });
  return { move: await findExistingMove(database, id), isRepeated: false };
}
