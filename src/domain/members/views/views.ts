import { minuteMs } from "../../../kernel/clock.ts";
import type { MerchantId } from "../../../kernel/ids.ts";
import type { Database } from "../../../platform/database/database.ts";
import { auditDetails } from "../../audit/audit-log.ts";
import { insertEntry } from "../../audit/audit-queries.ts";
import type { Person } from "../../identity/people/person.ts";
import { auditName } from "../../identity/people/person.ts";
import { hashToken, mintToken, type Session, type SessionServices } from "../../identity/people/sessions.ts";
import { formatMerchantId } from "../../merchants/merchant.ts";
import { findExistingMerchant } from "../../merchants/queries.ts";
import { standingOf } from "../../merchants/standing.ts";
import type { StaffRole } from "../../staff/roles.ts";
import type { Membership } from "../membership.ts";
import { deleteView, findViewRow, hasViewPath, insertView, updateViewPaths } from "./view-queries.ts";

/** People of the company with these roles may see a merchant's dashboard as its owner sees it, and change nothing. */
export const viewingRoles: readonly StaffRole[] = ["admin", "finance", "support"];

/** A view ends after so long, however much it is used. */
const lifeMs = 15 * minuteMs;
/** Pages of one view; the audit log has each once. */
const pathsMax = 500;
const pathLengthMax = 300;

/**
 * Begins a view of a merchant's dashboard, which ends after 15 minutes or with the session, and enters it in the audit log.
 * A session has one at a time. @returns the cookie's token, which is nowhere else. @throws Refusal NOT_FOUND
 */
export function openView(
  services: SessionServices,
  { session, merchantId }: { readonly session: Session; readonly merchantId: MerchantId },
): Promise<string> {
  const token = mintToken(services);
  const now = services.clock.now();
  return services.database.transaction(async (tx) => {
    await findExistingMerchant(tx, merchantId);
    const view = { sessionHash: session.hash, hash: hashToken(token), merchantId, now, endsAt: now + lifeMs };
    await insertView(tx, view);
    const details = auditDetails({ merchant: formatMerchantId(merchantId) });
    await insertEntry(tx, { who: auditName(session.person), command: "console view open", details });
    return token;
  });
}

/** A person of the company who sees a merchant's dashboard. */
export interface MerchantView {
  /** Of the view itself: it is nowhere a session of the merchant's people. */
  readonly session: Session;
  /** The place of an owner: what of it may be done is for the console to say. */
  readonly membership: Membership;
  readonly endsAt: number;
}

/** The view of a cookie; null where it has ended, its person logged out, was removed or has another role now. */
export async function findView(
  { database, clock }: Pick<SessionServices, "database" | "clock">,
  token: string,
): Promise<MerchantView | null> {
  if (token.length > 100) return null;
  const hash = hashToken(token);
  const row = await findViewRow(database, { hash, now: clock.now(), roles: viewingRoles });
  if (row === null) return null;
  const person: Person = {
    ...{ id: row.personId, realm: "staff", email: row.personEmail, name: row.personName },
    // Nothing of the person's own is shown in a view, and nothing may be confirmed by it.
    ...{ emailVerifiedAt: 0, hasPassword: false, hasTotp: true, hasPasskey: false },
  };
  const { personId, name, email, suspendedBecause, endsAt } = row;
  const place = { personId, role: "owner", name, email, suspendedBecause, needsTwoStep: false } as const;
  return {
    session: { hash, person, level: "second_factor", factorAt: null },
    membership: { ...standingOf(row), ...place },
    endsAt,
  };
}

/**
 * Enters a page in the audit log before it is shown: once in a view. False where the view has seen all it may, or an address
 * is longer than the log keeps: nothing is seen that isn't in it whole.
 */
export function enterPage(
  { database }: { readonly database: Database },
  { session, membership }: MerchantView,
  path: string,
): Promise<boolean> {
  if (path.length > pathLengthMax) return Promise.resolve(false);
  return database.transaction(async (tx) => {
    const isNew = await updateViewPaths(tx, { hash: session.hash, path, countMax: pathsMax });
    if (!isNew) return hasViewPath(tx, session.hash, path);
    const details = auditDetails({ merchant: formatMerchantId(membership.merchantId), path });
    await insertEntry(tx, { who: auditName(session.person), command: "console view page", details });
    return true;
  });
}

/** Ends the view of a session of the company's console. @returns its merchant; null where it had none */
export function endView({ database }: { readonly database: Database }, session: Session): Promise<MerchantId | null> {
  return database.transaction(async (tx) => {
    const merchantId = await deleteView(tx, session.hash);
    if (merchantId !== null) {
      const details = auditDetails({ merchant: formatMerchantId(merchantId) });
      await insertEntry(tx, { who: auditName(session.person), command: "console view end", details });
    }
    return merchantId;
  });
}
