import type { Bucket, MerchantId } from "../../kernel/ids.ts";
import type { Mode } from "../../kernel/mode.ts";
import type { ProblemCode } from "../../kernel/problems.ts";
import { forReaders, type Queryable } from "../../platform/database/database.ts";
import { type SpendingLimits, spendingLimits } from "../limits/limits.ts";
import { closedGate } from "../merchants/authenticate.ts";
import { type LegacySettings, legacySettings } from "../merchants/legacy-settings.ts";
import type { MerchantStatus, Principal } from "../merchants/merchant.ts";
import type { PersonId } from "../people/person.ts";
import { listMembershipRows } from "./queries.ts";
import type { Role } from "./roles.ts";

/** A person's place in a merchant, as of one request. */
export interface Membership {
  readonly personId: PersonId;
  readonly role: Role;
  readonly merchantId: MerchantId;
  readonly bucket: Bucket;
  /** Of the merchant. */
  readonly name: string;
  readonly email: string;
  readonly status: MerchantStatus;
  readonly apiApproved: boolean;
  readonly sandboxOn: boolean;
  readonly priceTier: number;
  /** Of live purchases. */
  readonly limits: SpendingLimits;
  readonly duplicateGuardSeconds: number | null;
  readonly legacy: LegacySettings;
}

/** All places of a person in merchants, by the merchants' names. Read at each request, so that a removal acts at once. */
export async function membershipsOf(db: Queryable, personId: PersonId): Promise<Membership[]> {
  return (await listMembershipRows(forReaders(db), personId)).map((row) => ({
    personId,
    role: row.role,
    merchantId: row.merchant_id,
    bucket: row.bucket,
    name: row.name,
    email: row.email,
    status: row.status,
    apiApproved: row.api_approved,
    sandboxOn: row.sandbox_on,
    priceTier: row.price_tier,
    limits: { perTransaction: row.per_transaction, perDay: row.per_day },
    duplicateGuardSeconds: row.duplicate_guard_seconds,
    legacy: legacySettings(row),
  }));
}

/** What a member buys and reads as: the merchant, in a mode. No key let it in. */
export function principalOf(membership: Membership, mode: Mode): Principal {
  const { merchantId, bucket, priceTier, duplicateGuardSeconds, legacy, limits } = membership;
  return {
    merchantId,
    bucket,
    mode,
    keyId: null,
    priceTier,
    limits: spendingLimits(mode, limits),
    duplicateGuardSeconds,
    legacy,
  };
}

/** Why a merchant's members can't buy in a mode right now, though they may read; null where they can. */
export function sellingGate(membership: Membership, mode: Mode): ProblemCode | null {
  return membership.status === "suspended" ? "ACCOUNT_SUSPENDED" : closedGate(mode, membership);
}
