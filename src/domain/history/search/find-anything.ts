import type { MerchantId } from "../../../kernel/ids.ts";
import { type Mode, modes } from "../../../kernel/mode.ts";
import { readDigits } from "../../../kernel/phone.ts";
import type { SecretBox } from "../../../platform/sealing/secret-box.ts";
import { parseMerchantId } from "../../merchants/merchant.ts";
import { codeEndHashes } from "../../purchases/fulfilment/code-ends.ts";
import type { Purchase } from "../../purchases/purchase.ts";
import { listByCodeEnd } from "./code-end-queries.ts";
import { listSoughtMerchants, type SoughtMerchant } from "./merchant-queries.ts";
import { findByAnyName, modeOfTransactionId, type Search, type SearchServices, searchPurchases } from "./search.ts";

/** What something that a caller said leads to. */
export interface Anything {
  /** Newest first, live before sandbox. */
  readonly sales: readonly Purchase[];
  readonly merchants: readonly SoughtMerchant[];
  /** There are more sales than these. */
  readonly hasMore: boolean;
}

const salesMax = 20;
const merchantsMax = 20;

/**
 * Finds whatever a caller says: reference, transaction id, phone, meter, smartcard, a supplier's id, email, a merchant's name
 * or id, the last digits of a token or PIN. By indexes but for three: merchants' names are read through; where nothing else
 * is called so, a code is looked for among the newest sales, and a supplier's own id among the attempts of the last days.
 */
export async function findAnything(
  services: SearchServices & { readonly secretBox: SecretBox },
  text: string,
  /** Asked before a code is looked for: what it finds says which sale a code is of. */
  mayFindCode: () => Promise<boolean> = async () => true,
): Promise<Anything> {
  const mode = modeOfTransactionId(services.transactionIds, text);
  if (mode !== null) return salesAlone((await bySearch(services, { mode, transactionId: text })).purchases);
  const number = readDigits(text) === null ? null : text;
  const merchantId = parseMerchantId(text);
  if ((merchantId !== null && number === null) || text.includes("@")) {
    return { ...nothing, merchants: await merchantsBy(services, text) };
  }
  const searches = modes.flatMap((each): Partial<Search>[] => [
    { mode: each, reference: text },
    ...(number === null && !/^[A-Za-z0-9-]{5,30}$/.test(text) ? [] : [{ mode: each, customer: text }]),
  ]);
  const [merchants, ...found] = await Promise.all([
    number === null || merchantId !== null ? merchantsBy(services, text) : [],
    ...searches.map((search) => bySearch(services, search)),
  ]);
  const sales = found.flatMap(({ purchases }) => purchases);
  if (sales.length > 0 || merchants.length > 0) {
    return { sales: distinct(sales), merchants, hasMore: found.some(({ hasMore }) => hasMore) };
  }
  const hashes = codeEndHashes(services.secretBox, text);
  const isSought = hashes !== null && (await mayFindCode());
  const ofCode = isSought ? await listByCodeEnd(services.database, hashes, salesMax) : [];
  if (ofCode.length > 0) return salesAlone(ofCode);
  // Our name for an attempt, then the supplier's own.
  const named = await findByAnyName(services, text, { mode: "live", merchantId: null, from: null });
  return salesAlone(named);
}

const nothing: Anything = { sales: [], merchants: [], hasMore: false };

function salesAlone(sales: readonly Purchase[]): Anything {
  return { ...nothing, sales };
}

function bySearch(services: SearchServices, search: Partial<Search>) {
  return searchPurchases(services, { ...everything, ...search }, salesMax);
}

const everything: Search = {
  ...{ mode: "live", reference: null, transactionId: null, customer: null, supplierReference: null, merchantId: null },
  ...{ supplier: null, status: null, amount: null, from: null, before: null },
};

function merchantsBy({ database }: SearchServices, text: string): Promise<SoughtMerchant[]> {
  const id: MerchantId | null = parseMerchantId(text);
  return listSoughtMerchants(database, { id, text: id === null ? text : null }, merchantsMax);
}

/** A reference may be a customer's number as well. */
function distinct(purchases: readonly Purchase[]): Purchase[] {
  const byKey = new Map(purchases.map((purchase) => [`${purchase.wallet.mode} ${purchase.id}`, purchase]));
  const rank = (mode: Mode) => modes.indexOf(mode);
  return [...byKey.values()].toSorted(
    (one, other) =>
      rank(one.wallet.mode) - rank(other.wallet.mode) || (one.id < other.id ? 1 : one.id > other.id ? -1 : 0),
  );
}
