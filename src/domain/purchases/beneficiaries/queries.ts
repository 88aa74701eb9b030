import type { Page } from "../../../kernel/page.ts";
import { parsePhone, readDigits, readNumber } from "../../../kernel/phone.ts";
import type { Queryable, Tx } from "../../../platform/database/database.ts";
import { statement } from "../../../platform/database/database.ts";
import type { Beneficiary, BeneficiaryFacts, Owner } from "./beneficiary.ts";

const beneficiaryColumns = `id,
          label,
          category,
          customer_ref as "customerRef",
          biller_slug as "billerSlug",
          network,
          meter_type as "meterType",
          customer_name as "customerName",
          phone,
          created_at as "createdAt",
          updated_at as "updatedAt"`;

const findById = statement(
  "find_beneficiary",
  `select ${beneficiaryColumns}
     from beneficiaries
    where merchant_id = $1 and id = $2`,
);

export async function findBeneficiaryRow(db: Queryable, owner: Owner, id: string): Promise<Beneficiary | null> {
  const [row] = await db.query<Beneficiary>(findById, [owner.merchantId, id]);
  return row ?? null;
}

const findSame = statement(
  "find_same_beneficiary",
  `select id
     from beneficiaries
    where merchant_id = $1
      and category = $2
      and biller_slug is not distinct from $3
      and customer_ref = $4`,
);

/** The id under which the same number is kept already; null when it is not. */
export async function findSameBeneficiary(
  db: Queryable,
  owner: Owner,
  facts: BeneficiaryFacts,
): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(findSame, [
    owner.merchantId,
    facts.category,
    facts.billerSlug,
    facts.customerRef,
  ]);
  return row?.id ?? null;
}

/** The words of a search, numbers among them in the spelling in which they are kept. */
export function wordsIn(text: string): string[] {
  const phone = parsePhone(readNumber(text));
  if (phone !== null) return [phone];
  const joined = text.replace(/\+\s*234[\d\s\p{Pd}()]*/gu, (number) => ` ${readDigits(number)} `);
  const words = joined.split(/\s+/).map((word) => parsePhone(readNumber(word)) ?? readDigits(word) ?? readNumber(word));
  return words.filter(Boolean);
}

/** Which beneficiaries to list. Every word must be found somewhere in one. */
export interface BeneficiaryFilter {
  readonly category: string | null;
  readonly words: readonly string[];
}

// Without diacritics, as `plainText` has its words: people type names with and without them, and in both normal forms.
// At most ten thousand rows a merchant: they are read through, and no index has to be kept for words. `like all` makes a
// row's text once, however many words are sought in it (measured: 50 words in 50 ms, with a text for each in 630).
const filterClause = `
    where merchant_id = $1
      and ($2::text is null or category = $2)
      and (
            select lower(
                     case
                       when octet_length(kept.words) = length(kept.words) then kept.words
                       else translate(
                              regexp_replace(normalize(kept.words, nfd), '[\u0300-\u036f]', '', 'g'),
                              'ɓɗƙƴƁƊƘƳ',
                              'bdkyBDKY'
                            )
                     end
                   )
              from (
                     select concat_ws(' ', label, customer_ref, customer_name, phone, biller_slug, network) as words
                     offset 0
                   ) kept
          ) like all (array(select lower(pattern) from unnest($3::text[]) as pattern))`;

const listFiltered = statement(
  "list_beneficiaries",
  `select ${beneficiaryColumns}
     from beneficiaries${filterClause}
    order by id desc
    limit $4
   offset $5`,
);

/** A page, newest first. */
export function listBeneficiaries(
  db: Queryable,
  owner: Owner,
  filter: BeneficiaryFilter,
  { page, perPage }: Page,
): Promise<Beneficiary[]> {
  return db.query(listFiltered, [...filterValues(owner, filter), perPage, (page - 1) * perPage]);
}

const listBefore = statement(
  "list_beneficiaries_before",
  `select ${beneficiaryColumns}
     from beneficiaries${filterClause}
      and ($4::text is null or id < $4)
    order by id desc
    limit $5`,
);

/** Beneficiaries below an id, newest first: ids begin with their time. */
export function listBeneficiariesBefore(
  db: Queryable,
  owner: Owner,
  filter: BeneficiaryFilter,
  { beforeId, limit }: { readonly beforeId: string | null; readonly limit: number },
): Promise<Beneficiary[]> {
  return db.query(listBefore, [...filterValues(owner, filter), beforeId, limit]);
}

const countFiltered = statement("count_beneficiaries", `select count(*) as total from beneficiaries${filterClause}`);

export async function countBeneficiaries(db: Queryable, owner: Owner, filter: BeneficiaryFilter): Promise<number> {
  const [row] = await db.query<{ total: bigint }>(countFiltered, filterValues(owner, filter));
  return Number(row?.total ?? 0n);
}

function filterValues(owner: Owner, { category, words }: BeneficiaryFilter): unknown[] {
  return [owner.merchantId, category, [...new Set(words.map(plainText))].map(patternOf)];
}

const plainLetters: Readonly<Record<string, string>> = { ɓ: "b", ɗ: "d", ƙ: "k", ƴ: "y" };

function plainText(word: string): string {
  const letters = word
    .toLowerCase()
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "");
  return letters.replace(/[ɓɗƙƴ]/g, (letter) => plainLetters[letter] ?? letter);
}

/** For `like`: the word anywhere, each of its characters for itself alone. */
function patternOf(word: string): string {
  return `%${word.replace(/[\\%_]/g, "\\$&")}%`;
}

const insertRow = statement(
  "insert_beneficiary",
  `insert into beneficiaries (
     merchant_id, id, label, category, customer_ref, biller_slug, network, meter_type, customer_name, phone,
     created_at, updated_at
   )
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
);

/** @throws the violation of `beneficiaries_once` where the number is kept already */
export async function insertBeneficiary(tx: Tx, owner: Owner, beneficiary: Beneficiary): Promise<void> {
  const { id, createdAt, updatedAt } = beneficiary;
  const instants = [new Date(createdAt), new Date(updatedAt)];
  await tx.query(insertRow, [owner.merchantId, id, ...factsOf(beneficiary), ...instants]);
}

const updateRow = statement(
  "update_beneficiary",
  `update beneficiaries
      set label = $3,
          category = $4,
          customer_ref = $5,
          biller_slug = $6,
          network = $7,
          meter_type = $8,
          customer_name = $9,
          phone = $10,
          updated_at = $11
    where merchant_id = $1 and id = $2`,
);

/** Writes all facts. @throws the violation of `beneficiaries_once` where another one keeps the number */
export async function updateBeneficiaryRow(tx: Tx, owner: Owner, beneficiary: Beneficiary): Promise<void> {
  const { id, updatedAt } = beneficiary;
  await tx.query(updateRow, [owner.merchantId, id, ...factsOf(beneficiary), new Date(updatedAt)]);
}

function factsOf(facts: BeneficiaryFacts): unknown[] {
  return [
    facts.label,
    facts.category,
    facts.customerRef,
    facts.billerSlug,
    facts.network,
    facts.meterType,
    facts.customerName,
    facts.phone,
  ];
}

const deleteById = statement(
  "delete_beneficiary",
  `delete from beneficiaries
    where merchant_id = $1 and id = $2
   returning id`,
);

/** Whether there was one to delete. */
export async function deleteBeneficiaryRow(db: Queryable, owner: Owner, id: string): Promise<boolean> {
  return (await db.query(deleteById, [owner.merchantId, id])).length === 1;
}
