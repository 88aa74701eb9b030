import { beforeEach, expect, test } from "vitest";
import { newMerchant } from "../../../rigs/base/merchants.ts";
import { isSameActor } from "../../../src/domain/staff/actor.ts";
import { listWaitingChanges } from "../../../src/domain/staff/change-list-queries.ts";
import type { ChangeId } from "../../../src/domain/staff/change-queries.ts";
import { agreeToChange, withdrawChange } from "../../../src/domain/staff/decide-change.ts";
import {
  type CreditRequest,
  creditingWallet,
  creditLiveWallet,
  parseBankReference,
} from "../../../src/domain/wallet/credits.ts";
import { checkLedger } from "../../../src/domain/wallet/reconcile.ts";
import type { MerchantId } from "../../../src/kernel/ids.ts";
import { kobo } from "../../../src/kernel/money.ts";
import { closing } from "../../support/closing.ts";
import { ownPeople } from "../../support/people.ts";

let merchantId: MerchantId;
let count = 0;

const own = closing(await ownPeople());
beforeEach(async () => {
  merchantId = (await newMerchant(own.database)).id;
  await nextDay();
});

/** What was booked before counts no more towards what a person may book alone. */
const nextDay = () => own.fresh.pool.query("update wallet_credits set booked_at = booked_at - interval '25 hours'");

const aloneMax = kobo(100_000n);
const newReference = () => parseBankReference(`NIP${String(++count).padStart(30, "0")}`)!;
const named = (name: string) => ({ id: null, name, email: null });
const services = { ...own.services, creditAloneMax: aloneMax, openChanges: () => Promise.resolve(own.services) };

function credit({ by = "Ada", ...request }: Partial<CreditRequest> & { readonly by?: string } = {}) {
  const usual = { merchantId, amount: kobo(50_000n), reason: "transfer", bankReference: newReference() };
  return creditLiveWallet(services, named(by), { ...usual, ...request });
}
async function bookedCredit(request: Parameters<typeof credit>[0] = {}) {
  const result = await credit(request);
  if (result.kind !== "booked") throw new Error(`it is not booked: ${result.kind}`);
  return result;
}
async function ask(request: Parameters<typeof credit>[0] = {}): Promise<ChangeId> {
  const requested = await credit({ amount: kobo(aloneMax + 1n), ...request });
  if (requested.kind !== "requested" || requested.result.kind !== "waiting")
    throw new Error(`it does not wait: ${requested.kind}`);
  return requested.result.id;
}
const agree = (id: ChangeId, by = "Obi") => agreeToChange(own.services, { id, by: named(by) }, () => creditingWallet);
const wait = (id: number, hours: number) =>
  own.fresh.pool.query(
    `update changes
        set requested_at = requested_at - make_interval(hours => $2), ends_at = ends_at - make_interval(hours => $2)
      where id = $1`,
    [id, hours],
  );
const isWaiting = async (id: ChangeId) =>
  (await listWaitingChanges(own.database, own.services.clock.now(), 1_000)).some((change) => change.id === id);

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
  const first = await bookedCredit({ bankReference: parseBankReference("NIP/0001-ab 77") });
  expect(first).toMatchObject({ balance: 50_000n, credit: { requestedBy: "Ada", approvedBy: null } });
  for (const spelling of ["NIP/0001-ab 77", "nip/0001-AB77", " ＮＩＰ/0001 -ab7 7 "]) {
    const again = await credit({ bankReference: parseBankReference(spelling), reason: "typed twice", by: "Obi" });
    expect(again).toEqual({ kind: "repeated", holder: { kind: "credit", credit: first.credit } });
  }
  expect(await booked()).toEqual([50_000n]);
});

test("the same reference with another amount or merchant credits nobody, and names the first", async () => {
  const bankReference = newReference();
  const first = await bookedCredit({ bankReference });
  const other = (await newMerchant(own.database)).id;
  const taken = { kind: "reference_taken", holder: { kind: "credit", credit: first.credit } };
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

test("one person books exactly the limit alone, and asks for a kobo more", async () => {
  expect((await credit({ amount: aloneMax })).kind).toBe("booked");
  expect(await isWaiting(await ask())).toBe(true);
  expect(await booked()).toEqual([100_000n]);
  const nothingAlone = { ...services, creditAloneMax: kobo(0n) };
  const usual = { merchantId, amount: kobo(1n), reason: "a kobo", bankReference: null };
  expect((await creditLiveWallet(nothingAlone, named("Ada"), usual)).kind).toBe("requested");
});

test("what one person books alone is bounded as the sum of a day, also where many are typed at one time", async () => {
  const typed = await Promise.all(Array.from({ length: 8 }, () => credit({ amount: kobo(30_000n), by: "  ada " })));
  expect(typed.filter(({ kind }) => kind === "booked")).toHaveLength(3);
  expect(typed.filter(({ kind }) => kind === "requested")).toHaveLength(5);
  expect((await credit({ amount: kobo(30_000n), by: "ADA" })).kind).toBe("requested");
  expect((await credit({ amount: kobo(30_000n), by: "Obi" })).kind).toBe("booked");
  await nextDay();
  expect((await credit({ amount: kobo(30_000n), by: "Ada" })).kind).toBe("booked");
});

test("another person's agreement books what was asked for, once", async () => {
  const id = await ask({ reason: "transfer 12" });
  expect(await agree(id)).toEqual({
    kind: "done",
    outcome: `₦1,000.01 credited to mer_${merchantId}. It holds ₦1,000.01 now.`,
  });
  expect(await agree(id, "Eve")).toEqual({ kind: "decided" });
  expect(await booked()).toEqual([100_001n]);
  const { rows } = await own.fresh.pool.query(
    "select kind, reason, debit_account from ledger_entries where wallet_id = $1",
    [merchantId],
  );
  expect(rows).toEqual([{ kind: "top_up", reason: "transfer 12", debit_account: "funding" }]);
  const stored = await own.fresh.pool.query(
    "select requested_by, approved_by from wallet_credits where reason = 'transfer 12'",
  );
  expect(stored.rows).toEqual([{ requested_by: "Ada", approved_by: "Obi" }]);
  expect(await brokenInvariants()).toEqual([]);
});

test.each(["Ada Obi", "ada obi", "  ADA   OBI ", "ＡＤＡ obi"])(
  "the person who asked for a credit does not agree to it, as %j either",
  async (name) => {
    const id = await ask({ by: "Ada Obi" });
    expect(await agree(id, name)).toEqual({ kind: "own" });
    expect([await booked(), await isWaiting(id)]).toEqual([[], true]);
  },
);

test("of many who agree at one time, one books", async () => {
  const id = await ask();
  const ends = await Promise.all(Array.from({ length: 8 }, (_, n) => agree(id, `person ${n}`)));
  expect(ends.map(({ kind }) => kind).sort()).toEqual([...Array(7).fill("decided"), "done"]);
  expect(await booked()).toEqual([100_001n]);
});

test("an agreement and a withdrawal at one time do one of the two", async () => {
  const id = await ask();
  const [agreed, withdrawn] = await Promise.all([agree(id), withdrawChange(own.services, { id, by: named("Ada") })]);
  expect([agreed.kind, withdrawn.kind].sort()).toEqual(
    agreed.kind === "done" ? ["decided", "done"] : ["decided", "withdrawn"],
  );
  expect(await booked()).toEqual(agreed.kind === "done" ? [100_001n] : []);
});

test("a request for a credit is agreed to within 24 hours, and not after them", async () => {
  const [early, late] = [await ask(), await ask()];
  await wait(early, 23);
  await wait(late, 24);
  expect((await agree(early)).kind).toBe("done");
  expect(await agree(late)).toEqual({ kind: "expired" });
  expect([await isWaiting(late), await booked()]).toEqual([false, [100_001n]]);
});

test("what is asked for holds its bank reference, also for a small credit and another merchant", async () => {
  const bankReference = newReference();
  const id = await ask({ bankReference });
  const other = (await newMerchant(own.database)).id;
  const amount = kobo(aloneMax + 1n);
  for (const request of [{ amount: kobo(5n) }, { merchantId: other }, { amount: kobo(5n), merchantId: other }]) {
    const result = await credit({ amount, bankReference, ...request });
    expect(result).toMatchObject({ kind: "reference_taken", holder: { kind: "request", change: { id } } });
  }
  const again = await credit({ amount, bankReference, by: "Obi" });
  expect(again).toMatchObject({ kind: "repeated", holder: { change: { id } } });
  expect([await booked(), await booked(other)]).toEqual([[], []]);
});

test("of many who ask with one bank reference at one time, one request holds it", async () => {
  const bankReference = newReference();
  const amount = kobo(aloneMax + 1n);
  const results = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      credit({ amount: n % 2 === 0 ? amount : kobo(5n), bankReference, by: `p${n}` }),
    ),
  );
  const holding = results.filter(({ kind }) => kind === "requested" || kind === "booked");
  expect(holding).toHaveLength(1);
});

test("an expired request frees its bank reference, and can no longer be booked beside the new credit", async () => {
  const bankReference = newReference();
  const expired = await ask({ bankReference });
  await wait(expired, 24);
  const results = await Promise.all(Array.from({ length: 4 }, () => credit({ bankReference })));
  expect(results.map(({ kind }) => kind).sort()).toEqual(["booked", "repeated", "repeated", "repeated"]);
  expect(await agree(expired)).toEqual({ kind: "expired" });
  expect(await booked()).toEqual([50_000n]);
});

test("a withdrawn request frees its bank reference, and can no longer be booked", async () => {
  const bankReference = newReference();
  const id = await ask({ bankReference });
  expect(await withdrawChange(own.services, { id, by: named("Obi") })).toEqual({ kind: "decided" });
  expect(await withdrawChange(own.services, { id, by: named(" ADA") })).toEqual({ kind: "withdrawn" });
  expect(await agree(id)).toEqual({ kind: "decided" });
  expect((await credit({ bankReference })).kind).toBe("booked");
  expect(await booked()).toEqual([50_000n]);
});

test("a credit and its reference stand or fall together", async () => {
  const bankReference = newReference();
  const failing = {
    ...own.database,
    transaction: (work: Parameters<typeof own.database.transaction>[0]) =>
      own.database.transaction(async (tx) => {
        await work(tx);
        throw new Error("at the last moment");
      }),
  };
  const request = { merchantId, amount: kobo(50_000n), reason: "transfer", bankReference };
  await expect(creditLiveWallet({ ...services, database: failing as never }, named("Ada"), request)).rejects.toThrow(
    "at the last moment",
  );
  expect((await credit({ bankReference })).kind).toBe("booked");
  expect(await booked()).toEqual([50_000n]);
});

test("the tables themselves refuse a credit, and an agreement, by one person under two spellings", async () => {
  const { id } = (await bookedCredit()).credit;
  const approving = own.fresh.pool.query("update wallet_credits set approved_by = upper(requested_by) where id = $1", [
    id,
  ]);
  await expect(approving).rejects.toMatchObject({ constraint: "wallet_credits_by_two" });
  const change = await ask();
  const agreeing = own.fresh.pool.query(
    "update changes set state = 'done', decided_as = upper(requested_as), decided_at = now() where id = $1",
    [change],
  );
  await expect(agreeing).rejects.toMatchObject({ constraint: "changes_by_two_people" });
});

test("a booked credit whose entry says something else is found when the books are proved", async () => {
  const { id } = (await bookedCredit()).credit;
  await own.fresh.pool.query("update wallet_credits set amount = amount + 1 where id = $1", [id]);
  expect(await brokenInvariants()).toEqual(["1 every booked credit is one entry of its wallet, with its amount"]);
  await own.fresh.pool.query("update wallet_credits set amount = amount - 1 where id = $1", [id]);
  expect(await brokenInvariants()).toEqual([]);
});

test.each(["", "  ", "/-", "x".repeat(65), "ref é", "a\u0000b", "a\u200bb"])("%j is no bank reference", (text) => {
  expect(parseBankReference(text)).toBeNull();
});

test("people are told apart by their letters, not by capitals and spaces", () => {
  expect(isSameActor(named("Ada Obi"), named(" ada  OBI"))).toBe(true);
  expect(isSameActor(named("Ada Obi"), named("AdaObi"))).toBe(false);
  expect(isSameActor(named("Ada"), named("Obi"))).toBe(false);
});

test("a credit to a merchant who does not exist is refused and holds no reference", async () => {
  const bankReference = newReference();
  const nobody = credit({ merchantId: 999_999 as MerchantId, bankReference });
  await expect(nobody).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect((await credit({ bankReference })).kind).toBe("booked");
});
