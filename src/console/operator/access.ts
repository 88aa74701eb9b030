import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { viewingRoles } from "../../domain/members/views/views.ts";
import type { StaffRole } from "../../domain/staff/roles.ts";
import type { StaffMember } from "../../domain/staff/staff-queries.ts";
import { assert } from "../../kernel/assert.ts";
import type { ConsoleRoute, Routes } from "../kit/routes.ts";
import type { Visit } from "../kit/visit.ts";

/** What may be done in the company's console, as far as roles tell it apart. */
export type Capability = keyof typeof matrix;

interface Rule {
  readonly roles: readonly StaffRole[];
  /** A factor of the last 15 minutes is asked for. */
  readonly isFresh?: boolean;
}

const everybody: readonly StaffRole[] = ["admin", "finance", "catalogue", "support"];

/** The roles that may do what. Every route of the company's console names its line; the roles are read anew at each request. */
export const matrix = {
  /** Today, search, merchants, sales and their timelines. */
  look: { roles: everybody },
  /** A sale by the last digits of its token or PIN, which a caller reads out. */
  find_by_code: { roles: ["admin", "finance", "support"] },
  /** What was delivered, in clear; audited. */
  reveal: { roles: ["admin", "finance"], isFresh: true },
  /** Showing what was delivered, goodwill, sending a webhook again: who may not do it alone asks for it. */
  act_on_sales: { roles: ["admin", "finance", "support"], isFresh: true },
  see_review: { roles: ["admin", "finance", "support"] },
  ask_supplier: { roles: ["admin", "finance", "support"] },
  /** Ending a sale in review: a second person approves. */
  resolve: { roles: ["admin", "finance"], isFresh: true },
  /** Credits, and merchants' statements. */
  see_money: { roles: ["admin", "finance"] },
  /** A bank's statement that is read: nothing is credited by it. */
  import_statements: { roles: ["admin", "finance"] },
  /** Credits, debits, refunds as goodwill: a second person approves. */
  move_money: { roles: ["admin", "finance"], isFresh: true },
  /** Seeing a merchant's dashboard as its owner does, read only. */
  view_as_merchant: { roles: viewingRoles },
  /** Transfers that payment providers tell of, whose they are, and the providers. */
  see_payments: { roles: ["admin", "finance", "support"] },
  /** Says whose a transfer is that came to nobody's account: a second person approves. */
  match_payments: { roles: ["admin", "finance"], isFresh: true },
  /** Says how it ended that a provider contradicts a booked transfer: moves no money. */
  end_contradictions: { roles: ["admin", "finance"], isFresh: true },
  /** Decides who receives merchants' money, and by which keys: a second person approves. */
  change_payment_providers: { roles: ["admin", "finance"], isFresh: true },
  propose_access: { roles: ["admin", "support"] },
  /** Suspending merchants, their limits, tiers, addresses and keys. */
  change_merchants: { roles: ["admin"], isFresh: true },
  see_suppliers: { roles: ["admin", "catalogue", "support", "finance"] },
  change_suppliers: { roles: ["admin", "catalogue"], isFresh: true },
  see_prices: { roles: everybody },
  change_prices: { roles: ["admin", "catalogue"] },
  /** A file of vouchers that is looked through: nothing of it is for sale before `import_vouchers`. */
  upload_vouchers: { roles: ["admin", "catalogue"] },
  import_vouchers: { roles: ["admin", "catalogue"], isFresh: true },
  /** Reconciliation and reports. */
  see_reports: { roles: ["admin", "finance", "support"] },
  reconcile: { roles: ["admin", "finance"], isFresh: true },
  /** What others asked for; one's own requests everybody sees. */
  see_approvals: { roles: ["admin", "finance", "catalogue"] },
  /** Taking back what one asked for, and approving or refusing what another person did: each kind names its roles. */
  approve: { roles: everybody, isFresh: true },
  see_staff: { roles: ["admin"] },
  change_staff: { roles: ["admin"], isFresh: true },
  change_settings: { roles: ["admin"], isFresh: true },
  /** The emails that were written: their links let people in. */
  read_emails: { roles: ["admin"], isFresh: true },
  see_audit: { roles: ["admin", "finance"] },
  /** One's own sessions, password and two-step login. */
  own_account: { roles: everybody },
  change_own_factors: { roles: everybody, isFresh: true },
} as const satisfies Record<string, Rule>;

export function may(role: StaffRole, capability: Capability): boolean {
  return (matrix[capability].roles as readonly StaffRole[]).includes(role);
}

export function needsFreshFactor(capability: Capability): boolean {
  return (matrix[capability] as Rule).isFresh === true;
}

export interface StaffVisit extends Visit {
  readonly staff: StaffMember;
  /** Changes that wait for this person's decision. */
  readonly toDecide: number;
  may(capability: Capability): boolean;
}

export type StaffRoutes = Routes<StaffVisit, Capability>;

/** A route behind the login, with its line of the access matrix. */
export type OperatorRoute = ConsoleRoute<Capability>;

export const VisitContext = createContext<StaffVisit | null>(null);

export function useVisit(): StaffVisit {
  const visit = useContext(VisitContext);
  assert(visit !== null, "pages are rendered for a visit");
  return visit;
}
