import type { Category, VerificationRequest } from "../../../categories/category.ts";
import { findingsFit } from "../../../categories/product/fits.ts";
import type { Product } from "../../../categories/product/product.ts";
import type { OfferedProduct, VerifyRequest } from "../../../categories/supplier-request.ts";
import { assert } from "../../../kernel/assert.ts";
import type { Clock, Instant } from "../../../kernel/clock.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import { refuse } from "../../../kernel/problems.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import type { VerifyOutcome } from "../../../providers/contract.ts";
import type { Router } from "../../../providers/router.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { BillerView } from "../../catalogue/snapshot.ts";
import type { Principal } from "../../merchants/merchant.ts";
import type { Routing } from "../../suppliers/routing/routing.ts";
import type { VerificationIds } from "./verification-id.ts";

export interface VerifyCommand {
  readonly principal: Principal;
  readonly category: Category;
  readonly inquiry: VerificationRequest;
}

/** A number that its supplier knows. */
export interface Verified {
  readonly billerSlug: string;
  /** The category's own fields of the answer. */
  readonly reported: JsonObject;
  readonly verificationId: string;
  readonly expiresAt: Instant;
}

export interface VerifyServices {
  readonly clock: Clock;
  readonly catalogue: Catalogue;
  readonly router: Router;
  readonly routing: Pick<Routing, "suppliersOf">;
  readonly verificationIds: VerificationIds;
  readonly log: Logger;
}

/** Half of a vend's: a customer waits at the counter, and asking again costs nothing. */
const verifyDeadlineMs = 15_000;
/** The time kept back for each supplier that comes after the one that is asked. */
const reserveMs = 4_000;

export type Verify = (command: VerifyCommand) => Promise<Verified>;

/**
 * Asks the biller's supplier whom a number belongs to. Stores nothing and charges nothing; safe to repeat.
 * @throws Refusal VERIFICATION_FAILED where the supplier does not know the number, PROVIDER_UNAVAILABLE where it did
 * not answer, BILLER_UNAVAILABLE where nobody can be asked, and those of the catalogue's `resolveBiller`
 */
export function openVerify(services: VerifyServices): Verify {
  const { verificationIds } = services;
  return async function verify(command) {
    const { principal, category, inquiry } = command;
    assert(category.verify !== undefined, "only categories that verify are asked to");
    const catalogue = await services.catalogue.current();
    const view = catalogue.resolveBiller(inquiry.selector, category.slug, principal);
    const billerSlug = view.biller.slug;

    const outcome = await ask(services, command, view);
    if (outcome.kind === "unasked") throw refuse("BILLER_UNAVAILABLE", { retryAfterSeconds: 300 });
    if (outcome.kind === "unverifiable") throw refuse("VERIFICATION_FAILED");
    if (outcome.kind === "unavailable") throw refuse("PROVIDER_UNAVAILABLE");

    const reported = category.verify.answerOf(inquiry, outcome.findings as never, view.products);
    const { merchantId, mode } = principal;
    const number = { merchantId, mode, category: category.slug, billerSlug, customerRef: inquiry.customerRef };
    const { id, expiresAt } = verificationIds.issue(number);
    return { billerSlug, reported, verificationId: id, expiresAt };
  };
}

/**
 * Sandbox asks the simulator, live the biller's suppliers one after the other until one can tell: asking costs nothing,
 * and a supplier in trouble is no reason to lose a customer. They share the time.
 * Unasked: there is nobody who could tell. Unavailable: somebody was asked in vain.
 */
async function ask(services: VerifyServices, command: VerifyCommand, view: BillerView): Promise<VerifyOutcome> {
  const { clock, router, routing, log } = services;
  const suppliers = await routing.suppliersOf(command.principal.mode, view.products);
  const biller = view.biller.slug;
  const endsAt = clock.now() + verifyDeadlineMs;
  let last: VerifyOutcome = { kind: "unasked", evidence: "no supplier serves it" };
  for (const [index, { supplier, supplierCode }] of suppliers.entries()) {
    const at = clock.now();
    const leftMs = endsAt - at;
    if (leftMs <= 0) break;
    const request = verifyRequestOf(command, view, { at, supplierCode });
    const outcome = await router.verify(supplier, request, shareOf(leftMs, suppliers.length - 1 - index));
    const isUsable = outcome.kind === "verified" && findingsFit(request.category, outcome.findings);
    if (isUsable || outcome.kind === "unverifiable") return outcome;
    const evidence = outcome.kind === "verified" ? "findings of another shape" : outcome.evidence;
    if (outcome.kind === "unasked") {
      log.info({ event: "verify.unasked", biller, supplier, evidence });
      continue;
    }
    last = { kind: "unavailable", evidence };
    log.warn({ event: "verify.unavailable", biller, supplier, evidence });
  }
  return last;
}

/** All that is left, less the reserve of each that follows; where that is too little, a reserve. */
function shareOf(leftMs: number, following: number): number {
  return Math.max(leftMs - reserveMs * following, Math.min(leftMs, reserveMs));
}

function verifyRequestOf(
  { principal, category, inquiry }: VerifyCommand,
  view: BillerView,
  { at, supplierCode }: { readonly at: Instant; readonly supplierCode: string | null },
): VerifyRequest {
  return {
    mode: principal.mode,
    category: category.slug,
    billerSlug: view.biller.slug,
    billerName: view.biller.name,
    customerRef: inquiry.customerRef,
    supplierCode,
    details: inquiry.details,
    products: view.products.map(offered),
    at,
  };
}

function offered({ id, code, name, plan, face }: Product): OfferedProduct {
  return { productId: id, productCode: code, productName: name, plan, face };
}
