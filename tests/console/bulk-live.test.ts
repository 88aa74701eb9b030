import { afterAll, beforeAll, expect, test } from "vitest";
import { formOf, submit } from "../support/forms.ts";
import { type Selling, startSelling } from "../support/selling-by-hand.ts";

let selling: Selling;
const startForm = /\/bulk\/start\/[\w.:-]+$/;
const lines = "phone;amount\n08031234567;1,000.00\n08051234567;200\n";

beforeAll(async () => {
  selling = await startSelling();
});

afterAll(() => selling.service.close());

/** The form that starts an order of these lines with live money. */
async function startOf(reference: string, ticks: Readonly<Record<string, string>> = {}) {
  return formOf(await checkOf(reference, ticks), startForm);
}

async function checkOf(reference: string, ticks: Readonly<Record<string, string>> = {}) {
  const { finance } = selling;
  const typed = formOf(await finance.get("/live/bulk/new"), "/bulk/check");
  return submit(finance, typed, { category: "airtime", lines, reference, ...ticks });
}

async function totalOf(reference: string): Promise<bigint> {
  const { rows } = await selling.service.app.fresh.pool.query(
    "select count(*)::int as lines, sum(total)::text as total from purchases where bulk_reference = $1 and wallet_id > 0",
    [reference],
  );
  expect(rows[0].lines).toBe(2);
  return BigInt(rows[0].total);
}

test("a live order waits for a fresh factor with all of its lines, and is charged once however often it is sent", async () => {
  const { service, finance, balance } = selling;
  const form = await startOf("payday");
  const before = await balance("live");
  await service.age(finance);

  const calls = await submit(finance, form);
  expect([calls.status, calls.text.includes("Confirm it’s you")]).toEqual([403, true]);
  const confirming = formOf(calls, startForm);
  expect(confirming.fields.lines).toBe(form.fields.lines);
  const wrong = await submit(finance, confirming, { factor: "not the password" });
  expect([wrong.status, wrong.text.includes("That didn’t match")]).toEqual([403, true]);
  expect(await balance("live")).toBe(before);

  const started = await submit(finance, formOf(wrong, startForm), { factor: finance.password });
  expect(started.location).toBe("/live/bulk/payday");
  // The first page, which stands open in another tab, and its copy.
  for (const again of await Promise.all([submit(finance, form), submit(finance, form)]))
    expect(again.location).toBe("/live/bulk/payday");
  expect(before - (await balance("live"))).toBe(await totalOf("payday"));
});

test("a live order that two clicks send at once is charged once, and its list only after a tick", async () => {
  const { finance, balance } = selling;
  const before = await balance("live");
  // The order of the test before has the same lines: without a tick nothing is bought.
  const unticked = await checkOf("double");
  expect([unticked.text.includes("Possible duplicates: 2"), /bulk\/start/.test(unticked.text)]).toEqual([true, false]);
  const again = { keep: "all" };
  const form = await startOf("double", again);
  expect(await balance("live")).toBe(before);
  const answers = await Promise.all([submit(finance, form, again), submit(finance, form, again)]);
  for (const answer of answers) expect(answer.location).toBe("/live/bulk/double");
  expect(before - (await balance("live"))).toBe(await totalOf("double"));
});
