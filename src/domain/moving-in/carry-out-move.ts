import type { Clock } from "../../kernel/clock.ts";
import type { MerchantId } from "../../kernel/ids.ts";
import { groupedNaira } from "../../kernel/money.ts";
import { refuse } from "../../kernel/problems.ts";
import type { Database, Queryable, Tx } from "../../platform/database/database.ts";
import { violatedConstraint } from "../../platform/database/database-errors.ts";
import { bumpRevision } from "../../platform/revisions.ts";
import { readCatalogue } from "../catalogue/catalogue.ts";
import { changeCatalogue } from "../catalogue/changes/change.ts";
import { isSamePrice, type PriceLine, setPricesWithin } from "../catalogue/price-changes/price-change.ts";
import type { Price } from "../catalogue/pricing.ts";
import { updateApiApproval, updateSettingsOfAll } from "../merchants/queries.ts";
import { registerOlder } from "../merchants/registration.ts";
import type { Proposal } from "../staff/approvals.ts";
import type { BankReference } from "../wallet/credit-queries.ts";
import { bookOpeningBalances } from "../wallet/credits.ts";
import { openWallets } from "../wallet/wallet.ts";
import {
  findMove,
  findMoveHash,
  type MoveId,
  type MoveIn,
  updateMoveMoved,
  updateMovePriceChange,
} from "./move-in-queries.ts";
import {
  listMerchantsWithEmails,
  listMoveLines,
  listMovePrices,
  type MoveLine,
  updateMoveLines,
} from "./move-line-queries.ts";
import { merchantsMax } from "./planned.ts";

export interface MoveServices {
  readonly database: Database;
  readonly clock: Clock;
}

/** @throws Refusal NOT_FOUND */
export async function findExistingMove(database: Queryable, id: MoveId): Promise<MoveIn> {
  const move = await findMove(database, id);
  if (move === null) throw refuse("NOT_FOUND", { message: `There is no move ${id}.` });
  return move;
}

/** Which move an approval is about. @throws Refusal where nobody can read it */
export function approvedMove({ move, hash }: Proposal["payload"]): { readonly id: MoveId; readonly hash: string } {
  if (typeof move === "number" && typeof hash === "string") return { id: move as MoveId, hash };
  throw refuse("VALIDATION_ERROR", { message: "This request can’t be read." });
}

/**
 * Carries out a move as it was approved, all in one transaction of `database` or nothing. @returns what is true now.
 * @throws Refusal VALIDATION_ERROR where it waits no more, was changed in the database, or something has changed since
 */
export async function carryOutMove(
  services: MoveServices,
  payload: Proposal["payload"],
  approvedBy: string | null,
): Promise<string> {
  const { id, hash } = approvedMove(payload);
  await carryOut(
    services,
    async (tx) => {
      if ((await findMoveHash(tx, id)) === hash) return id;
      throw refuse("VALIDATION_ERROR", { message: "This move was changed in the database after it was made." });
    },
    approvedBy,
  );
  const { merchants, balance } = await findExistingMove(services.database, id);
  return `${merchants} merchants are moved in, with ₦${groupedNaira(balance)}.`;
}

/**
 * Moves in one transaction, whose first step finds or keeps what is moved. Locks the catalogue's revision, then wallets by
 * key. @throws Refusal VALIDATION_ERROR where something has changed since the plan was made
 */
export async function carryOut(
  services: MoveServices,
  findIt: (tx: Tx) => Promise<MoveId>,
  approvedBy: string | null,
): Promise<MoveId> {
  try {
    return await changeCatalogue(services.database, async (tx) => {
      const id = await findIt(tx);
      await moveAll(tx, services, id, approvedBy);
      return id;
    });
  } catch (error) {
    const constraint = violatedConstraint(error);
    if (constraint === "api_keys_hash_once" || constraint === "move_ins_once") throw hasChanged();
    throw error;
  }
}

function hasChanged() {
  return refuse("VALIDATION_ERROR", {
    message: "A merchant, a token or this move came in since the plan was made. Nothing was moved: plan again.",
  });
}

async function moveAll(tx: Tx, services: MoveServices, id: MoveId, approvedBy: string | null): Promise<void> {
  const now = services.clock.now();
  const move = await updateMoveMoved(tx, id, { approvedBy, now });
  if (move === null) throw refuse("VALIDATION_ERROR", { message: `Move ${id} was carried out or taken back before.` });
  const { madeBy } = move;
  const lines = await listMoveLines(tx, id, merchantsMax);
  const movedBack = await findMovedBack(tx, lines);
  const named = lines.map((line) => ({ ...line, merchantId: movedBack.get(line.email) ?? null, token: tokenOf(line) }));
  const ids = await registerOlder(tx, services, named, { createdBy: madeBy });
  const owners = ids.map((merchantId) => ({ merchantId }));
  await openWallets(
    tx,
    owners.filter((_owner, at) => named[at]?.merchantId === null),
  );
  const moved = named.map((line, at) => ({
    ...{ ...line, merchantId: ids[at] as MerchantId },
    isMovedBack: line.merchantId !== null,
  }));
  await settleIn(tx, moved, { ...move, now });
  await bookOpeningBalances(
    tx,
    moved.flatMap(({ merchantId, line, balance: amount }) =>
      amount === 0n ? [] : [{ merchantId, amount, bankReference: `MOVE-IN/${id}/${line}` as BankReference }],
    ),
    { reason: "Opening balance from the older script", by: madeBy, approvedBy },
  );
  await updateMoveLines(tx, id, moved);
  await setMovedPrices(tx, id, madeBy);
  await bumpRevision(tx, "merchants");
}

/** Merchants that a move has left which was taken back, by their emails. @throws Refusal where one is a merchant by now */
async function findMovedBack(tx: Tx, lines: readonly MoveLine[]): Promise<ReadonlyMap<string, MerchantId>> {
  const present = await listMerchantsWithEmails(
    tx,
    lines.map(({ email }) => email),
  );
  if (present.some(({ isMovedBack }) => !isMovedBack)) throw hasChanged();
  return new Map(present.map(({ email, merchantId }) => [email, merchantId]));
}

function tokenOf({ tokenHash: hash, tokenFirst, tokenLast }: MoveLine) {
  if (hash === null || tokenFirst === null || tokenLast === null) return null;
  return { hash, firstCharacters: tokenFirst, lastCharacters: tokenLast };
}

interface MovedLine extends MoveLine {
  readonly merchantId: MerchantId;
  /** It was there before: its move was taken back. */
  readonly isMovedBack: boolean;
}

/** Gives merchants their tiers and standing: those that are alike in one statement. */
async function settleIn(
  tx: Tx,
  moved: readonly MovedLine[],
  { networks, now }: { readonly networks: string | null; readonly now: number },
): Promise<void> {
  for (const { merchantId } of moved.filter(({ isMovedBack }) => isMovedBack)) {
    await updateApiApproval(tx, merchantId, now);
  }
  const alike = new Map<string, MovedLine[]>();
  for (const line of moved) {
    const key = `${line.priceTier} ${line.blockedBy}`;
    const lines = alike.get(key) ?? [];
    alike.set(key, lines);
    lines.push(line);
  }
  for (const lines of alike.values()) {
    const [{ blockedBy, priceTier }] = lines as [MovedLine];
    const ids = lines.map(({ merchantId }) => merchantId);
    await updateSettingsOfAll(tx, ids, {
      status: blockedBy === null ? "active" : "suspended",
      suspended_because: blockedBy === null ? null : `Blocked in the older script (${blockedBy})`.slice(0, 200),
      price_tier: priceTier,
      legacy_data_networks: networks,
      legacy_airtime_networks: networks,
    });
  }
}

/** Sets the tiers' prices that are others now, as one change. The fee of each stays as it is. */
async function setMovedPrices(tx: Tx, id: MoveId, madeBy: string): Promise<void> {
  const planned = await listMovePrices(tx, id);
  if (planned.length === 0) return;
  const catalogue = await readCatalogue(tx);
  const lines = planned.flatMap(({ productId, tier, price }): PriceLine[] => {
    const scope = { of: "tier", tier } as const;
    const before = catalogue.ownPrice(productId, scope);
    const fee = (before ?? catalogue.ownPrice(productId, { of: "everyone" }))?.fee ?? null;
    const after: Price = { kind: "fixed", kobo: price, fee };
    return isSamePrice(before, after) ? [] : [{ productId, scope, before, after }];
  });
  if (lines.length === 0) return;
  const change = { madeBy, reason: `Move ${id} from an older script`, undoes: null };
  await updateMovePriceChange(tx, id, await setPricesWithin(tx, lines, change));
}
