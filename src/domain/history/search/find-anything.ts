import { modes } from "../../../kernel/mode.ts";
import { readDigits } from "../../../kernel/phone.ts";
import type { SecretBox } from "../../../platform/sealing/secret-box.ts";
import { parseMerchantId } from "../../merchants/merchant.ts";
import { codeEndHashes, receiptHashes } from "../../purchases/fulfilment/code-ends.ts";
import type { Purchase } from "../../purchases/purchase.ts";
import type { BankReference } from "../../wallet/credit-queries.ts";
import { parseBankReference } from "../../wallet/credits.ts";
import { listByCodeEnd, listByParts } from "./code-end-queries.ts";
import { listSoughtMerchants, type SoughtMerchant } from "./merchant-queries.ts";
import {
  distinct,
  everything,
  findByAnyName,
  modeOfTransactionId,
  type Search,
  type SearchServices,
  searchPurchases,
} from "./search.ts";

/** What something that a caller said leads to. */
export interface Anything {
  /** Newest first, live before sandbox. */
  readonly sales: readonly Purchase[];
  readonly merchants: readonly SoughtMerchant[];
  /** There are more sales than these. */
  readonly hasMore: boolean;
}

export const salesMax = 20;
const merchantsMax = 20;

/**
 * Finds whatever a caller says: reference, transaction id, phone, meter, smartcard, a supplier's id, email, a merchant's name
 * or id, a bank's reference, a part of any of it. By indexes but for three: merchants' names are read through; where no sale
 * is called so, ends of numbers and codes, owners of saved numbers and references in another case are looked for among the
 * newest, and a supplier's own id among the attempts of the last days.
 */
export async function findAnything(
  services: SearchServices & { readonly secretBox: SecretBox },
  text: string,
  may: {
    /** Asked before a code is looked for: what it finds says which sale a code is of. */
    readonly findCode: () => Promise<boolean>;
    /** A bank's reference leads to whom its transfer was booked for. */
    readonly seeMoney: boolean;
  },
): Promise<Anything> {
  const transactionId = text.toUpperCase();
  const mode = modeOfTransactionId(services.transactionIds, transactionId);
  if (mode !== null) return salesAlone((await bySearch(services, { mode, transactionId })).purchases);
  const number = readDigits(text) === null ? null : text;
  const merchantId = parseMerchantId(text);
  if ((merchantId !== null && number === null) || text.includes("@")) {
    return { ...nothing, merchants: await merchantsBy(services, text, { isName: true, bankReference: null }) };
  }
  const searches = modes.flatMap((each): Partial<Search>[] => [
    { mode: each, reference: text },
    ...(number === null && !/^[A-Za-z0-9-]{5,30}$/.test(text) ? [] : [{ mode: each, customer: text }]),
  ]);
  const bankReference = may.seeMoney ? parseBankReference(text) : null;
  const [merchants, ...found] = await Promise.all([
    merchantsBy(services, text, { isName: number === null, bankReference }),
    ...searches.map((search) => bySearch(services, search)),
  ]);
  const sales = found.flatMap(({ purchases }) => purchases);
  if (sales.length > 0) {
    return { sales: inOrder(sales), merchants, hasMore: found.some(({ hasMore }) => hasMore) };
  }
  const remembered = await searchNewest(services, text, may.findCode);
  if (remembered.length > 0 || merchants.length > 0) return { ...salesAlone(remembered), merchants };
  // Our name for an attempt, then the supplier's own.
  const named = await findByAnyName(services, text, { mode: "live", merchantId: null, from: null });
  return salesAlone(named);
}

/** What no index leads to, among the newest live sales alone. */
async function searchNewest(
  { database, secretBox }: Parameters<typeof findAnything>[0],
  text: string,
  mayFindCode: () => Promise<boolean>,
): Promise<readonly Purchase[]> {
  const digits = readDigits(text);
  const part = {
    end: digits !== null && digits.length >= endDigits.min && digits.length <= endDigits.max ? digits : null,
    reference: text,
    owner: digits === null && text.length >= ownerEmailsMin ? text : null,
    receipt: receiptHashes(secretBox, text),
  };
  const ofPart = await listByParts(database, part, salesMax);
  const hashes = codeEndHashes(secretBox, text);
  const isSought = hashes !== null && (await mayFindCode());
  const ofCode = isSought ? await listByCodeEnd(database, hashes, salesMax) : [];
  return inOrder([...ofPart, ...ofCode]).slice(0, salesMax);
}

/** Fewer digits would be in every other sale's number; more are a whole one. */
export const endDigits = { min: 4, max: 10 };
const ownerEmailsMin = 3;

const nothing: Anything = { sales: [], merchants: [], hasMore: false };

function salesAlone(sales: readonly Purchase[]): Anything {
  return { ...nothing, sales };
}

function bySearch(services: SearchServices, search: Partial<Search>) {
  return searchPurchases(services, { ...everything, ...search }, salesMax);
}

function merchantsBy(
  { database }: SearchServices,
  text: string,
  { isName, bankReference }: { readonly isName: boolean; readonly bankReference: BankReference | null },
): Promise<SoughtMerchant[]> {
  const id = parseMerchantId(text);
  const name = id === null && isName ? text : null;
  return listSoughtMerchants(database, { id, text: name, bankReference }, merchantsMax);
}

/** Each once: live before sandbox, newest first. */
function inOrder(purchases: readonly Purchase[]): Purchase[] {
  const rank = ({ wallet }: Purchase) => modes.indexOf(wallet.mode);
  return distinct(purchases).toSorted(
    (one, other) => rank(one) - rank(other) || (one.id < other.id ? 1 : one.id > other.id ? -1 : 0),
  );
}
