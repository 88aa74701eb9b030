import { expect, test } from "vitest";
import { renewableMs } from "../../src/domain/staff/ask-change.ts";
import { purgeChangeSecrets } from "../../src/domain/staff/change-list-queries.ts";
import { expireChanges } from "../../src/domain/staff/decide-change.ts";
import { checkLedger } from "../../src/domain/wallet/reconcile.ts";
import { closing } from "../support/closing.ts";
import type { StaffClient } from "../support/console.ts";
import { electricityWish, prepaidToken, type Sold, startReview } from "../support/review-sales.ts";

// Product 1002 is data for 640 naira, which costs 576.

const review = closing(await startReview());
const { service, parked, sell, rows, present, statusOf, balance, waiting, approve } = review;
const { ada, bola, support } = review;
const path = "/operator/review/statement";
const evidence = "first’s statement of today, by email from Bola";
const statementOf = (...lines: string[]) => ["reference,state,amount,token,units,receipt_number", ...lines].join("\n");
const fieldsOf = (statement: string, more: object = {}) => ({
  ...{ supplier: "first", by: "reference", statement, evidence, reference_column: "reference", state_column: "state" },
  ...more,
});

/** The look before, then the request with exactly what was seen. */
async function askFor(person: StaffClient, statement: string, more: object = {}) {
  const fields = fieldsOf(statement, more);
  const look = await person.send(path, fields);
  expect(look.status).toBe(200);
  const seen = /name="seen" value="([^"]*)"/.exec(look.text)?.[1] ?? "";
  return { look, answered: await person.follow(await person.send(`${path}/ask`, { ...fields, seen })) };
}

test("each line says what it would do; two people end all that is plain, and nothing else", async () => {
  const delivered = await parked();
  const refunded = await parked();
  const metered = await parked("/electricity/purchase", electricityWish);
  const unknown = await parked();
  const overcharged = await parked();
  const tokenless = await parked("/electricity/purchase", electricityWish);
  const twice = await parked();
  const ended = await sell();
  const before = await balance();
  const statement = statementOf(
    `${delivered.id}-1,delivered,576.00`,
    `${refunded.id}-1,not delivered,`,
    `${metered.id}-1,DELIVERED,4500.00,2636 2054-4059 8275 7802,22.20,4711`,
    `${unknown.id}-1,unknown,`,
    `${overcharged.id}-1,delivered,577.00`,
    `${tokenless.id}-1,delivered,4500.00,3318 7705,22.20,4712`,
    `${twice.id}-1,delivered,576.00`,
    `${twice.id}-1,not delivered,`,
    `${ended.id}-1,not delivered,`,
    `${delivered.id}-2,delivered,576.00`,
    "THEIRS-1,delivered,576.00",
  );
  const amounts = { amount_column: "amount" };
  const look = await bola.send(path, fieldsOf(statement, amounts));
  expect([look.status, look.headers.get("cache-control")]).toEqual([200, "no-store"]);
  for (const words of [
    "It charged 577.00; we know 576.00",
    "Lines 8 and 9 are about one sale",
    "It has ended as delivered, and the statement says not delivered",
    "The supplier doesn’t know either",
    "The sale is with first now, attempt 1",
    "THEIRS-1",
    "token must have 20 digits",
    "end 3 sales",
  ]) {
    expect(look.text).toContain(words);
  }
  expect((await support.send(path, fieldsOf(statement))).text).toContain("Not for your role");
  const { answered } = await askFor(bola, statement, amounts);
  expect(answered.text).toContain("for approval");
  expect(await statusOf(delivered)).toBe("pending");
  const stored = await rows("select fields, lines, sealed from changes where state = 'waiting'");
  expect(JSON.stringify(stored)).not.toContain(prepaidToken);
  const approval = await waiting();
  const shown = await ada.get(approval);
  for (const words of ["End 3 sales at first: 2 delivered, 1 refunded (₦640.00)", metered.id, evidence, "26…02"]) {
    expect(shown.text).toContain(words);
  }
  expect((await approve(bola, approval)).text).toContain("You asked for this yourself");
  expect(await statusOf(delivered)).toBe("pending");
  expect((await approve(ada, approval)).text).toContain("2 sales delivered, 1 sale refunded.");
  expect(await present(delivered)).toMatchObject({ status: "successful" });
  expect(await present(refunded)).toMatchObject({ status: "failed", error_code: "PROVIDER_DECLINED", refunded: true });
  expect(await present(metered)).toMatchObject({ status: "successful", delivery: { token: prepaidToken } });
  for (const sale of [unknown, overcharged, tokenless, twice]) expect(await statusOf(sale)).toBe("pending");
  expect(await statusOf(ended)).toBe("successful");
  expect(await balance()).toBe(before + 640);
  const kept = await rows(
    `select i.source, i.evidence, a.verdict, a.evidence as told
       from purchase_incidents i
       join vend_attempts a on a.purchase_id = i.purchase_id
      where i.kind = 'review'
      order by i.purchase_id`,
  );
  expect(kept).toEqual(
    [2, 3, 4].map((line) => ({
      source: bola.email,
      evidence: `${evidence}, line ${line}`,
      verdict: line === 3 ? "declined" : "vended",
      told: `${bola.email}: ${evidence}, line ${line}`,
    })),
  );
  expect(await approve(ada, approval)).toMatchObject({ text: expect.stringContaining("decided this already") });
  await expectSoundBooks();
});

const expectSoundBooks = async () =>
  expect((await checkLedger(service.app.services.database)).filter(({ broken }) => broken.length > 0)).toEqual([]);

test("a sale that ends before the approval leaves all of the statement's sales as they are", async () => {
  const [first, second, third] = [await parked(), await parked(), await parked()];
  const before = await balance();
  const statement = statementOf(...[first, second, third].map(({ id }) => `${id}-1,not delivered`));
  await askFor(bola, statement);
  await ada.send(`/operator/review/${second.id}/ask`);
  expect(await statusOf(second)).toBe("successful");
  expect((await approve(ada)).text).toContain(
    `${second.id} (line 3) ended or went on meanwhile, so nothing was changed`,
  );
  expect([await statusOf(first), await statusOf(third), await balance()]).toEqual(["pending", "pending", before]);
  // It still waits, and is still refused, until somebody refuses it.
  await ada.send(await waiting(), { do: "refuse" });
  await askFor(bola, statement);
  expect((await approve(ada)).text).toContain("0 sales delivered, 2 sales refunded");
  expect(await balance()).toBe(before + 1280);
  await expectSoundBooks();
});

test("one statement is asked for once, and of two who approve at once one ends its sales, the other nothing", async () => {
  const sales = [await parked(), await parked()];
  const before = await balance();
  const statement = statementOf(...sales.map(({ id }) => `${id}-1,not delivered`));
  await askFor(bola, statement);
  const at = await waiting();
  const again = await askFor(ada, statementOf(`${sales[1]?.id}-1,delivered`));
  expect(again.answered.text).toContain("asked for this already");
  expect(await waiting()).toBe(at);
  const carol = await service.staff("admin");
  const both = await Promise.all([approve(ada, at), approve(carol, at)]);
  expect(both.filter(({ text }) => text.includes("2 sales refunded"))).toHaveLength(1);
  expect(both.filter(({ text }) => text.includes("decided this already"))).toHaveLength(1);
  expect(await balance()).toBe(before + 1280);
});

test("a sale that went on to another attempt is not ended by what was said of the one before", async () => {
  const sale = await parked();
  const setAttempt = async (attempt: number) => {
    await rows("update purchases set attempt = $1 where reference = $2", [attempt, sale.reference]);
    await rows("update inflight set attempt = $1 where purchase_id = (select id from purchases where reference = $2)", [
      ...[attempt, sale.reference],
    ]);
  };
  await askFor(bola, statementOf(`${sale.id}-1,not delivered`));
  await setAttempt(2);
  const approval = await waiting();
  expect((await approve(ada, approval)).text).toContain("went on meanwhile");
  expect(await statusOf(sale)).toBe("pending");
  await ada.send(approval, { do: "refuse" });
  await setAttempt(1);
});

test("a plan that was changed in the database ends nothing", async () => {
  const [named, other] = [await parked(), await parked()];
  await askFor(bola, statementOf(`${named.id}-1,not delivered`));
  await rows("update changes set lines = replace(lines, $1, $2) where state = 'waiting'", [named.id, other.id]);
  const approval = await waiting();
  expect((await ada.get(approval)).text).toContain("Refuse request");
  expect((await approve(ada, approval)).text).toContain("was changed in the database");
  expect([await statusOf(named), await statusOf(other)]).toEqual(["pending", "pending"]);
  await ada.send(approval, { do: "refuse" });
});

test("sealed codes are kept while a request can be carried out or asked for anew, and no longer", async () => {
  const { database, clock } = service.app.services;
  const isKept = async (id: number) =>
    (await rows("select sealed is not null as kept from changes where id = $1", [id]))[0].kept;
  const ask = async (token: string) => {
    const metered = await parked("/electricity/purchase", electricityWish);
    await askFor(bola, statementOf(`${metered.id}-1,delivered,4500.00,${token},22.20,4711`));
    return (await rows("select max(id) as id from changes"))[0].id as number;
  };
  const refused = await ask("3318 7705 1122 3344 5566");
  expect(await isKept(refused)).toBe(true);
  await ada.send(`/operator/approvals/${refused}`, { do: "refuse" });
  expect(await isKept(refused)).toBe(false);
  const expired = await ask("3318 7705 1122 3344 5577");
  const purge = () => purgeChangeSecrets(database, clock.now() - renewableMs);
  const age = (hours: number) =>
    rows("update changes set ends_at = now() - make_interval(hours => $1) where id = $2", [hours, expired]);
  await age(1);
  await expireChanges(service.app.services.people, 10);
  await purge();
  expect(await isKept(expired)).toBe(true);
  await age(49);
  await purge();
  expect(await isKept(expired)).toBe(false);
  const renewed = await bola.follow(await bola.send(`/operator/approvals/${expired}`, { do: "renew" }));
  expect(renewed.text).toContain("no such request");
});

test("what changed between the look and the request is shown again, and nothing is asked for", async () => {
  const [first, second] = [await parked(), await parked()];
  const statement = statementOf(`${first.id}-1,not delivered`, `${second.id}-1,not delivered`);
  const seen = /name="seen" value="([^"]*)"/.exec((await bola.send(path, fieldsOf(statement))).text)?.[1] ?? "";
  await ada.send(`/operator/review/${first.id}/ask`);
  const requested = await bola.send(`${path}/ask`, { ...fieldsOf(statement), seen });
  expect([requested.status, requested.text.includes("changed since you looked")]).toEqual([409, true]);
  expect(requested.text).toContain("to end 1 sale");
  expect(await rows("select 1 from changes where state = 'waiting'")).toEqual([]);
});

test("sales are found by the supplier's own names, and two of one name are left to a person", async () => {
  const [first, second, third] = [await parked(), await parked(), await parked()];
  const named = "update purchases set provider_reference = $1 where reference = any ($2)";
  await rows(named, ["TS-1", [first.reference]]);
  await rows(named, ["TS-2", [second.reference, third.reference]]);
  const statement = statementOf("TS-1,delivered,", "TS-2,delivered,", "TS-3,delivered,");
  const { look } = await askFor(bola, statement, { by: "provider_reference" });
  for (const words of ["2 pending sales have this ID", "end 1 sale"]) expect(look.text).toContain(words);
  await approve(ada);
  expect([await statusOf(first), await statusOf(second)]).toEqual(["successful", "pending"]);
});

test("a connection that is lost in the middle, or a process that dies there, ends none of the first chunk, and it can be approved again", async () => {
  const sales = [await parked(), await parked()];
  const before = await balance();
  await askFor(bola, statementOf(...sales.map(({ id }) => `${id}-1,not delivered`)));
  const approval = await waiting();
  // It stops in the commit's last step, behind the lock of the audit log, when all sales have ended within it.
  const holder = await service.app.fresh.pool.connect();
  await holder.query("begin");
  await holder.query("lock table audit_log in share row exclusive mode");
  const approving = ada.send(approval, { do: "approve" });
  const stuck = `select a.pid from pg_stat_activity a
                  where a.wait_event_type = 'Lock' and a.query like 'select append_audit_entry%' and a.datname = current_database()`;
  await expect.poll(async () => (await rows(stuck)).length).toBe(1);
  expect(await statusOf(sales[0] as Sold)).toBe("pending");
  await rows("select pg_terminate_backend($1)", [(await rows(stuck))[0].pid]);
  await holder.query("rollback");
  holder.release();
  expect((await approving).status).toBeGreaterThanOrEqual(500);
  expect([await statusOf(sales[0] as Sold), await statusOf(sales[1] as Sold), await balance()]).toEqual([
    ...["pending", "pending", before],
  ]);
  expect((await approve(ada, approval)).text).toContain("2 sales refunded");
  expect(await balance()).toBe(before + 1280);
  await expectSoundBooks();
});

test("what can't be read is said at its field, and nothing typed is lost", async () => {
  const wrong = [
    [{ statement: "" }, "Paste the statement"],
    [{ statement: `reference,state\n${"a,unknown\n".repeat(10_001)}` }, "Line 10002 is one too many"],
    [{ state_column: "status" }, "The file has no column “status”"],
    [{ amount_column: "cost" }, "The file has no column “cost”"],
    [{ supplier: "nobody" }, "Choose a supplier."],
    [{ evidence: "short" }, "Say what it rests on"],
  ] as const;
  for (const [changed, sentence] of wrong) {
    const { status, text } = await bola.send(path, { ...fieldsOf(statementOf("TXN-1,delivered,")), ...changed });
    expect([status, text.includes(sentence)], sentence).toEqual([400, true]);
    if (!("evidence" in changed)) expect(text).toContain("by email from Bola");
  }
});
