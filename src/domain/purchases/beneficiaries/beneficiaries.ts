import type { Biller } from "../../../categories/product/product.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { ulid } from "../../../kernel/ids.ts";
import { type Page, type PageMeta, pageMeta } from "../../../kernel/page.ts";
import { refuse } from "../../../kernel/problems.ts";
import type { Database, Queryable, Tx } from "../../../platform/database/database.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { Buyer } from "../../catalogue/snapshot.ts";
import type { Randomness } from "../../merchants/key-format.ts";
import { findMerchantForUpdate } from "../../merchants/queries.ts";
import {
  type Beneficiary,
  type BeneficiaryChanges,
  type BeneficiaryFacts,
  beneficiariesMax,
  beneficiaryIdPattern,
  changedFacts,
  noFacts,
  type Owner,
} from "./beneficiary.ts";
import {
  type BeneficiaryFilter,
  countBeneficiaries,
  deleteBeneficiaryRow,
  findBeneficiaryRow,
  findSameBeneficiary,
  insertBeneficiary,
  listBeneficiaries,
  listBeneficiariesBefore,
  updateBeneficiaryRow,
} from "./queries.ts";

export interface BeneficiaryServices {
  readonly database: Database;
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly randomness: Randomness;
}

/** The merchant that beneficiaries belong to, with what decides which billers it sees. */
export type Keeper = Owner & Buyer;

export type NewBeneficiary = BeneficiaryChanges & Pick<BeneficiaryFacts, "label" | "category" | "customerRef">;

/**
 * Keeps a number. Not safe to repeat: the second time, it exists.
 * @throws Refusal BENEFICIARY_EXISTS, TOO_MANY_ITEMS, and those of `changedFacts`
 */
export async function createBeneficiary(
  services: BeneficiaryServices,
  keeper: Keeper,
  sent: NewBeneficiary,
): Promise<Beneficiary> {
  const facts = changedFacts({ ...noFacts, ...sent }, sent, await billersOf(services.catalogue, keeper));
  const now = services.clock.now();
  const created = { ...facts, id: `ben_${ulid(now, services.randomness)}`, createdAt: now, updatedAt: now };
  return oneByOne(services.database, keeper, async (tx) => {
    await refuseSame(tx, keeper, created);
    if ((await countBeneficiaries(tx, keeper, everything)) >= beneficiariesMax) {
      const message = `An account keeps at most ${beneficiariesMax} beneficiaries; delete some first.`;
      throw refuse("TOO_MANY_ITEMS", { message, meta: { max_items: beneficiariesMax } });
    }
    await insertBeneficiary(tx, keeper, created);
    return created;
  });
}

/**
 * Changes what was sent and leaves the rest. Safe to repeat.
 * @throws Refusal BENEFICIARY_NOT_FOUND, BENEFICIARY_EXISTS, and those of `changedFacts`
 */
export async function updateBeneficiary(
  services: BeneficiaryServices,
  keeper: Keeper,
  id: string,
  sent: BeneficiaryChanges,
): Promise<Beneficiary> {
  const findBiller = await billersOf(services.catalogue, keeper);
  return oneByOne(services.database, keeper, async (tx) => {
    const stored = await findBeneficiary(tx, keeper, id);
    const facts = changedFacts(stored, sent, findBiller);
    const updated = { ...stored, ...facts, updatedAt: services.clock.now() };
    await refuseSame(tx, keeper, updated);
    await updateBeneficiaryRow(tx, keeper, updated);
    return updated;
  });
}

/** Purchases that were made with it stay as they are. @throws Refusal BENEFICIARY_NOT_FOUND */
export async function deleteBeneficiary(db: Queryable, owner: Owner, id: string): Promise<void> {
  if (!isId(id) || !(await deleteBeneficiaryRow(db, owner, id))) throw refuse("BENEFICIARY_NOT_FOUND");
}

/** @throws Refusal BENEFICIARY_NOT_FOUND, also for what is no id at all */
export async function findBeneficiary(db: Queryable, owner: Owner, id: string): Promise<Beneficiary> {
  const found = isId(id) ? await findBeneficiaryRow(db, owner, id) : null;
  if (found === null) throw refuse("BENEFICIARY_NOT_FOUND");
  return found;
}

/** One page of a merchant's beneficiaries, newest first, with the exact total. */
export async function listBeneficiaryPage(
  database: Database,
  owner: Owner,
  filter: BeneficiaryFilter,
  page: Page,
): Promise<{ readonly beneficiaries: readonly Beneficiary[]; readonly meta: PageMeta }> {
  const [total, beneficiaries] = await Promise.all([
    countBeneficiaries(database, owner, filter),
    listBeneficiaries(database, owner, filter, page),
  ]);
  return { beneficiaries, meta: pageMeta(page, total) };
}

const beneficiariesPerRead = 500;

/** Every beneficiary that fits, newest first, some at a time: none comes twice, whatever is saved meanwhile. */
export async function* streamBeneficiaries(
  database: Database,
  owner: Owner,
  filter: BeneficiaryFilter,
): AsyncGenerator<readonly Beneficiary[]> {
  let beforeId: string | null = null;
  for (let read = 0; read < beneficiariesMax / beneficiariesPerRead; read += 1) {
    const some: Beneficiary[] = await listBeneficiariesBefore(database, owner, filter, {
      beforeId,
      limit: beneficiariesPerRead,
    });
    if (some.length > 0) yield some;
    beforeId = some.at(-1)?.id ?? null;
    if (some.length < beneficiariesPerRead) return;
  }
}

const everything: BeneficiaryFilter = { category: null, words: [] };

const idShape = new RegExp(beneficiaryIdPattern);

function isId(text: string): boolean {
  return idShape.test(text);
}

async function billersOf(catalogue: Catalogue, buyer: Buyer): Promise<(slug: string) => Biller | null> {
  const snapshot = await catalogue.current();
  return (slug) => snapshot.findBiller(slug, buyer)?.biller ?? null;
}

/** One write at a time a merchant, by a lock on its row: what a write looks at first is so until it commits. */
function oneByOne<T>(database: Database, { merchantId }: Keeper, write: (tx: Tx) => Promise<T>): Promise<T> {
  return database.transaction(async (tx) => {
    await findMerchantForUpdate(tx, merchantId);
    return write(tx);
  });
}

/** @throws Refusal BENEFICIARY_EXISTS where another one keeps the number */
async function refuseSame(tx: Tx, owner: Owner, beneficiary: Beneficiary): Promise<void> {
  const same = await findSameBeneficiary(tx, owner, beneficiary);
  if (same !== null && same !== beneficiary.id) throw refuse("BENEFICIARY_EXISTS", { meta: { id: same } });
}
