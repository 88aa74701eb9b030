import { assert } from "../../kernel/assert.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { MerchantId } from "../../kernel/ids.ts";
import { type Mode, modes } from "../../kernel/mode.ts";
import { refuse, refuseField } from "../../kernel/problems.ts";
import { hasUnseenLetters } from "../../kernel/typed-text.ts";
import type { Tx } from "../../platform/database/database.ts";
import { bumpRevision } from "../../platform/revisions.ts";
import { type MintedKey, mintKey, type Randomness } from "./key-format.ts";
import { insertApiKeys } from "./key-queries.ts";
import { closedGate } from "./keyring.ts";
import { formatMerchantId } from "./merchant.ts";
import { insertMerchants, updateApiApprovals } from "./queries.ts";

interface NewMerchant {
  readonly name: string;
  readonly email: string;
}

/** A merchant just registered, with its first keys: the only moment at which they can be read. */
export interface RegisteredMerchant {
  readonly id: MerchantId;
  readonly testKey: string;
  /** Null without approval: live keys are made from then on. */
  readonly liveKey: string | null;
}

const registeredAtOnceMax = 1_000;

/**
 * Adds merchants with a sandbox key each, and a live key where `approved`. A set costs three statements, whatever its
 * size. Wallets are not opened here: the caller does that in the same `tx`. Not safe to repeat.
 * @throws Refusal VALIDATION_ERROR for a name or an e-mail address that can't be one
 */
export async function registerMerchants(
  tx: Tx,
  services: { readonly clock: Clock; readonly randomness: Randomness },
  merchants: readonly NewMerchant[],
  options: { readonly approved: boolean; readonly createdBy: string },
): Promise<RegisteredMerchant[]> {
  assert(merchants.length <= registeredAtOnceMax, "merchants are registered in bounded sets");
  merchants.forEach(checkMerchant);
  const now = services.clock.now();
  const rows = await insertMerchants(tx, merchants, { approved: options.approved, now });
  const open = modes.filter((mode) => closedGate(mode, { apiApproved: options.approved, sandboxOn: true }) === null);
  const keys = rows.flatMap(({ id }) =>
    open.map((mode) => ({ merchantId: id, mode, key: mintKey(mode, services.randomness), label: "First key" })),
  );
  const inserted = await insertApiKeys(tx, keys, { createdBy: options.createdBy, now });
  assert(inserted.length === keys.length, "a new merchant's key slots are free");
  await bumpRevision(tx, "merchants");
  const texts = new Map(keys.map(({ merchantId, mode, key }) => [`${mode} ${merchantId}`, key.text]));
  const textOf = (id: MerchantId, mode: Mode): string | null => texts.get(`${mode} ${id}`) ?? null;
  return rows.map(({ id }) => {
    const testKey = textOf(id, "test");
    assert(testKey !== null, "every merchant gets a sandbox key");
    return { id, testKey, liveKey: textOf(id, "live") };
  });
}

/**
 * Adds one merchant without keys, whose people make them in the console. Wallets are not opened here: the caller does that in
 * the same `tx`. Not safe to repeat. @throws Refusal VALIDATION_ERROR
 */
export async function registerKeyless(
  tx: Tx,
  { clock }: { readonly clock: Clock },
  merchant: NewMerchant,
): Promise<Pick<RegisteredMerchant, "id">> {
  checkMerchant(merchant);
  const [row] = await insertMerchants(tx, [merchant], { approved: false, now: clock.now() });
  assert(row !== undefined, "one request adds one merchant");
  return row;
}

/**
 * Adds merchants that come from an older script, without keys and live access. Where `merchantId` says so it is one that was
 * there before, whose move was taken back. Wallets are not opened here, and the caller raises the revision. @returns their
 * ids, in the order given. @throws Refusal VALIDATION_ERROR
 */
export async function registerOlder(
  tx: Tx,
  { clock }: { readonly clock: Clock },
  merchants: readonly (NewMerchant & { readonly merchantId: MerchantId | null })[],
): Promise<MerchantId[]> {
  const added = merchants.filter(({ merchantId }) => merchantId === null);
  added.forEach(checkMerchant);
  const rows = await insertMerchants(tx, added, { approved: false, now: clock.now() });
  const free = rows.map(({ id }) => id).values();
  return merchants.map(({ merchantId }) => merchantId ?? (free.next().value as MerchantId));
}

/** A merchant of an older script, and the token that its clients go on with; null where it has none. */
interface OlderMerchant {
  readonly merchantId: MerchantId;
  readonly token: Pick<MintedKey, "hash" | "firstCharacters" | "lastCharacters"> | null;
}

/** Opens live access to merchants of an older script, as they sold there, each with its token as a live key. */
export async function openOlder(
  tx: Tx,
  { clock }: { readonly clock: Clock },
  merchants: readonly OlderMerchant[],
  { createdBy }: { readonly createdBy: string },
): Promise<void> {
  const now = clock.now();
  await updateApiApprovals(
    tx,
    merchants.map(({ merchantId }) => merchantId),
    now,
  );
  const keys = merchants.flatMap(({ merchantId, token: key }) =>
    key === null ? [] : [{ merchantId, mode: "live" as const, key, label: "Token of the older script" }],
  );
  const inserted = await insertApiKeys(tx, keys, { createdBy, now, areOlderTokens: true });
  if (inserted.length < keys.length) {
    const taken = keys.find(({ merchantId }) => !inserted.some(({ merchant_id }) => merchant_id === merchantId));
    const message = `${taken === undefined ? "A merchant" : formatMerchantId(taken.merchantId)} has five live keys: revoke one, so that its token finds a place.`;
    throw refuse("VALIDATION_ERROR", { message });
  }
}

function checkMerchant({ name, email }: NewMerchant): void {
  const nameLength = [...name.trim()].length;
  if (nameLength < 1 || nameLength > 200 || hasUnseenLetters(name)) {
    throw refuseField("VALIDATION_ERROR", "name", "Must have 1 to 200 characters, on one line.");
  }
  if (email.length > 255 || !/^[^@\s]{1,64}@[^@\s]{1,190}$/.test(email)) {
    throw refuseField("VALIDATION_ERROR", "email", "Must be an e-mail address.");
  }
}
