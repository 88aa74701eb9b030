import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Membership } from "../../domain/members/membership.ts";
import type { Principal } from "../../domain/merchants/merchant.ts";
import { assert } from "../../kernel/assert.ts";
import type { WalletKey } from "../../kernel/ids.ts";
import type { Mode } from "../../kernel/mode.ts";
import type { ConsoleRoute, InModes, Routes } from "../kit/routes.ts";
import type { Visit } from "../kit/visit.ts";
import type { Capability } from "./access.ts";

/** A visit of a person who works for a merchant: what pages of the account know of it. */
export interface MemberVisit extends Visit {
  /** The merchant that the person works for now. */
  readonly member: Membership;
  /** All of the person's merchants, the present one among them. */
  readonly memberships: readonly Membership[];
  may(capability: Capability): boolean;
}

/** A visit to a page that has a mode in its path. */
export interface ModeVisit extends MemberVisit {
  readonly mode: Mode;
  /** The wallet of the visit's merchant and mode. */
  readonly wallet: WalletKey;
  /** The merchant that the visit buys for. */
  readonly buyer: Principal;
  /** The path of a page in the visit's mode: `/live/transactions`. */
  to(page: string): string;
}

export type ModeRoutes = Routes<ModeVisit, InModes<Capability>>;
export type AccountRoutes = Routes<MemberVisit, Capability>;

/** A route behind the log-in, with its line of the access matrix. */
export type MerchantRoute = ConsoleRoute<Capability>;

export const VisitContext = createContext<MemberVisit | null>(null);

/** The visit to the page of a mode that is being rendered. */
export function useVisit(): ModeVisit {
  const visit = useContext(VisitContext);
  assert(visit !== null && "wallet" in visit, "only pages of a mode ask for its visit");
  return visit as ModeVisit;
}
