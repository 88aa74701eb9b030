import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { RefundsAnswer, Transfer } from "../../../src/providers/payments/contract.ts";
import { paymentStubs } from "../../support/payments/all-payment-stubs.ts";
import { monnifyStub, monnifyToken } from "../../support/payments/monnify-stub.ts";
import {
  expectNothingSecret,
  impatientMs,
  openPaymentBench,
  type PaymentBench,
} from "../../support/payments/payment-bench.ts";
import type { StubTransfer } from "../../support/payments/payment-stub.ts";
import { waitUntil } from "../../support/receiver.ts";

// What every payment provider's connector must make of what its provider says, for all of them alike.

const dayMs = 86_400_000;
const once = { withRefunds: false };
const withRefunds = { withRefunds: true };

describe.each(paymentStubs)("$connector", (dialect) => {
  let bench: PaymentBench;
  beforeAll(async () => {
    bench = await openPaymentBench(dialect);
  });
  afterAll(() => bench.close());
  beforeEach(() => {
    const untouched = { verify: "answered", conduct: null, answersAbout: null, twist: null } as const;
    Object.assign(bench.stub, untouched);
  });

  const account = () => bench.stub.books.open("mer_one");
  const pay = (amount = 1_234_567n, given: Partial<StubTransfer> = {}) =>
    bench.stub.pay(account().accountNumber, amount, { fee: 5_025n, ...given });
  async function paid(transfer: StubTransfer, options = once): Promise<Transfer> {
    const answer = await bench.connector.verify(transfer.id, options);
    if (answer.kind !== "paid") throw new Error(`${answer.kind}: ${answer.evidence}`);
    expectNothingSecret(dialect, answer.evidence);
    return answer.transfer;
  }

  test.each([1n, 10n, 99n, 100n, 1_010n, 29_999n, 123_456_789n, 5_000_000_05n, 9_007_199_254_07n])(
    "a transfer of %s kobo is told to the kobo",
    async (amount) => {
      const fee = amount / 7n;
      const sender = { name: "ADA EZE", bank: "Access Bank", accountNumber: "0123456789", narration: null };
      const found = await paid(pay(amount, { fee, sender: { ...sender, sessionId: null } }));
      expect(found).toMatchObject({ amount, fee, takenBack: 0n, accountReference: account().holder, sender });
      expect(found.accountNumber).toBe(dialect.tells.accountNumber ? account().accountNumber : null);
    },
  );

  test("when it was paid is told to the second, whatever time zone it writes", async () => {
    const paidAt = Date.UTC(2026, 10, 17, 23, 30, 15);
    expect((await paid(pay(500n, { paidAt, fee: 0n }))).paidAt).toBe(paidAt);
  });

  test("a transfer without the number of its account is told by its holder", async () => {
    const found = await paid(pay(7_000n, { accountNumber: null }));
    expect(found).toMatchObject({ accountNumber: null, accountReference: account().holder });
  });

  test("what is neither yes nor no is unknown, and a no is a no", async () => {
    const kindOf = async (given: Partial<StubTransfer>) =>
      (await bench.connector.verify(pay(2_000n, { fee: 0n, ...given }).id, once)).kind;
    expect(await kindOf({ status: "pending" })).toBe("unknown");
    expect(await kindOf({ status: "failed" })).toBe("refused");
    expect(await kindOf({ currency: "USD" })).toBe("refused");
    expect(await kindOf({ currency: "" })).toBe("unknown");
    expect(await kindOf({ amount: 0n })).toBe("unknown");
    expect(await kindOf({ fee: 2_001n })).toBe("unknown");
    expect(await kindOf({ fee: 2_000n })).toBe("paid");
  });

  test("one that it does not know yet is unknown, and paid later", async () => {
    const transfer = pay();
    bench.stub.verify = "missing";
    expect((await bench.connector.verify(transfer.id, once)).kind).toBe("unknown");
    bench.stub.verify = "answered";
    expect((await bench.connector.verify(dialect.idOf(900_000), once)).kind).toBe("unknown");
    expect((await paid(transfer)).amount).toBe(transfer.amount);
  });

  test("a broken, silent or unreachable provider, or one that denies us access, says nothing", async () => {
    const { id } = pay();
    bench.stub.verify = "broken";
    expect((await bench.connector.verify(id, once)).kind).toBe("unknown");
    bench.stub.verify = "answered";
    expect((await bench.unreachable.verify(id, once)).kind).toBe("unknown");
    const denied = await bench.deniedAccess.verify(id, once);
    expect(denied.kind).toBe("unknown");
    expectNothingSecret(dialect, denied.evidence);
    bench.stub.verify = "ignored";
    const startedAt = performance.now();
    expect((await bench.impatient.verify(id, once)).kind).toBe("unknown");
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(impatientMs - 2);
  });

  test("what it tells of another transfer is not believed", async () => {
    const [first, other] = [pay(500n, { fee: 0n }), pay(90_000_000n)];
    bench.stub.answersAbout = other;
    expect((await bench.connector.verify(first.id, once)).kind).toBe("unknown");
  });

  test("a transfer that is heard of for the first time takes one question; what went back is asked of one that is known", async () => {
    const transfer = pay(10_000n, { takenBack: 2_501n });
    await paid(transfer); // Whatever it takes to be let in.
    const before = bench.stub.requests.length;
    expect((await paid(transfer)).takenBack).toBe(0n);
    expect(bench.stub.requests.length - before).toBe(1);
    expect((await paid(transfer, withRefunds)).takenBack).toBe(2_501n);
  });

  test("what went back in parts adds up to the whole, and another transfer's refund is none of it", async () => {
    const [transfer, other] = [pay(10_001n, { fee: 0n }), pay(10_001n, { takenBack: 900n })];
    expect((await paid(transfer, withRefunds)).takenBack).toBe(0n);
    for (const takenBack of [1n, 5_000n, 10_001n]) {
      transfer.takenBack = takenBack;
      expect((await paid(transfer, withRefunds)).takenBack).toBe(takenBack);
      expect((await paid(other, withRefunds)).takenBack).toBe(900n);
    }
    // More than there was: somebody's books are wrong, and nothing is made of it.
    transfer.takenBack = 10_003n;
    expect((await bench.connector.verify(transfer.id, withRefunds)).kind).toBe("unknown");
  });

  test("a refund that newer ones have moved to a later page is found", async () => {
    const transfer = pay(10_000n, { takenBack: 3_000n });
    for (let newer = 1; newer <= 40; newer++) pay(5_000n, { takenBack: 1_000n });
    expect((await paid(transfer, withRefunds)).takenBack).toBe(3_000n);
  });

  test("a refund is found behind however many newer ones", async () => {
    const transfer = pay(10_000n, { takenBack: 3_000n });
    for (let newer = 1; newer <= 90; newer++) pay(5_000n, { takenBack: 1_000n });
    expect((await paid(transfer, withRefunds)).takenBack).toBe(3_000n);
  });

  test("a refund that a newer one moves to the next page while the list is read counts once", async () => {
    const transfers = Array.from({ length: 30 }, () => pay(10_000n, { takenBack: 3_000n }));
    let page = 0;
    bench.stub.conduct = (path) => {
      if (/\/refunds?(\?|$)/.test(path) && ++page === 2) pay(5_000n, { takenBack: 1_000n });
      return { fate: "answered", afterMs: 0 };
    };
    // The newest first: each stands at the end of a first page once.
    for (const transfer of transfers.toReversed()) {
      page = 0;
      expect((await paid(transfer, withRefunds)).takenBack).toBe(3_000n);
    }
  });

  test("no refund is asked for that is days older than its transfer", async () => {
    const takenBackAt = Date.now() - 9 * dayMs;
    for (let older = 1; older <= 900; older++) pay(5_000n, { takenBack: 1_000n, takenBackAt });
    const transfer = pay(10_000n, { paidAt: Date.now() - 3 * dayMs });
    const count = () => bench.stub.requests.filter((request) => request.includes("refund")).length;
    const before = count();
    expect((await paid(transfer, withRefunds)).takenBack).toBe(0n);
    // A page for each ten that other tests of this stub gave back.
    expect(count() - before).toBeLessThan(100);
  });

  test.runIf(dialect.tells.disputes)("a transfer that went back without a refund has gone back whole", async () => {
    const transfer = pay(10_000n, { takenBack: 10_000n, takenBackBy: "dispute" });
    for (const options of [once, withRefunds]) expect((await paid(transfer, options)).takenBack).toBe(10_000n);
  });

  test("as long as nobody tells what went back, a transfer that is known is unknown again", async () => {
    const transfer = pay(10_000n, { takenBack: 3_000n });
    for (const fate of ["broken", "missing"] as const) {
      bench.stub.conduct = (path) => ({ fate: path.includes("refund") ? fate : "answered", afterMs: 0 });
      expect((await bench.connector.verify(transfer.id, withRefunds)).kind).toBe("unknown");
    }
  });

  test("the list tells every transfer of a time once, page by page", async () => {
    const from = Date.UTC(2024, 2, 10);
    const at = (paidAt: number) => pay(1_000n, { paidAt, fee: 0n }).id;
    const within = Array.from({ length: 230 }, (_, nth) => at(from + nth * 60_000));
    const outside = [at(from - 3 * dayMs), at(from + 5 * dayMs)];
    const listed: string[] = [];
    for (let page: number | null = 1; page !== null; ) {
      const answer = await bench.connector.list({ from, to: from + dayMs / 2, page });
      if (answer.kind !== "told") throw new Error(answer.evidence);
      listed.push(...answer.paymentIds);
      page = answer.nextPage;
    }
    expect(listed.toSorted()).toEqual(within.toSorted());
    expect(listed).not.toEqual(expect.arrayContaining(outside));
    expect(await bench.connector.list({ from: 0, to: dayMs, page: 1 })).toEqual({
      kind: "told",
      paymentIds: [],
      nextPage: null,
    });
  });

  test("a list that is not told, or not the page that was asked for, has failed", async () => {
    const range = { from: Date.now() - dayMs, to: Date.now() + dayMs, page: 1 };
    pay();
    const failed = { kind: "failed", evidence: expect.any(String) };
    bench.stub.twist = (body) => body.replace(/"(page|current_page|number)":[01]/, '"$1":7');
    expect(await bench.connector.list(range)).toEqual(failed);
    bench.stub.twist = null;
    expect(await bench.unreachable.list(range)).toEqual(failed);
    expect(await bench.deniedAccess.list(range)).toEqual(failed);
    for (const fate of ["broken", "missing", "ignored"] as const) {
      bench.stub.verify = fate;
      expect(await bench.impatient.list(range)).toEqual(failed);
    }
  });

  test("the list of refunds tells what went back of each transfer in a time, by the transfer's own id, page by page", async () => {
    const from = Date.UTC(2024, 5, 10);
    const refund = (takenBack: bigint, takenBackAt: number) => pay(90_000n, { takenBack, takenBackAt, fee: 0n }).id;
    const within = Array.from({ length: 60 }, (_, nth) => [refund(BigInt(nth + 1), from + nth * 60_000), nth + 1]);
    refund(7n, from - 3 * dayMs);
    refund(7n, from + 5 * dayMs);
    const sums = new Map<string, number>();
    let pages = 0;
    for (let page: number | null = 1; page !== null; pages++) {
      const answer: RefundsAnswer | undefined = await bench.connector.listRefunds?.({
        from,
        to: from + dayMs / 2,
        page,
      });
      if (answer?.kind !== "told") throw new Error(answer?.evidence ?? "it can't");
      for (const { paymentId, amount } of answer.refunds)
        sums.set(paymentId, (sums.get(paymentId) ?? 0) + Number(amount));
      page = answer.nextPage;
    }
    expect([...sums].toSorted()).toEqual(within.toSorted());
    expect(pages).toBeGreaterThan(1);
  });

  test("a list of refunds that is not told has failed, also where a transfer's id is not", async () => {
    pay(9_000n, { takenBack: 5n });
    const range = { from: Date.now() - dayMs, to: Date.now() + dayMs, page: 1 };
    const failed = { kind: "failed", evidence: expect.any(String) };
    expect(await bench.connector.listRefunds?.(range)).toMatchObject({ kind: "told" });
    expect(await bench.deniedAccess.listRefunds?.(range)).toEqual(failed);
    for (const fate of ["broken", "missing", "ignored"] as const) {
      bench.stub.conduct = (path) => ({ fate: path.includes("refund") ? fate : "answered", afterMs: 0 });
      expect(await bench.impatient.listRefunds?.(range)).toEqual(failed);
    }
    bench.stub.conduct = (path) => ({ fate: /[0-9]$/.test(path) ? "broken" : "answered", afterMs: 0 });
    const { kind } = (await bench.connector.listRefunds?.(range)) ?? {};
    expect(kind).toBe(dialect.connector === "paystack" ? "failed" : "told");
  });

  test("what went back is read once for those who ask together, and anew for who asks while it is read", async () => {
    const transfers = Array.from({ length: 20 }, () => pay(10_000n));
    const [first, second] = [pay(10_000n), pay(10_000n)];
    const reads = () => bench.stub.requests.filter((request) => /\/refunds?(\?|$)/.test(request)).length;
    const isShared = dialect.connector !== "paystack";
    bench.stub.requests.length = 0;
    await paid(first, withRefunds);
    const whole = reads();
    const answers = await Promise.all(transfers.map(({ id }) => bench.connector.verify(id, withRefunds)));
    expect(answers.every((answer) => answer.kind === "paid" && answer.transfer.takenBack === 0n)).toBe(true);
    const known = reads();
    expect(known - whole < (transfers.length / 2) * whole).toBe(isShared);

    bench.stub.conduct = (path) => ({ fate: "answered", afterMs: /\/refunds?(\?|$)/.test(path) ? 30 : 0 });
    const early = bench.connector.verify(first.id, withRefunds);
    await waitUntil(() => reads() > known, "the list to be read");
    Object.assign(second, { takenBack: 4_000n, takenBackAt: Date.now() });
    const late = await bench.connector.verify(second.id, withRefunds);
    expect(late).toMatchObject({ kind: "paid", transfer: { takenBack: 4_000n } });
    expect((await early).kind).toBe("paid");
  });

  test("questions that follow one another share one deadline", async () => {
    const [transfer] = Array.from({ length: 60 }, () => pay(10_000n, { takenBack: 3_000n }));
    if (transfer === undefined) throw new Error("there is none");
    bench.stub.conduct = () => ({ fate: "answered", afterMs: impatientMs * 0.6 });
    expect((await bench.impatient.verify(transfer.id, withRefunds)).kind).toBe("unknown");
  });
});

test("an access token that ended before its time is renewed, and a verification that met it is none of a refusal", async () => {
  const bench = await openPaymentBench(monnifyStub);
  const transfer = bench.stub.pay(bench.stub.books.open("mer_one").accountNumber, 5_000n);
  const kindNow = async () => (await bench.connector.verify(transfer.id, once)).kind;
  expect(await kindNow()).toBe("paid");
  bench.stub.books.memory.set(monnifyToken, "another-token-of-the-stub");
  expect(await kindNow()).toBe("paid");
  expect(bench.stub.requests.filter((request) => request.endsWith("/auth/login"))).toHaveLength(2);
  await bench.close();
});
