import type { MerchantId } from "../../kernel/ids.ts";
import { refuseField } from "../../kernel/problems.ts";
import { liveAccessGranted, liveAccessRefused, liveAccessRequested } from "../identity/emails/email-texts.ts";
import type { Person } from "../identity/people/person.ts";
import { enter, type PeopleServices } from "../identity/people/send-notice.ts";
import { approveMerchant } from "../merchants/administration.ts";
import { formatMerchantId } from "../merchants/merchant.ts";
import { findExistingMerchant, lockMerchant } from "../merchants/queries.ts";
import {
  type BusinessDetails,
  findBusinessDetails,
  insertBusinessDetails,
  updateLiveAccessRefused,
  updateLiveAccessRequested,
} from "./live-access-queries.ts";
import { isOwner, lockMembers, memberAmong, noticeOwners } from "./members.ts";
import { noticeCompany } from "./sign-up.ts";

/** Saves a merchant's business details. @throws Refusal VALIDATION_ERROR with the fields that are wrong, NOT_FOUND */
export async function saveBusinessDetails(
  services: PeopleServices,
  given: { readonly merchantId: MerchantId; readonly details: BusinessDetails; readonly by: Person },
): Promise<{ readonly kind: "saved" | "not_owner" }> {
  const { merchantId, by } = given;
  const details = readDetails(given.details);
  return services.database.transaction(async (tx) => {
    const { members } = await lockMembers(tx, merchantId);
    if (!isOwner(members, by)) return { kind: "not_owner" };
    await insertBusinessDetails(tx, merchantId, { ...details, requestedBy: by.email });
    const named = { merchant: formatMerchantId(merchantId), business: details.businessName };
    await enter(tx, { person: by, command: "console business save", details: named });
    return { kind: "saved" };
  });
}

type RequestState = "asked" | "asked_before" | "approved" | "unverified" | "no_details" | "not_owner";

/** Asks for live access, once, with the details that were saved. The operator is told. @throws Refusal NOT_FOUND */
export function askLiveAccess(
  services: PeopleServices,
  { merchantId, by }: { readonly merchantId: MerchantId; readonly by: Person },
): Promise<{ readonly kind: RequestState }> {
  const { database, clock, log } = services;
  return database.transaction(async (tx) => {
    const { merchant, members } = await lockMembers(tx, merchantId);
    if (!isOwner(members, by)) return { kind: "not_owner" };
    if (merchant.api_approved_at !== null) return { kind: "approved" };
    if (memberAmong(members, by.id)?.isVerified !== true) return { kind: "unverified" };
    if ((await findBusinessDetails(tx, merchantId)) === null) return { kind: "no_details" };
    const isFirst = await updateLiveAccessRequested(tx, merchantId, { now: clock.now(), by: by.email });
    if (!isFirst) return { kind: "asked_before" };
    const id = formatMerchantId(merchantId);
    await noticeCompany(tx, services, (frame) =>
      liveAccessRequested(frame, { merchant: merchant.name, id, by: by.email, publicUrl: services.publicUrl }),
    );
    log.info({ event: "merchant.live_access_asked", merchantId: id });
    await enter(tx, { person: by, command: "console live-access ask", details: { merchant: id } });
    return { kind: "asked" };
  });
}

/**
 * Lets a merchant's live keys be made and used, and writes to its owners. The operator's command enters it in the audit log.
 * `publicUrl` is null where nobody knows the console's address. False when it was approved before. @throws Refusal NOT_FOUND
 */
export function approveLiveAccess(
  services: Pick<PeopleServices, "database" | "clock" | "secretBox" | "company">,
  merchantId: MerchantId,
  publicUrl: string | null,
): Promise<boolean> {
  return approveMerchant(services, merchantId, async (tx) => {
    const { name: merchant } = await findExistingMerchant(tx, merchantId);
    const link = publicUrl === null ? "In the console, under Keys." : `${publicUrl}/live/keys`;
    await noticeOwners(tx, services, merchantId, (frame) => liveAccessGranted(frame, { merchant, link }));
  });
}

/**
 * Refuses live access with a reason, which its owners are emailed and read under Business; they may ask again. The caller's
 * database enters it in the audit log. False where nobody waits for it. @throws Refusal NOT_FOUND
 */
export function refuseLiveAccess(
  services: Pick<PeopleServices, "database" | "clock" | "secretBox" | "company">,
  merchantId: MerchantId,
  reason: string,
): Promise<boolean> {
  return services.database.transaction(async (tx) => {
    const { name: merchant, api_approved_at: approvedAt } = await lockMerchant(tx, merchantId);
    if (approvedAt !== null || !(await updateLiveAccessRefused(tx, merchantId, reason))) return false;
    await noticeOwners(tx, services, merchantId, (frame) => liveAccessRefused(frame, { merchant, reason }));
    return true;
  });
}

/** As the table bounds them. */
const lengths: { readonly [Field in keyof BusinessDetails]: readonly [number, number] } = {
  businessName: [1, 200],
  registrationNumber: [1, 60],
  address: [1, 300],
  phone: [5, 30],
  website: [1, 200],
  sells: [1, 1_000],
};

function readDetails(given: BusinessDetails): BusinessDetails {
  const { businessName, registrationNumber, address, phone, website, sells } = given;
  return {
    businessName: readDetail("businessName", businessName),
    registrationNumber: registrationNumber === null ? null : readDetail("registrationNumber", registrationNumber),
    address: readDetail("address", address),
    phone: readDetail("phone", phone),
    website: website === null ? null : readDetail("website", website),
    sells: readDetail("sells", sells),
  };
}

/** One of the details in one spelling. @throws Refusal VALIDATION_ERROR */
export function readDetail(field: keyof BusinessDetails, given: string): string {
  const [min, max] = lengths[field];
  const text = given.normalize("NFC").replace(/\r\n?/g, "\n").trim();
  if (text.length < min || text.length > max) {
    const sentence = text === "" ? "Fill this in." : `Use ${min} to ${max} characters.`;
    throw refuseField("VALIDATION_ERROR", field, sentence);
  }
  // Lines, where somebody tells more; nothing else that can't be seen.
  if (/[^\P{C}\n]/u.test(text))
    throw refuseField("VALIDATION_ERROR", field, "Use letters, digits, signs and line breaks only.");
  return text;
}
