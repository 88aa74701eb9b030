import type { Instant } from "../../kernel/clock.ts";

declare const personIdBrand: unique symbol;
/** A person's number. */
export type PersonId = number & { readonly [personIdBrand]: true };

/** Which console a person belongs to: the merchants', or the operator's own. */
export type Realm = "merchant" | "staff";

/** Whoever logs in. Nothing in it is secret. */
export interface Person {
  readonly id: PersonId;
  readonly realm: Realm;
  /** In lower case. */
  readonly email: string;
  readonly name: string;
  /** Null: no link that was sent to the address has been followed. */
  readonly emailVerifiedAt: Instant | null;
  readonly hasPassword: boolean;
  /** Whether codes of an authenticator app are asked for. */
  readonly hasTotp: boolean;
}
