import type { Mode } from "../../kernel/mode.ts";
import type { ProblemCode } from "../../kernel/problems.ts";
import { forReaders, type Queryable } from "../../platform/database/database.ts";
import type { PersonId } from "../identity/people/person.ts";
import { closedGate } from "../merchants/keyring.ts";
import type { Account, Principal } from "../merchants/merchant.ts";
import { principalIn, type Standing, standingOf } from "../merchants/standing.ts";
import { listMembershipRows } from "./queries.ts";
import type { Role } from "./roles.ts";

/** A person's place in a merchant, as of one request. */
export interface Membership extends Standing {
  readonly personId: PersonId;
  readonly role: Role;
  /** Of the merchant. */
  readonly name: string;
  readonly email: string;
  /** Why it is suspended, for its people; null where nobody said. */
  readonly suspendedBecause: string | null;
  /** Whether the business demands two-step login of everybody on its team. */
  readonly needsTwoStep: boolean;
}

/** All places of a person in merchants, by the merchants' names. Read at each request, so that a removal acts at once. */
export async function membershipsOf(db: Queryable, personId: PersonId): Promise<Membership[]> {
  return (await listMembershipRows(forReaders(db), personId)).map((row) => {
    const { role, name, email, suspendedBecause, needsTwoStep } = row;
    return { ...standingOf(row), personId, role, name, email, suspendedBecause, needsTwoStep };
  });
}

/** What a member buys and reads as: the merchant, in a mode. No key let it in. */
export function principalOf(membership: Membership, mode: Mode): Principal {
  return { ...principalIn(membership, mode), keyId: null };
}

/** As what the API lets a member in who tries it out: in the sandbox alone. The list of addresses is for keys. */
export function sandboxAccountOf(membership: Membership): Account {
  const { status, apiApproved, sandboxOn } = membership;
  const principal = principalOf(membership, "test");
  return { principal, status, apiApproved, sandboxOn, keyExpiresAt: null, allowlist: [] };
}

/** Why a merchant's members can't buy in a mode right now, though they may read; null where they can. */
export function sellingGate(membership: Membership, mode: Mode): ProblemCode | null {
  return membership.status === "suspended" ? "ACCOUNT_SUSPENDED" : closedGate(mode, membership);
}
