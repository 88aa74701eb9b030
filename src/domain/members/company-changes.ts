import type { MerchantId } from "../../kernel/ids.ts";
import { refuse, refuseField } from "../../kernel/problems.ts";
import { resumed, suspended } from "../identity/emails/email-texts.ts";
import { type Person, type PersonId, readEmail, readName } from "../identity/people/person.ts";
import { enter, type PeopleServices } from "../identity/people/send-notice.ts";
import { setMerchantStatus } from "../merchants/administration.ts";
import { formatMerchantId } from "../merchants/merchant.ts";
import { findExistingMerchant, updateMerchantSettings } from "../merchants/queries.ts";
import { registerKeyless } from "../merchants/registration.ts";
import { openWallets } from "../wallet/wallet.ts";
import { deleteInvitation, findInvitationRow } from "./invitation-queries.ts";
import { sendInvitation } from "./invitations.ts";
import { giveRole, lockMembers, noticeOwners, takeAway } from "./members.ts";
import type { Role } from "./roles.ts";

// What the company changes about a merchant and its people. The caller's database enters each in the audit log.

type Services = Pick<PeopleServices, "database" | "clock" | "randomness" | "secretBox" | "company">;

const merchantNameMax = 200;

/**
 * Makes a merchant with its wallets, in these tiers, and invites its owner by an email. It has no keys: its people make them.
 * The audit log's entry is written here, as the merchant has no number before.
 * @throws Refusal VALIDATION_ERROR
 */
export function createMerchant(
  services: Services,
  given: {
    readonly name: string;
    readonly email: string;
    readonly limitTier: number;
    readonly priceTier: number;
    readonly publicUrl: string;
    readonly by: Person;
  },
): Promise<MerchantId> {
  const name = readName(given.name, { field: "name", lengthMax: merchantNameMax });
  const email = readEmail(given.email);
  const { limitTier, priceTier, publicUrl, by } = given;
  return services.database.transaction(async (tx) => {
    const { id } = await registerKeyless(tx, services, { name, email });
    await openWallets(tx, [{ merchantId: id }]);
    await updateMerchantSettings(tx, id, { limit_tier: limitTier, price_tier: priceTier });
    const { name: invitedBy } = await services.company(tx);
    await sendInvitation(tx, services, { merchant: { id, name }, email, role: "owner", invitedBy, publicUrl });
    const details = { merchant: formatMerchantId(id), name, email, limitTier, priceTier };
    await enter(tx, { person: by, command: "console merchant create", details });
    return id;
  });
}

/** Suspends a merchant and tells its owners why; again with another reason, too. @throws Refusal NOT_FOUND */
export function suspendMerchant(services: Services, id: MerchantId, reason: string): Promise<boolean> {
  return setMerchantStatus(services, id, "suspended", {
    because: reason,
    onChanged: async (tx) => {
      const { name: merchant } = await findExistingMerchant(tx, id);
      await noticeOwners(tx, services, id, (frame) => suspended(frame, { merchant, reason }));
    },
  });
}

/** Lets a suspended merchant in again and tells its owners. False where it was not suspended. @throws Refusal NOT_FOUND */
export function resumeMerchant(services: Services, id: MerchantId, reason: string): Promise<boolean> {
  return setMerchantStatus(services, id, "active", {
    onChanged: async (tx) => {
      const { name: merchant } = await findExistingMerchant(tx, id);
      await noticeOwners(tx, services, id, (frame) => resumed(frame, { merchant, reason }));
    },
  });
}

/**
 * Gives one of a merchant's people another role, or takes it away where `role` is null. The last owner stays one.
 * @returns the person's name. @throws Refusal NOT_FOUND, VALIDATION_ERROR
 */
export function changePerson(
  services: Services,
  { merchantId, personId, role }: { merchantId: MerchantId; personId: PersonId; role: Role | null },
): Promise<string> {
  return services.database.transaction(async (tx) => {
    const team = { ...(await lockMembers(tx, merchantId)), personId };
    const { kind, member } =
      role === null ? await takeAway(tx, services, team) : await giveRole(tx, services, { ...team, role });
    if (kind === "last_owner") {
      throw refuse("VALIDATION_ERROR", { message: "That’s the last owner. Invite another owner first." });
    }
    if (kind === "unknown") throw refuse("NOT_FOUND", { message: "That person is no longer on the team." });
    return member.name;
  });
}

/**
 * Makes somebody an owner: a person of the team at once, anybody else by an invitation. @throws Refusal NOT_FOUND,
 * VALIDATION_ERROR
 */
export function makeOwner(
  services: Services,
  given: { readonly merchantId: MerchantId; readonly email: string; readonly publicUrl: string },
): Promise<"invited" | "changed" | "unchanged"> {
  const { merchantId, publicUrl } = given;
  const email = readEmail(given.email);
  return services.database.transaction(async (tx) => {
    const team = await lockMembers(tx, merchantId);
    const member = team.members.find((each) => each.email === email);
    if (member !== undefined) {
      const { kind } = await giveRole(tx, services, { ...team, personId: member.personId, role: "owner" });
      return kind === "changed" ? "changed" : "unchanged";
    }
    const { name: invitedBy } = await services.company(tx);
    const { merchant } = team;
    await sendInvitation(tx, services, { merchant, email, role: "owner", invitedBy, publicUrl });
    return "invited";
  });
}

/** Sends an invitation anew, for the same role; the link before works no longer. @throws Refusal NOT_FOUND */
export function sendInvitationAgain(
  services: Services,
  { merchantId, id, publicUrl }: { readonly merchantId: MerchantId; readonly id: number; readonly publicUrl: string },
): Promise<string> {
  return services.database.transaction(async (tx) => {
    const { merchant } = await lockMembers(tx, merchantId);
    const { email, role, invitedBy } = invitationIn(await findInvitationRow(tx, merchantId, id));
    await sendInvitation(tx, services, { merchant, email, role, invitedBy, publicUrl });
    return email;
  });
}

/** Takes an invitation back. @throws Refusal NOT_FOUND */
export function cancelInvitation(
  { database }: Pick<Services, "database">,
  { merchantId, id }: { readonly merchantId: MerchantId; readonly id: number },
): Promise<string> {
  return database.transaction(async (tx) => {
    await lockMembers(tx, merchantId);
    const { email } = invitationIn(await findInvitationRow(tx, merchantId, id));
    await deleteInvitation(tx, merchantId, id);
    return email;
  });
}

function invitationIn<Found>(invitation: Found | null): Found {
  if (invitation !== null) return invitation;
  throw refuse("NOT_FOUND", { message: "That invitation was accepted or cancelled meanwhile." });
}

/** As the tables bound it. */
export const reasonMax = 200;

/** A reason that a merchant's people read, on one line. @throws Refusal VALIDATION_ERROR */
export function readReason(text: string): string {
  const reason = text.normalize("NFC").trim().replace(/\s+/g, " ");
  if (reason !== "" && reason.length <= reasonMax && /^\P{C}+$/u.test(reason)) return reason;
  throw refuseField("VALIDATION_ERROR", "reason", `Say why, in 1 to ${reasonMax} characters.`);
}
