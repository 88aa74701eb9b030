import type { MerchantId } from "../../kernel/ids.ts";
import { groupedNaira, type Kobo, kobo, zeroKobo } from "../../kernel/money.ts";
import { refuse } from "../../kernel/problems.ts";
import type { Tx } from "../../platform/database/database.ts";
import { bumpRevision } from "../../platform/revisions.ts";
import { readCatalogue } from "../catalogue/catalogue.ts";
import { changeCatalogue } from "../catalogue/changes/change.ts";
import { listPricesSet } from "../catalogue/price-changes/price-history-queries.ts";
import { isSamePrice, lineOf, type PriceLine } from "../catalogue/price-changes/price-lines.ts";
import { setPricesWithin } from "../catalogue/price-changes/set-prices.ts";
import { updateKeysMovedBack } from "../merchants/key-queries.ts";
import { formatMerchantId } from "../merchants/merchant.ts";
import { updateSettingsOfAll } from "../merchants/queries.ts";
import type { CarriedOut, ChangeKind } from "../staff/change-kinds.ts";
import { lockWallets } from "../wallet/queries.ts";
import { creditWallet } from "../wallet/wallet.ts";
import { allAtOnce, findExistingMove, type MoveServices } from "./bring-merchants.ts";
import { type MoveId, type MoveIn, updateMoveUndone } from "./move-in-queries.ts";
import { listChangedWallets, listMoveLines } from "./move-line-queries.ts";
import { merchantsMax, portionsOf } from "./planned.ts";
import { subjectOfMove } from "./switch-move.ts";

/** A switched move is taken back: that takes balances from wallets, which two people had brought. */
export const undoChange: ChangeKind = {
  kind: "take move back",
  ask: ["admin", "finance"],
  approve: ["admin", "finance"],
  subjects: ({ move }) => [subjectOfMove(Number(move))],
};

export function undoingMove({ clock }: Pick<MoveServices, "clock">): CarriedOut {
  const carryOut: CarriedOut["carryOut"] = async (database, { fields }) => {
    const id = Number(fields.move) as MoveId;
    const { move } = await undoMove({ database, clock }, { id, by: String(fields.by) });
    return `Move ${id} is taken back: ${move.merchants} merchants are closed, and ₦${groupedNaira(move.balance)} left their wallets.`;
  };
  return {
    rules: undoChange,
    async readFacts(db, { move }) {
      const { state, merchants, balance } = await findExistingMove(db, Number(move) as MoveId);
      return { State: state, Merchants: String(merchants), Balances: `₦${groupedNaira(balance)}` };
    },
    carryOut,
    portions: allAtOnce(carryOut),
  };
}

/** What taking a move back did. */
export interface Undone {
  readonly move: MoveIn;
  /** Prices that somebody has changed since the move: they stay as they are. */
  readonly pricesKept: number;
}

/**
 * Takes a move back as a whole, in one transaction, as long as no wallet of it has moved since: each balance goes back by
 * an entry of its own, keys end, merchants are closed, and prices are what they were. Entries and merchants stay, as
 * nothing that was booked is ever deleted. Locks the catalogue's revision, the move, then the wallets by key.
 * @throws Refusal NOT_FOUND, VALIDATION_ERROR after the first sale, and where it was taken back before
 */
export async function undoMove(
  services: MoveServices,
  { id, by }: { readonly id: MoveId; readonly by: string },
): Promise<Undone> {
  const { database, clock } = services;
  const move = await findExistingMove(database, id);
  const pricesKept = await changeCatalogue(database, async (tx) => {
    const now = clock.now();
    const isOpen = move.state !== "undone" && (await updateMoveUndone(tx, move, { by, now }));
    if (!isOpen)
      throw refuse("VALIDATION_ERROR", { message: `Move ${id} was taken back before, or switched just now.` });
    const isBooked = move.state === "moved";
    const moved = (await listMoveLines(tx, id, merchantsMax)).flatMap(({ merchantId, balance }) =>
      merchantId === null ? [] : [{ merchantId, balance: isBooked ? balance : zeroKobo }],
    );
    await takeBalancesBack(tx, move, moved);
    const ids = moved.map(({ merchantId }) => merchantId);
    for (const some of portionsOf(ids)) {
      await updateSettingsOfAll(tx, some, {
        status: "suspended",
        suspended_because: `Move ${id} was taken back`,
        api_approved_at: null,
      });
      await updateKeysMovedBack(tx, some, now);
    }
    await bumpRevision(tx, "merchants");
    return takePricesBack(tx, move, by);
  });
  return { move, pricesKept };
}

interface MovedBalance {
  readonly merchantId: MerchantId;
  readonly balance: Kobo;
}

async function takeBalancesBack(tx: Tx, move: MoveIn, moved: readonly MovedBalance[]): Promise<void> {
  const walletOf = (merchantId: MerchantId) => ({ merchantId, mode: "live" }) as const;
  await lockWallets(
    tx,
    moved.map(({ merchantId }) => walletOf(merchantId)),
  );
  // By a statement of its own: waiting for a lock does not refresh what one sees.
  const changed = await listChangedWallets(tx, move);
  if (changed.length > 0) {
    const names = changed.map(({ merchantId }) => formatMerchantId(merchantId)).join(", ");
    const message = `Move ${move.id} can't be taken back any more: money of ${names} has moved since, by a sale or a booking.`;
    throw refuse("VALIDATION_ERROR", { message });
  }
  const reason = `Move ${move.id} was taken back`;
  for (const { merchantId, balance } of moved) {
    if (balance === 0n) continue;
    const amount = kobo(-balance);
    await creditWallet(tx, { wallet: walletOf(merchantId), amount, kind: "adjustment", reason });
  }
}

/** @returns how many of its prices stay, as they were changed since */
async function takePricesBack(tx: Tx, { id, priceChangeId }: MoveIn, madeBy: string): Promise<number> {
  if (priceChangeId === null) return 0;
  const catalogue = await readCatalogue(tx);
  const set = (await listPricesSet(tx, priceChangeId)).map(lineOf);
  const unchanged = set.filter(({ productId, scope, after }) =>
    isSamePrice(catalogue.ownPrice(productId, scope), after),
  );
  const lines = unchanged.map((line): PriceLine => ({ ...line, before: line.after, after: line.before }));
  const change = { madeBy, reason: `Move ${id} was taken back`, undoes: priceChangeId };
  if (lines.length > 0) await setPricesWithin(tx, lines, change);
  return set.length - unchanged.length;
}
