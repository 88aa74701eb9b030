import { expect, test } from "vitest";
import { wallTime } from "../../src/kernel/clock.ts";
import { closing } from "../support/closing.ts";
import { startConsole } from "../support/console.ts";
import { openFakeSupplier, vended } from "../support/fake-supplier.ts";
import { middayZone } from "../support/midday.ts";

const supplier = openFakeSupplier();
supplier.answer = vended;
const service = closing(await startConsole({ suppliers: [supplier], timeZone: middayZone }));
const { app } = service;
const finance = await service.staff("finance");
const today = wallTime(middayZone).dayOf(Date.now()).date;

async function sell(reference: string): Promise<string> {
  const body = { product_id: 1002, phone: "08031234567", reference };
  const sold = await app.call(app.merchant.liveKey, "/data/purchase", { body });
  expect(sold.status).toBe(201);
  return `${sold.body.transaction_id}-1`;
}

const [same, other, ours] = [await sell("same"), await sell("other"), await sell("ours")];
const { rows } = await app.fresh.pool.query("select cost from vend_attempts limit 1");
const cost = (Number(rows[0].cost) / 100).toFixed(2);
const lines = ["Ref;Charge", `${same};${cost}`, `${other};9999.99`, '"=theirs";12.00', `${same};${cost}`];
const fields = {
  ...{ supplier: supplier.name, from: today, to: today, by: "reference", tolerance: "" },
  ...{ reference_column: "Ref", amount_column: "Charge", statement: lines.join("\n") },
};

test("each line and each sale is in one set, with what they come to, and the file has the same", async () => {
  const { status, text } = await finance.send("/operator/reconciliation", fields);
  expect(status).toBe(200);
  expect(text).toContain("4 differences");
  for (const what of ["Only in theirs", "Only in ours", "Other amount", "charged once more", "not ours", ours]) {
    expect(text).toContain(what);
  }
  const file = await finance.send("/operator/reconciliation", { ...fields, do: "csv" });
  expect(file.headers.get("content-type")).toContain("text/csv");
  const table = file.text.trim().split("\r\n");
  expect(table).toHaveLength(5);
  // A supplier's reference that begins like a formula is no formula in the file.
  expect(table.find((line) => line.startsWith("theirs_only") && line.includes("theirs,"))).toContain("'=theirs");
  expect(table.find((line) => line.startsWith("ours_only"))).toContain(ours);
});

test("what can't be read is said at its field, and nothing typed is lost", async () => {
  const wrong = [
    [{ reference_column: "reference" }, "The file has no column “reference”. It has: Ref, Charge."],
    [{ to: "2020-01-01" }, "The last day comes before the first one."],
    [{ from: "2020-01-01" }, "At most 31 days at once."],
    [{ tolerance: "50" }, "more is no rounding"],
    [{ statement: "" }, "Paste the statement"],
    [{ statement: "PK\u0003\u0004" }, "save it as"],
    [{ statement: 'Ref;Charge\n"never closed;1' }, "CSV after line 1"],
    [{ supplier: "nobody" }, "Choose a supplier."],
  ] as const;
  for (const [changed, sentence] of wrong) {
    const { status, text } = await finance.send("/operator/reconciliation", { ...fields, ...changed });
    expect([status, text.includes(sentence)], sentence).toEqual([400, true]);
    if (!("statement" in changed)) expect(text).toContain(same);
  }
});

test("support sees no form, and may not compare", async () => {
  const support = await service.staff("support");
  expect((await support.get("/operator/reconciliation")).text).not.toContain("<textarea");
  expect((await support.send("/operator/reconciliation", fields)).status).toBe(403);
});

test("a file is read as a browser uploads it, in the encoding of a spreadsheet, and goes before what is pasted", async () => {
  const body = new FormData();
  for (const [name, value] of Object.entries({ ...fields, once: "a".repeat(43), statement: "Ref;Charge" })) {
    body.append(name, value);
  }
  body.append("file", new File([`\uFEFF${lines.join("\r\n")}`], "statement.csv", { type: "text/csv" }));
  const cookie = [...finance.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const headers = { cookie, origin: service.url, "sec-fetch-site": "same-origin" };
  const answer = await fetch(`${service.url}/operator/reconciliation`, { method: "POST", body, headers });
  expect([answer.status, (await answer.text()).includes("4 differences")]).toEqual([200, true]);
});
