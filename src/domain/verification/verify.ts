import { assert } from "../../kernel/assert.ts";
import type { Clock, Instant } from "../../kernel/clock.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { refuse } from "../../kernel/problems.ts";
import type { Logger } from "../../platform/log.ts";
import type { OfferedProduct, VerifyRequest } from "../../providers/contract.ts";
import type { Router } from "../../providers/router.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { BillerView } from "../catalogue/snapshot.ts";
import type { Category, Inquiry } from "../categories/category.ts";
import type { Product } from "../categories/product.ts";
import type { Principal } from "../merchants/merchant.ts";
import type { VerificationIds } from "./verification-id.ts";

export interface VerifyCommand {
  readonly principal: Principal;
  readonly category: Category;
  readonly inquiry: Inquiry;
}

/** A number that its supplier knows. */
export interface Verified {
  readonly billerSlug: string;
  /** The category's own fields of the answer. */
  readonly told: JsonObject;
  readonly verificationId: string;
  readonly expiresAt: Instant;
}

export interface VerifyServices {
  readonly clock: Clock;
  readonly catalogue: Catalogue;
  readonly router: Router;
  readonly verificationIds: VerificationIds;
  readonly log: Logger;
}

export type Verify = (command: VerifyCommand) => Promise<Verified>;

/**
 * Asks the biller's supplier whom a number belongs to. Stores nothing and charges nothing; safe to repeat.
 * @throws Refusal VERIFICATION_FAILED where the supplier does not know the number, PROVIDER_UNAVAILABLE where it did
 * not answer, BILLER_UNAVAILABLE where nobody can be asked, and those of the catalogue's `resolveBiller`
 */
export function openVerify(services: VerifyServices): Verify {
  const { clock, router, verificationIds, log } = services;
  return async function verify(command) {
    const { principal, category, inquiry } = command;
    assert(category.verify !== undefined, "only categories that verify are asked to");
    const catalogue = services.catalogue.peek() ?? (await services.catalogue.load());
    const view = catalogue.resolveBiller(inquiry.selector, category.slug, principal);
    const billerSlug = view.biller.slug;

    const outcome = await router.verify(verifyRequestOf(command, view, clock.now()));
    if (outcome === null) throw refuse("BILLER_UNAVAILABLE", { retryAfterSeconds: 300 });
    if (outcome.kind === "unverifiable") throw refuse("VERIFICATION_FAILED");
    if (outcome.kind === "unavailable") {
      log.warn({ event: "verify.unavailable", biller: billerSlug, evidence: outcome.evidence });
      throw refuse("PROVIDER_UNAVAILABLE");
    }

    const told = category.verify.tell(inquiry, outcome.findings as never, view.products);
    const { merchantId, mode } = principal;
    const number = { merchantId, mode, category: category.slug, billerSlug, customerRef: inquiry.customerRef };
    const { id, expiresAt } = verificationIds.issue(number);
    return { billerSlug, told, verificationId: id, expiresAt };
  };
}

function verifyRequestOf(
  { principal, category, inquiry }: VerifyCommand,
  view: BillerView,
  at: Instant,
): VerifyRequest {
  return {
    mode: principal.mode,
    category: category.slug,
    billerSlug: view.biller.slug,
    billerName: view.biller.name,
    customerRef: inquiry.customerRef,
    supplierCode: null,
    details: inquiry.details,
    products: view.products.map(offered),
    at,
  };
}

function offered({ id, code, name, plan, face }: Product): OfferedProduct {
  return { productId: id, productCode: code, productName: name, plan, face };
}
