import { expect, test } from "vitest";
import { wallTime } from "../../src/kernel/clock.ts";
import { closing } from "../support/closing.ts";
import type { StaffClient } from "../support/console.ts";
import { middayZone } from "../support/midday.ts";
import { electricityWish, startReview } from "../support/review-sales.ts";

// Product 1002 is data for 640 naira, which costs 576.

const review = closing(await startReview());
const { service, ada, bola, support, sell, parked, failed, rows, present, statusOf, balance, waiting, approve } =
  review;
const here = "/operator/reconciliation";
const today = wallTime(middayZone).dayOf(Date.now()).date;
const reason = "their statement of today, checked with Chidi";

const unbilled = await sell();
const repeated = await sell();
const otherAmount = await sell();
const pending = await parked();
const metered = await parked("/electricity/purchase", electricityWish);
await rows(
  `update inflight
      set step = 'requery', due_at = now() + interval '1 hour'
    where purchase_id in (select id from purchases where reference = $1)`,
  [metered.reference],
);
const declined = await failed();
const rest = (await rows(
  "select p.id, p.reference from purchases p where p.status = 'successful' and not p.reference = any ($1)",
  [[unbilled, repeated, otherAmount].map(({ reference }) => reference)],
)) as { reference: string }[];
const agreeing = await Promise.all(
  rest.map(async ({ reference }) => `${(await present({ reference, id: "" })).transaction_id}-1,576.00`),
);
const statement = [
  "reference,amount",
  ...agreeing,
  `${repeated.id}-1,576.00`,
  `${repeated.id}-1,576.00`,
  `${otherAmount.id}-1,580.00`,
  `${pending.id}-1,576.00`,
  `${metered.id}-1,4500.00`,
  `${declined.id}-1,576.00`,
  "THEIRS-1,576.00",
].join("\n");
const fields = { supplier: "first", from: today, to: today, by: "reference", tolerance: "", statement };

const keep = async (person: StaffClient) => (await person.follow(await person.send(`${here}/keep`, fields))).text;
const idOf = async (reference: string) =>
  (await rows("select id from reconciliation_differences where reference = $1", [reference]))[0]?.id as number;
const endOf = async (reference: string) =>
  (
    await rows("select ended_as, act, ended_by, approved_by from reconciliation_differences where reference = $1", [
      reference,
    ])
  )[0];
const end = async (person: StaffClient, reference: string, given: object) => {
  const at = `${here}/differences/${await idOf(reference)}`;
  return (await person.follow(await person.send(at, { reason, ...given }))).text;
};

test("what was compared is kept once, counted, and an upload again keeps it as it is", async () => {
  const compared = await bola.send(here, fields);
  expect(compared.text).toContain("7 differences");
  expect((await support.send(`${here}/keep`, fields)).status).toBe(403);
  expect(await keep(bola)).toContain("7 differences kept.");
  expect(await keep(bola)).toContain("0 differences kept. 7 differences kept before are as before.");
  expect((await support.get(here)).text).toContain("7 differences are open");
  const todayPage = (await ada.get("/operator/today")).text;
  expect(todayPage).toContain('href="/operator/reconciliation/differences"');
  const list = (await support.get(`${here}/differences`)).text;
  for (const words of [declined.id, "THEIRS-1", "charged once more", "Only in ours"]) expect(list).toContain(words);
  expect(list).not.toContain("End chosen differences");
});

test("a claim ends at once with its case number, and stands in the next upload", async () => {
  expect(await end(bola, "THEIRS-1", { end: "theirs" })).toContain("The supplier’s number of the claim");
  expect(await end(bola, "THEIRS-1", { end: "theirs", case_number: "TS-88121" })).toContain(
    "claimed from the supplier",
  );
  expect(await endOf("THEIRS-1")).toEqual({ ended_as: "theirs", act: null, ended_by: bola.email, approved_by: null });
  await keep(ada);
  expect((await bola.send(here, fields)).text).toContain("Claimed: TS-88121");
  const page = (await support.get(`${here}/differences/${await idOf("THEIRS-1")}`)).text;
  for (const words of ["TS-88121", bola.email, reason]) expect(page).toContain(words);
  expect(await end(ada, "THEIRS-1", { end: "written_off" })).toContain("ended this difference already");
  expect(await rows("select who from audit_log where command = 'console difference end'")).toEqual([
    { who: `staff:${bola.email}` },
  ]);
});

test("where we were wrong the sale goes to its right end by two people, once, to the kobo", async () => {
  const before = await balance();
  const cases = [
    [`${unbilled.id}-1`, "ours.refund", "the sale is refunded", 640],
    [`${pending.id}-1`, "ours.fulfil", "the sale is delivered", 640],
    [`${declined.id}-1`, "ours.take_back", "the refund is taken back", 0],
    [`${otherAmount.id}-1`, "ours.accept", "their amount is right", 0],
  ] as const;
  for (const [reference, name, sentence, moved] of cases) {
    expect(await end(bola, reference, { end: name }), name).toContain("for approval");
    expect((await endOf(reference)).ended_as, name).toBe(null);
    expect((await approve(bola)).text).toContain("You asked for this yourself");
    const approval = await waiting();
    expect((await approve(ada, approval)).text, name).toContain(sentence);
    expect((await approve(ada, approval)).text).toContain("decided this already");
    expect(await balance(), name).toBe(before + moved);
    expect(await endOf(reference)).toEqual({
      ...{ ended_as: "ours", act: name.slice(5), ended_by: bola.email, approved_by: ada.email },
    });
  }
  expect(await statusOf(pending)).toBe("successful");
  expect(await present(unbilled)).toMatchObject({ status: "successful", refunded: true });
  expect(await statusOf(declined)).toBe("failed");
});

test("a pending sale that hands something over is held for review, at once", async () => {
  const page = (await bola.get(`${here}/differences/${await idOf(`${metered.id}-1`)}`)).text;
  expect([page.includes("ours.review"), page.includes("ours.fulfil")]).toEqual([true, false]);
  expect(await end(bola, `${metered.id}-1`, { end: "ours.fulfil" })).toContain("for approval");
  const approval = await waiting();
  expect((await approve(ada, approval)).text).toContain("The sale changed meanwhile, so this can’t be done");
  expect(await statusOf(metered)).toBe("pending");
  await ada.send(approval, { do: "refuse" });
  expect(await end(bola, `${metered.id}-1`, { end: "ours.review" })).toContain("the sale is in review");
  expect(await rows("select step from inflight")).toEqual([{ step: "review" }]);
});

test("chosen ones are written off together by two people, and one that ended meanwhile leaves all open", async () => {
  const id = await idOf(`${repeated.id}-1`);
  await rows(
    `insert into reconciliation_differences (supplier, key, kind, note, from_day, to_day, found_by)
     select 'first', sha256('a'), 'theirs_only', 'not ours', now(), now(), 'a test'`,
  );
  const [{ id: other }] = await rows("select max(id) as id from reconciliation_differences");
  const chosen = { difference: [String(id), String(other)], end: "written_off", reason };
  expect((await bola.send(`${here}/differences/end`, { ...chosen, difference: [] })).text).toContain(
    "Choose the differences first",
  );
  await bola.send(`${here}/differences/end`, chosen);
  const first = await waiting();
  await bola.send(`${here}/differences/end`, {
    ...chosen,
    difference: [String(other)],
    end: "theirs",
    case_number: "TS-1",
  });
  expect((await approve(ada, first)).text).toContain("Someone ended this difference already");
  expect((await rows("select ended_as from reconciliation_differences where id = $1", [id]))[0].ended_as).toBe(null);
  await ada.send(first, { do: "refuse" });
  await bola.send(`${here}/differences/end`, { ...chosen, difference: [String(id)] });
  expect((await approve(ada)).text).toContain("1 difference: written off");
  expect((await support.get(here)).text).toContain("None is open");
  expect((await support.get(`${here}/differences?state=ended`)).text).toContain("Written off");
});

test("of two ends of one difference, one is asked for; one that takes no second person can be first", async () => {
  await rows(
    `insert into reconciliation_differences (supplier, key, kind, reference, note, from_day, to_day, found_by)
     select 'first', sha256('c'), 'theirs_only', 'raced', 'not ours', now(), now(), 'a test'`,
  );
  await end(bola, "raced", { end: "written_off" });
  const approval = await waiting();
  expect(await end(ada, "raced", { end: "written_off" })).toContain("asked for this already");
  const holder = await service.app.fresh.pool.connect();
  await holder.query("begin");
  await holder.query("select 1 from reconciliation_differences where reference = 'raced' for update");
  const claimed = end(bola, "raced", { end: "theirs", case_number: "C-12" });
  const both = [approve(ada, approval).then(({ text }) => text), claimed];
  const stuck = `select 1
                   from pg_stat_activity a
                  where a.wait_event_type = 'Lock' and a.query like 'update reconciliation_differences%'`;
  await expect.poll(async () => (await rows(stuck)).length).toBe(2);
  await holder.query("rollback");
  holder.release();
  const texts = await Promise.all(both);
  expect(texts.filter((text) => /1 difference: (written off|claimed)/.test(text))).toHaveLength(1);
  expect(texts.filter((text) => text.includes("Someone ended this difference already"))).toHaveLength(1);
  await ada.send(approval, { do: "refuse" });
});

test("a sale is given back or taken back once, whichever difference names it", async () => {
  const again = `insert into reconciliation_differences (
                   supplier, key, kind, reference, purchase_id, attempt, note, from_day, to_day, found_by
                 )
                 select 'first', sha256('b'), d.kind, 'again', d.purchase_id, d.attempt, d.note, now(), now(), 'a test'
                   from reconciliation_differences d
                  where d.reference = $1`;
  await rows(again, [`${declined.id}-1`]);
  const before = await balance();
  await end(bola, "again", { end: "ours.take_back" });
  const approval = await waiting();
  expect((await approve(ada, approval)).text).toContain("did this to the sale already");
  expect(await balance()).toBe(before);
  await ada.send(approval, { do: "refuse" });
});
