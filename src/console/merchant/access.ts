import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { type Membership, principalOf } from "../../domain/members/membership.ts";
import type { Role } from "../../domain/members/roles.ts";
import type { Principal } from "../../domain/merchants/merchant.ts";
import { assert } from "../../kernel/assert.ts";
import type { WalletKey } from "../../kernel/ids.ts";
import type { Mode } from "../../kernel/mode.ts";
import type { ConsoleRoute, InModes, Routes } from "../kit/routes.ts";
import type { Visit } from "../kit/visit.ts";

/** What may be done in the merchants' console, as far as roles tell it apart. */
export type Capability = keyof typeof matrix;

interface Rule {
  readonly roles: readonly Role[];
  /** In which mode a factor of the last 15 minutes is asked for. */
  readonly freshIn?: "both" | Mode;
}

const everybody: readonly Role[] = ["owner", "developer", "finance", "cashier", "viewer"];
/** Everybody but cashiers, who see of the business what they sold themselves. */
const insiders: readonly Role[] = ["owner", "developer", "finance", "viewer"];

/** The roles that may do what. Every route of the merchants' console names its line; the roles are read anew at each request. */
export const matrix = {
  /** The address that a log-in leads to: the overview, for cashiers the page that sells. */
  enter: { roles: everybody },
  /** Overview, transactions, timeline, prices. */
  look: { roles: insiders },
  /** How much money is left. */
  see_balance: { roles: insiders },
  /** What the business pays for a sale, its discount and so its margin. A customer may look over a cashier's shoulder. */
  see_costs: { roles: insiders },
  /** A PIN or token of any sale in clear; audited. */
  reveal: { roles: ["owner", "finance"], freshIn: "both" },
  /** A receipt, and what became of a sale by hand: a cashier's own alone. */
  see_receipt: { roles: everybody },
  /** The PIN or token on it, for the customer; audited. */
  hand_over: { roles: ["owner", "finance", "cashier"], freshIn: "both" },
  /** Request log and errors. */
  read_requests: { roles: ["owner", "developer", "viewer"] },
  /** Test keys, webhooks, resending, sandbox reset, try-it. */
  develop: { roles: ["owner", "developer"] },
  /** The signature tester: it signs by the merchant's own secret. */
  test_signatures: { roles: ["owner", "developer"] },
  /** The delivery log as a file: for those who may both read it and take files. */
  export_deliveries: { roles: ["owner"] },
  /** Live keys and the list of addresses. */
  hold_live_keys: { roles: ["owner", "developer"], freshIn: "both" },
  /** Statement, export, ways to pay in. */
  see_money: { roles: ["owner", "finance"] },
  /** Selling one by one, and one's own sales of a day. */
  buy: { roles: ["owner", "finance", "cashier"], freshIn: "live" },
  /** Selling in bulk. */
  buy_in_bulk: { roles: ["owner", "finance"], freshIn: "live" },
  /** Saved customers' numbers. */
  keep_beneficiaries: { roles: ["owner", "finance"] },
  /** Members and business details, what each sold and did. */
  run_business: { roles: ["owner"] },
  /** Members, as a change that lets somebody in or out. */
  change_members: { roles: ["owner"], freshIn: "both" },
  /** One's own sessions, password, factors and emails. */
  own_account: { roles: everybody },
  /** One's own factors, as a change. */
  change_own_factors: { roles: everybody, freshIn: "both" },
} as const satisfies Record<string, Rule>;

/** The pages where a person changes something whose email is unconfirmed: it may be somebody else's. */
export const openUnconfirmed: readonly (Mode | null)[] = ["test", null];

export function may(role: Role, capability: Capability): boolean {
  return (matrix[capability].roles as readonly Role[]).includes(role);
}

/**
 * What somebody of the company sees of a merchant's dashboard: what its owner does, but for secrets, files and what is a
 * person's own. Forms are refused before any of this is asked.
 */
const viewable: ReadonlySet<Capability> = new Set([
  ...(["enter", "look", "see_balance", "see_costs", "see_receipt", "read_requests", "develop"] as const),
  ...(["hold_live_keys", "see_money", "buy", "buy_in_bulk", "keep_beneficiaries", "run_business"] as const),
]);

export function mayView(capability: Capability): boolean {
  return viewable.has(capability);
}

/** Whether a route of this capability asks for a fresh factor in this mode; null: the page belongs to no mode. */
export function needsFreshFactor(capability: Capability, mode: Mode | null): boolean {
  const { freshIn }: Rule = matrix[capability];
  return freshIn === "both" || (freshIn !== undefined && freshIn === mode);
}

/** A visit of a person who works for a merchant: what pages of the account know of it. */
export interface MemberVisit extends Visit {
  /** The merchant that the person works for now. */
  readonly member: Membership;
  /** All of the person's merchants, the present one among them. */
  readonly memberships: readonly Membership[];
  /** Until when somebody of the company looks, read only; null for the merchant's own people. */
  readonly viewedUntil: number | null;
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

/** What a visit to a page of a mode knows besides. */
export function inMode(visit: MemberVisit): MemberVisit | ModeVisit {
  const { mode, member } = visit;
  if (mode === null) return visit;
  const wallet = { merchantId: member.merchantId, mode };
  return { ...visit, mode, wallet, buyer: principalOf(member, mode), to: (path: string) => `/${mode}/${path}` };
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
