import { expect, test } from "vitest";
import { betting } from "../../../../src/categories/betting.ts";
import type { CatalogueSnapshot } from "../../../../src/domain/catalogue/snapshot.ts";
import type { Principal } from "../../../../src/domain/merchants/merchant.ts";
import { openVerify } from "../../../../src/domain/purchases/verification/verify.ts";
import type { Logger } from "../../../../src/platform/telemetry/log.ts";
import type { VerifyOutcome } from "../../../../src/providers/contract.ts";
import type { Router } from "../../../../src/providers/router.ts";
import { makeProduct } from "../../../categories/ask.ts";

const product = makeProduct({ amountType: "variable" });
const verified: VerifyOutcome = { kind: "verified", findings: { customer_name: "ADA OBI" } };
const unverifiable: VerifyOutcome = { kind: "unverifiable", evidence: "no such account" };
const unavailable: VerifyOutcome = { kind: "unavailable", evidence: "502" };
const unrequested: VerifyOutcome = { kind: "unasked", evidence: "it verifies no betting" };

/** What the merchant is told where the biller's suppliers answer so, one after the other. */
async function reply(...answers: readonly VerifyOutcome[]): Promise<string> {
  const left = [...answers];
  const verify = openVerify({
    clock: { now: () => 0 },
    catalogue: {
      peek: () => null,
      current: async () =>
        ({ resolveBiller: () => ({ biller: product.biller, products: [product] }) }) as unknown as CatalogueSnapshot,
    },
    router: { verify: async () => left.shift() } as unknown as Router,
    routing: { suppliersOf: async () => answers.map((_answer, n) => ({ supplier: `s${n}`, supplierCode: null })) },
    verificationIds: { issue: () => ({ id: "ver_1", expiresAt: 0 }), check: () => {} },
    log: { warn: () => {}, info: () => {} } as unknown as Logger,
  });
  const inquiry = betting.verify!.read({ biller: "bet9ja", customer_id: "1042377" } as never);
  const principal = { merchantId: 1, mode: "live" } as Principal;
  return verify({ principal, category: betting, inquiry }).then(
    ({ reported: reply }) => String(reply.customer_name),
    (error) => error.code,
  );
}

test("suppliers are asked until one can tell, and only where none can be asked the biller is unavailable", async () => {
  expect(await reply(unrequested, verified)).toBe("ADA OBI");
  expect(await reply(unavailable, unrequested, verified)).toBe("ADA OBI");
  expect(await reply(unrequested, unverifiable, verified)).toBe("VERIFICATION_FAILED");
  expect(await reply(unrequested, unavailable)).toBe("PROVIDER_UNAVAILABLE");
  expect(await reply(unavailable, unrequested)).toBe("PROVIDER_UNAVAILABLE");
  expect(await reply({ kind: "verified", findings: { name: "ADA" } })).toBe("PROVIDER_UNAVAILABLE");
  expect(await reply(unrequested, unrequested)).toBe("BILLER_UNAVAILABLE");
  expect(await reply()).toBe("BILLER_UNAVAILABLE");
});
