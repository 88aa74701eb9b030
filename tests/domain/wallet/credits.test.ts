import { beforeEach, expect, test } from "vitest";
import { newMerchant } from "../../../rigs/base/merchants.ts";
import { listProposedCredits } from "../../../src/domain/wallet/credit-queries.ts";
import {
  approveCredit,
  type CreditRequest,
  creditLiveWallet,
  isSamePerson,
  parseBankReference,
  withdrawCredit,
} from "../../../src/domain/wallet/credits.ts";
import { checkLedger } from "../../../src/domain/wallet/reconcile.ts";
import type { MerchantId } from "../../../src/kernel/ids.ts";
import { kobo } from "../../../src/kernel/money.ts";
import { closing } from "../../support/closing.ts";
import { ownDatabase } from "../../support/merchants.ts";

let merchantId: MerchantId;
let count = 0;

const own = closing(await ownDatabase());
beforeEach(async () => {
  merchantId = (await newMerchant(own.database)).id;
  await nextDay();
});

/** What was booked before counts no more towards what a person may book alone. */
const nextDay = () =>
  own.fresh.pool.query(
    "update wallet_credits set proposed_at = proposed_at - interval '25 hours', ended_at = ended_at - interval '25 hours' where status = 'booked'",
  );

const aloneMax = kobo(100_000n);
const newReference = () => parseBankReference(`NIP${String(++count).padStart(30, "0")}`)!;

function credit(request: Partial<CreditRequest> = {}) {
  const usual = { merchantId, amount: kobo(50_000n), reason: "transfer", bankReference: newReference(), by: "Ada" };
  return creditLiveWallet(own.database, { ...usual, ...request }, { aloneMax });
}
async function propose(request: Partial<CreditRequest> = {}) {
  const { kind, credit: proposal } = await credit({ amount: kobo(aloneMax + 1n), ...request });
  expect(kind).toBe("proposed");
  return proposal;
}
const approve = (id: number, by = "Obi") => approveCredit(own.database, { id, by });
const wait = (id: number, hours: number) =>
  own.fresh.pool.query(
    `update wallet_credits
        set proposed_at = proposed_at - make_interval(hours => $2), expires_at = expires_at - make_interval(hours => $2)
      where id = $1`,
    [id, hours],
  );

async function booked(id: MerchantId = merchantId): Promise<readonly bigint[]> {
  const { rows } = await own.fresh.pool.query("select delta from ledger_entries where wallet_id = $1 order by seq", [
    id,
  ]);
  return rows.map(({ delta }) => BigInt(delta));
}

async function brokenInvariants(): Promise<string[]> {
  return (await checkLedger(own.database)).filter(({ broken }) => broken.length > 0).map(({ invariant }) => invariant);
}

test("the same transfer typed again credits nothing, however its reference is spelled, and names the first", async () => {
  const first = await credit({ bankReference: parseBankReference("NIP/0001-ab 77") });
  expect(first).toMatchObject({ kind: "booked", balance: 50_000n, credit: { status: "booked", proposedBy: "Ada" } });
  for (const spelling of ["NIP/0001-ab 77", "nip/0001-AB77", " ＮＩＰ/0001 -ab7 7 "]) {
    const again = await credit({ bankReference: parseBankReference(spelling), reason: "typed twice", by: "Obi" });
    expect([again.kind, again.credit]).toEqual(["repeated", first.credit]);
  }
  expect(await booked()).toEqual([50_000n]);
});

test("the same reference with another amount or merchant credits nobody, and names the first", async () => {
  const bankReference = newReference();
  const first = await credit({ bankReference });
  const other = (await newMerchant(own.database)).id;
  const taken = { kind: "reference_taken", credit: first.credit };
  expect(await credit({ bankReference, amount: kobo(50_001n) })).toEqual(taken);
  expect(await credit({ bankReference, merchantId: other })).toEqual(taken);
  expect(await credit({ bankReference, amount: kobo(900_000n) })).toEqual(taken);
  expect([await booked(), await booked(other)]).toEqual([[50_000n], []]);
});

test("of many who type the same transfer at one time, one credits it", async () => {
  for (let round = 1; round <= 3; round++) {
    const bankReference = newReference();
    const results = await Promise.all(Array.from({ length: 8 }, () => credit({ bankReference })));
    expect(results.map(({ kind }) => kind).sort()).toEqual(["booked", ...Array(7).fill("repeated")]);
    expect(await booked()).toHaveLength(round);
    await nextDay();
  }
});

test("of one transfer that is typed for several merchants at one time, one gets it", async () => {
  const bankReference = newReference();
  const merchants = await Promise.all(Array.from({ length: 6 }, () => newMerchant(own.database)));
  const results = await Promise.all(merchants.map(({ id }) => credit({ bankReference, merchantId: id })));
  expect(results.map(({ kind }) => kind).sort()).toEqual(["booked", ...Array(5).fill("reference_taken")]);
  expect((await Promise.all(merchants.map(({ id }) => booked(id)))).flat()).toEqual([50_000n]);
});

test("a transfer without a reference is credited as often as it is said", async () => {
  for (let times = 0; times < 2; times++) expect((await credit({ bankReference: null })).kind).toBe("booked");
  expect(await booked()).toEqual([50_000n, 50_000n]);
});

test("one person books exactly the limit alone, and proposes a kobo more", async () => {
  expect((await credit({ amount: aloneMax })).kind).toBe("booked");
  const proposal = await propose();
  expect(proposal).toMatchObject({ status: "proposed", needsApproval: true, approvedBy: null });
  expect(await booked()).toEqual([100_000n]);
  const nothingAlone = { aloneMax: kobo(0n) };
  const usual = { merchantId, amount: kobo(1n), reason: "a kobo", bankReference: null, by: "Ada" };
  expect((await creditLiveWallet(own.database, usual, nothingAlone)).kind).toBe("proposed");
});

test("what one person books alone is bounded as the sum of a day, also where many are typed at one time", async () => {
  const typed = await Promise.all(Array.from({ length: 8 }, () => credit({ amount: kobo(30_000n), by: "  ada " })));
  expect(typed.filter(({ kind }) => kind === "booked")).toHaveLength(3);
  expect(typed.filter(({ kind }) => kind === "proposed")).toHaveLength(5);
  expect((await credit({ amount: kobo(30_000n), by: "ADA" })).kind).toBe("proposed");
  expect((await credit({ amount: kobo(30_000n), by: "Obi" })).kind).toBe("booked");
  await nextDay();
  expect((await credit({ amount: kobo(30_000n), by: "Ada" })).kind).toBe("booked");
});

test("another person's approval books a proposal, once", async () => {
  const { id } = await propose({ reason: "transfer 12" });
  const approved = await approve(id);
  expect(approved).toMatchObject({ balance: 100_001n, credit: { status: "booked", approvedBy: "Obi" } });
  await expect(approve(id, "Eve")).rejects.toThrow(`Credit ${id} was booked before, by Obi.`);
  expect(await booked()).toEqual([100_001n]);
  const { rows } = await own.fresh.pool.query(
    "select kind, reason, debit_account from ledger_entries where wallet_id = $1",
    [merchantId],
  );
  expect(rows).toEqual([{ kind: "top_up", reason: "transfer 12", debit_account: "funding" }]);
  expect(await brokenInvariants()).toEqual([]);
});

test.each(["Ada Obi", "ada obi", "  ADA   OBI ", "ＡＤＡ obi"])(
  "the person who proposed a credit does not approve it, as %j either",
  async (name) => {
    const { id } = await propose({ by: "Ada Obi" });
    await expect(approve(id, name)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    expect(await booked()).toEqual([]);
    expect(await listProposedCredits(own.database, 1_000)).toContainEqual(expect.objectContaining({ id }));
  },
);

test("of many approvals at one time, one books", async () => {
  const { id } = await propose();
  const ends = await Promise.allSettled(Array.from({ length: 8 }, (_, n) => approve(id, `person ${n}`)));
  expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await booked()).toEqual([100_001n]);
});

test("an approval and a withdrawal at one time do one of the two", async () => {
  const { id } = await propose();
  const ends = await Promise.allSettled([approve(id), withdrawCredit(own.database, { id, by: "Eve" })]);
  expect(ends.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(await booked()).toEqual(ends[0]?.status === "fulfilled" ? [100_001n] : []);
});

test("a proposal is approved within 24 hours, and not after them", async () => {
  const [early, late] = [await propose(), await propose()];
  await wait(early.id, 23);
  await wait(late.id, 24);
  await approve(early.id);
  await expect(approve(late.id)).rejects.toThrow(`Credit ${late.id} was not approved within 24 hours`);
  expect((await listProposedCredits(own.database, 1_000)).map(({ id }) => id)).not.toContain(late.id);
  expect(await booked()).toEqual([100_001n]);
});

test("what is proposed holds its bank reference, also for a small credit and another merchant", async () => {
  const bankReference = newReference();
  const proposal = await propose({ bankReference });
  const other = (await newMerchant(own.database)).id;
  for (const request of [{ amount: kobo(5n) }, { merchantId: other }, { amount: kobo(5n), merchantId: other }]) {
    const result = await credit({ amount: proposal.amount, bankReference, ...request });
    expect(result).toEqual({ kind: "reference_taken", credit: proposal });
  }
  const again = await credit({ amount: proposal.amount, bankReference, by: "Obi" });
  expect(again).toEqual({ kind: "repeated", credit: proposal });
  expect([await booked(), await booked(other)]).toEqual([[], []]);
});

test("an expired proposal frees its bank reference, and can no longer be booked beside the new one", async () => {
  const bankReference = newReference();
  const expired = await propose({ bankReference });
  await wait(expired.id, 24);
  const results = await Promise.all(Array.from({ length: 4 }, () => credit({ bankReference })));
  expect(results.map(({ kind }) => kind).sort()).toEqual(["booked", "repeated", "repeated", "repeated"]);
  await expect(approve(expired.id)).rejects.toThrow("was not approved within 24 hours");
  expect(await booked()).toEqual([50_000n]);
});

test("a withdrawn proposal frees its bank reference, and can no longer be booked", async () => {
  const bankReference = newReference();
  const proposal = await propose({ bankReference });
  const withdrawn = await withdrawCredit(own.database, { id: proposal.id, by: "Ada" });
  expect(withdrawn).toMatchObject({ status: "withdrawn", withdrawnBy: "Ada" });
  await expect(approve(proposal.id)).rejects.toThrow(`Credit ${proposal.id} was withdrawn by Ada.`);
  expect((await credit({ bankReference })).kind).toBe("booked");
  expect(await booked()).toEqual([50_000n]);
});

test("a credit and its reference stand or fall together", async () => {
  const bankReference = newReference();
  const failing: typeof own.database = {
    ...own.database,
    transaction: (work) =>
      own.database.transaction(async (tx) => {
        await work(tx);
        throw new Error("at the last moment");
      }),
  };
  const request = { merchantId, amount: kobo(50_000n), reason: "transfer", bankReference, by: "Ada" };
  await expect(creditLiveWallet(failing, request, { aloneMax })).rejects.toThrow("at the last moment");
  expect((await credit({ bankReference })).kind).toBe("booked");
  expect(await booked()).toEqual([50_000n]);
});

test.each([
  ["booked by the person who proposed it", "approved_by = upper(proposed_by)", "wallet_credits_booked_by_two"],
  ["booked without a second person", "approved_by = null", "wallet_credits_booked_by_two"],
  ["booked late", "approved_by = 'Obi', expires_at = now()", "wallet_credits_booked_in_time"],
  ["booked without its entry", "approved_by = 'Obi', entry_seq = null", "wallet_credits_booked_with_entry"],
])("the table itself refuses a proposal that is %s", async (_how, change, constraint) => {
  const { id } = await propose();
  const booking = `update wallet_credits set status = 'booked', ended_at = now(), entry_seq = 1, ${change} where id = $1`;
  const statement = booking.replace(/entry_seq = 1, (.*entry_seq)/, "$1");
  await expect(own.fresh.pool.query(statement, [id])).rejects.toMatchObject({ constraint });
});

test("a booked credit whose entry says something else is found when the books are proved", async () => {
  const { id } = (await credit()).credit;
  await own.fresh.pool.query("update wallet_credits set amount = amount + 1 where id = $1", [id]);
  expect(await brokenInvariants()).toEqual(["1 every booked credit is one entry of its wallet, with its amount"]);
  await own.fresh.pool.query("update wallet_credits set amount = amount - 1 where id = $1", [id]);
  expect(await brokenInvariants()).toEqual([]);
});

test.each(["", "  ", "/-", "x".repeat(65), "ref é", "a\u0000b", "a\u200bb"])("%j is no bank reference", (text) => {
  expect(parseBankReference(text)).toBeNull();
});

test("people are told apart by their letters, not by capitals and spaces", () => {
  expect(isSamePerson("Ada Obi", " ada  OBI")).toBe(true);
  expect(isSamePerson("Ada Obi", "AdaObi")).toBe(false);
  expect(isSamePerson("Ada", "Obi")).toBe(false);
});

test("a credit to a merchant who does not exist is refused and holds no reference", async () => {
  const bankReference = newReference();
  const nobody = credit({ merchantId: 999_999 as MerchantId, bankReference });
  await expect(nobody).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect((await credit({ bankReference })).kind).toBe("booked");
});
