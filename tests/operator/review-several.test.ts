import { expect, test } from "vitest";
import { closing } from "../support/closing.ts";
import { rawText } from "../support/fake-supplier.ts";
import { electricityWish, startReview } from "../support/review-sales.ts";

// Product 1002 is data for 640 naira.

const review = closing(await startReview());
const { ada, bola, support, parked, rows, present, statusOf, balance, waiting, approve } = review;

test("chosen sales of one supplier and cause end together, delivered only where nothing is handed over", async () => {
  const choose = "/operator/review/several";
  const [first, second, left] = [await parked(), await parked(), await parked()];
  const metered = await parked("/electricity/purchase", electricityWish);
  await rows(
    "update inflight set last_answer = $1 where purchase_id = (select id from purchases where reference = $2)",
    ['{"message":"Vend in progress at DISCO, ref TS-7719"}', metered.reference],
  );
  const cause = `Answered: “${rawText.replace("10.0.0.7", "…").replace("99:", "…")}”`;
  const groups = await bola.get(choose);
  for (const words of [cause, "Says it’s still pending"]) expect(groups.text).toContain(words);
  expect((await support.get(choose)).text).toContain("Not for your role");
  const one = { supplier: "first", cause };
  const list = await bola.get(`${choose}?${new URLSearchParams({ ...one, select: "page" })}`);
  // The customer and what was answered stand beside each.
  for (const words of ["…4567", rawText]) expect(list.text).toContain(words);
  expect([list.text.includes(first.id), list.text.includes(metered.id), / checked/.test(list.text)]).toEqual([
    ...[true, false, true],
  ]);
  const evidence = "ticket 88121: none of them left the switch";
  const refused = [
    [{ sale: [] }, "Choose the sales first."],
    [{ sale: [first.id, second.id] }, "Choose what happened."],
    [{ sale: [metered.id], result: "vended" }, "Only airtime and data hand nothing over."],
    [{ sale: [first.id], result: "declined", evidence: "short" }, "Say what it rests on"],
  ] as const;
  for (const [fields, sentence] of refused) {
    const { status, text } = await bola.send(choose, { ...one, evidence, ...fields });
    expect([status, text.includes(sentence)], sentence).toEqual([400, true]);
  }
  const before = await balance();
  const no = { ...one, sale: [first.id, second.id], result: "declined", reason: "OPERATOR_UNAVAILABLE", evidence };
  await bola.send(choose, no);
  expect((await ada.get(await waiting())).text).toContain("End 2 sales at first: 0 delivered, 2 refunded (₦1,280.00)");
  expect((await approve(ada)).text).toContain("2 sales refunded");
  expect(await balance()).toBe(before + 1280);
  expect(await present(second)).toMatchObject({ status: "failed", error_code: "OPERATOR_UNAVAILABLE" });
  expect((await bola.send(choose, no)).text).toContain("2 sales that you chose ended meanwhile");
  await bola.send(choose, { ...one, sale: [left.id], result: "vended", evidence });
  await approve(ada);
  expect([await statusOf(left), await balance()]).toEqual(["successful", before + 1280]);
});

test("what a supplier says it delivered stands apart from its silence, and a refund of it asks again", async () => {
  const choose = "/operator/review/several";
  const [silent, sworn, other] = [await parked(), await parked(), await parked()];
  const exchange = (answer: string) =>
    `POST /api/pay {"request_id":"20261129","serviceID":"mtn-data"} -> ${answer}; then POST /api/requery {} -> ${answer} (812 ms)`;
  const said =
    '200 {"code":"000","content":{"transactions":{"status":"delivered"}},"response_description":"TRANSACTION SUCCESSFUL"}';
  for (const [sale, answer] of [
    [silent, "silent: no answer in time"],
    [sworn, said],
    [other, said],
  ] as const) {
    await rows(
      "update inflight set last_answer = $1 where purchase_id = (select id from purchases where reference = $2)",
      [exchange(answer), sale.reference],
    );
  }
  const groups = (await bola.get(choose)).text;
  for (const words of ["Never answered", "Says it delivered", "2 sales"]) expect(groups).toContain(words);
  expect((await bola.get("/operator/review")).text).toContain(
    "first says it delivered for …4567: “TRANSACTION SUCCESSFUL”",
  );
  const queue = await bola.get(`/operator/review/${sworn.id}`);
  for (const words of [
    "first says it delivered for 0803 123 4567",
    "<summary>What was sent and answered",
    "  &quot;code&quot;",
  ]) {
    expect(queue.text).toContain(words);
  }
  const evidence = "ticket 88121: none of them left the switch";
  const no = {
    supplier: "first",
    cause: "Says it delivered",
    sale: [sworn.id, other.id],
    result: "declined",
    evidence,
  };
  const question = await bola.send(choose, no);
  expect([
    question.status,
    question.text.includes("first says it delivered 2 of these 2 sales"),
    question.text.includes('name="sure"'),
  ]).toEqual([400, true, true]);
  const alone = await bola.send(`/operator/review/${sworn.id}/resolve`, { result: "declined", evidence });
  expect([alone.status, alone.text.includes("first says it delivered this sale")]).toEqual([400, true]);
  expect(await rows("select 1 from changes where state = 'waiting'")).toEqual([]);
  await bola.send(choose, { ...no, sale: [sworn.id], sure: "on" });
  await bola.send(choose, { ...no, cause: "Never answered", sale: [silent.id] });
  for (const sale of [silent, sworn]) {
    await approve(ada);
    expect(await statusOf(sale)).toBe("failed");
  }
});
