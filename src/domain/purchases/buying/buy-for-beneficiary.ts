import type { PurchaseIntent } from "../../../categories/category.ts";
import type { Reference } from "../../../kernel/ids.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import { refuseField } from "../../../kernel/problems.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { refuseWhenAway } from "../../../platform/database/refuse-when-away.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import { findBeneficiary } from "../beneficiaries/beneficiaries.ts";
import type { FindByReference } from "../find.ts";
import { type Purchase, soldProductOf } from "../purchase.ts";
import { type Bought, type Buy, type BuyCommand, conflict, type PurchaseRequest } from "./buy.ts";

/** A purchase for a customer whose number the merchant keeps. */
export interface BeneficiaryCommand extends Omit<BuyCommand, "request"> {
  readonly reference: Reference;
  /** As sent. */
  readonly beneficiaryId: string;
  /** Whether the client sent the number as well: then it has to be the same. */
  readonly isNumberSent: boolean;
  /** Reads the request, with this number where none was sent. @throws Refusal */
  readonly read: (customerRef: string) => PurchaseRequest;
}

export type BuyForBeneficiary = (command: BeneficiaryCommand) => Promise<Bought>;

export interface BeneficiaryPurchaseServices {
  readonly database: Queryable;
  readonly catalogue: Catalogue;
  readonly findByReference: FindByReference;
}

/**
 * Buys for a beneficiary, once per reference. The reference is looked up first: a beneficiary that was changed or deleted
 * since never turns a replay into an error. Compared is the id as sent, not the number that it stood for.
 * @throws Refusal BENEFICIARY_NOT_FOUND, VALIDATION_ERROR where the beneficiary does not fit, MAINTENANCE, and those of
 *   `buy`
 */
export function openBuyForBeneficiary(
  services: BeneficiaryPurchaseServices & { readonly buy: Buy },
): BuyForBeneficiary {
  return async function buyForBeneficiary(command) {
    const request = await requestOf(services, command).catch(refuseWhenAway);
    const requested = { ...request.requested, intent: intentOf(command, request.requested) };
    return services.buy({ ...command, request: { ...request, requested } });
  };
}

async function requestOf(services: BeneficiaryPurchaseServices, command: BeneficiaryCommand): Promise<PurchaseRequest> {
  const { principal, reference } = command;
  const { merchantId, mode } = principal;
  const original = await services.findByReference({ wallet: { merchantId, mode }, reference });
  return original === null ? requestForBeneficiary(services, command) : requestAgain(services, command, original);
}

/** A new purchase, with the beneficiary's number. @throws Refusal BENEFICIARY_NOT_FOUND, VALIDATION_ERROR where it does not fit */
async function requestForBeneficiary(
  services: BeneficiaryPurchaseServices,
  command: BeneficiaryCommand,
): Promise<PurchaseRequest> {
  const { principal, category } = command;
  const beneficiary = await findBeneficiary(services.database, principal, command.beneficiaryId);
  if (beneficiary.category !== category.slug) {
    throw refuseField("VALIDATION_ERROR", "beneficiary_id", `Is saved for ${beneficiary.category}.`);
  }
  const request = command.read(beneficiary.customerRef);
  if (request.requested.customerRef !== beneficiary.customerRef) {
    throw refuseField("VALIDATION_ERROR", category.customerField, "Is not the beneficiary's; leave one of them out.");
  }
  const { billerSlug, meterType } = beneficiary;
  if (billerSlug === null && meterType === null) return request;
  const catalogue = await services.catalogue.current();
  const product = catalogue.resolve(request.requested.selector, category.slug, principal);
  if (billerSlug !== null && product.biller.slug !== billerSlug) {
    throw refuseField("VALIDATION_ERROR", "beneficiary_id", `Is saved for ${billerSlug}.`);
  }
  // A meter has one type, and paying into a number of the other kind pays for somebody else, if anybody. A saved
  // network refuses nothing: phone numbers are ported.
  if (meterType !== null && product.meterType !== null && product.meterType !== meterType) {
    throw refuseField("VALIDATION_ERROR", "beneficiary_id", `Is saved as a ${meterType} meter.`);
  }
  return request;
}

/** The same purchase again, with the number that it was made for. @throws Refusal REFERENCE_CONFLICT when it can't be */
async function requestAgain(
  services: BeneficiaryPurchaseServices,
  { category, reference, read }: BeneficiaryCommand,
  original: Purchase,
): Promise<PurchaseRequest> {
  const catalogue = await services.catalogue.current();
  const isOfCategory = soldProductOf(catalogue, original).category === category;
  if (original.customerRef === null || !isOfCategory) throw conflict(reference);
  return read(original.customerRef);
}

/** The fields as sent: the number stands in it only where it was. */
function intentOf(
  { category, beneficiaryId, isNumberSent }: BeneficiaryCommand,
  { intent }: PurchaseIntent,
): JsonObject {
  const sent = isNumberSent ? intent : { ...intent, [category.customerField]: null };
  return { ...sent, beneficiary_id: beneficiaryId };
}
