import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { AccountRequest } from "../../../src/providers/payments/contract.ts";
import { paymentStubs } from "../../support/payments/all-payment-stubs.ts";
import {
  expectNothingSecret,
  openPaymentBench,
  owner,
  type PaymentBench,
} from "../../support/payments/payment-bench.ts";

// What every payment provider's connector must make of the question for a receiving account.

describe.each(paymentStubs)("$connector", (dialect) => {
  let bench: PaymentBench;
  beforeAll(async () => {
    bench = await openPaymentBench(dialect);
  });
  afterAll(() => bench.close());
  beforeEach(() => {
    bench.stub.verify = "answered";
    bench.stub.books.refusal = null;
  });

  const request = (reference: string): AccountRequest => ({ reference, ...owner });

  test("an account is opened once for a reference, also when its first answer was lost", async () => {
    const first = await bench.connector.openAccount(request("mer_open"));
    if (first.kind !== "opened") throw new Error(`${first.kind}: ${first.evidence}`);
    const made = bench.stub.books.accountOf("mer_open");
    expect(first.account).toMatchObject({ accountNumber: made?.accountNumber, accountReference: made?.holder });
    expect(first.account.bankName).toMatch(/wema bank/i);
    expectNothingSecret(dialect, first.evidence);
    const again = await bench.connector.openAccount(request("mer_open"));
    expect(again).toMatchObject({ kind: "opened", account: first.account });
    const other = await bench.connector.openAccount(request("mer_other"));
    expect(other).not.toMatchObject({ account: { accountNumber: first.account.accountNumber } });
    // What arrives there names the holder that it was opened for.
    const { id } = bench.stub.pay(first.account.accountNumber, 5_000n);
    const { accountReference } = first.account;
    expect(await bench.connector.verify(id, { withRefunds: false })).toMatchObject({ transfer: { accountReference } });
  });

  test("a refused account says why, in the provider's words, without the identity number that they repeat", async () => {
    bench.stub.books.refusal = `BVN ${owner.identity.number} is not of ada@example.com`;
    const answer = await bench.connector.openAccount(request("mer_refused"));
    expect(answer).toMatchObject({ kind: "refused", reason: expect.stringMatching(/^BVN .*is not of/) });
    for (const secret of [owner.identity.number, "ada@example.com"])
      expect(JSON.stringify(answer)).not.toContain(secret);
    expectNothingSecret(dialect, answer.evidence);
  });

  test("whether there is an account is unknown while nobody says so: keys that are refused are no refusal of it", async () => {
    const kindOf = async (connector: typeof bench.connector) =>
      (await connector.openAccount(request("mer_unknown"))).kind;
    expect(await kindOf(bench.unreachable)).toBe("unknown");
    expect(await kindOf(bench.deniedAccess)).toBe("unknown");
    bench.stub.verify = "broken";
    expect(await kindOf(bench.connector)).toBe("unknown");
    bench.stub.verify = "ignored";
    expect(await kindOf(bench.impatient)).toBe("unknown");
    expect(bench.stub.books.accountOf("mer_unknown")).toBeUndefined();
  });
});
