import { expect, test } from "vitest";
import { checkLedger } from "../../src/domain/wallet/reconcile.ts";
import { closing } from "../support/closing.ts";
import { electricityWish, startReview } from "../support/review-sales.ts";

// What is agreed to with many lines is carried out by a worker.

const review = closing(await startReview());
const { service, parked, rows, present, statusOf, balance, ada, bola } = review;
const path = "/operator/review/statement";

test("what two people agreed to is ended by the due work, secrets and all; what ended meanwhile is left and counted", async () => {
  const [refunded, metered, gone] = [
    await parked(),
    await parked("/electricity/purchase", electricityWish),
    await parked(),
  ];
  const before = await balance();
  const statement = [
    "reference,state,amount,token,units,receipt_number",
    `${refunded.id}-1,not delivered`,
    `${metered.id}-1,delivered,4500.00,2636 2054-4059 8275 7802,22.20,4711`,
    `${gone.id}-1,not delivered`,
  ].join("\n");
  const fields = { supplier: "first", by: "reference", statement, evidence: "first’s statement of today" };
  const look = await bola.send(path, fields);
  const seen = /name="seen" value="([^"]*)"/.exec(look.text)?.[1] ?? "";
  await bola.send(`${path}/ask`, { ...fields, seen });
  const [{ id }] = await rows("select max(id) as id from changes where state = 'waiting'");
  // One of them ends by the supplier's own answer.
  await ada.send(`/operator/review/${gone.id}/ask`);
  expect(await statusOf(gone)).toBe("successful");
  await rows("update changes set state = 'agreed', decided_by = $2, decided_at = now() where id = $1", [
    id,
    ada.personId,
  ]);
  const stored = async () =>
    (await rows("select state, outcome, progress, sealed from changes where id = $1", [id]))[0];
  await expect.poll(async () => (await stored()).state, { timeout: 30_000 }).toBe("done");
  expect(await stored()).toEqual({
    state: "done",
    outcome: "1 sale delivered, 1 sale refunded. 1 sale ended meanwhile and stayed as they are.",
    progress: '{"done":3,"all":3,"counts":{"delivered":1,"refunded":1,"left":1}}',
    sealed: null,
  });
  expect([await statusOf(refunded), await statusOf(gone)]).toEqual(["failed", "successful"]);
  expect(await present(metered)).toMatchObject({ status: "successful", delivery: { token: "26362054405982757802" } });
  expect(await balance()).toBe(before + 640);
  expect(await rows("select 1 from change_subjects where change_id = $1", [id])).toEqual([]);
  expect((await ada.get(`/operator/approvals/${id}`)).text).toContain("1 sale ended meanwhile");
  expect((await checkLedger(service.app.services.database)).filter(({ broken }) => broken.length > 0)).toEqual([]);
});
