import { expect, test } from "vitest";
import type { VendOutcome } from "../../src/providers/contract.ts";
import { closing } from "../support/closing.ts";
import { startConsole } from "../support/console.ts";
import { openFakeSupplier, rawText, vended } from "../support/fake-supplier.ts";
import { operate } from "../support/operate.ts";
import { waitUntil } from "../support/receiver.ts";

// A supplier takes back what it had vended: the sale stays successful, and its money is back in the wallet.

const first = openFakeSupplier("first");
const reversed: VendOutcome = { kind: "declined", errorCode: "PROVIDER_DECLINED", evidence: rawText, reversed: true };

const key = () => service.app.merchant.liveKey ?? "";
const api = async (path: string, body?: object) => (await service.app.call(key(), path, { body })).body;
const rowsOf = (text: string) => text.split("<tr").filter((row) => row.includes("<td"));

first.answer = vended;
const service = closing(await startConsole({ suppliers: [first], workers: true }));
const owner = await service.member("owner");
for (const reference of ["taken-back", "kept"]) {
  const bought = await api("/data/purchase", { reference, product_id: 1002, phone: "08031234567" });
  expect(bought.status).toBe("successful");
}
await api("/data/bulk", { reference: "order", product_id: 1002, phones: ["08031230001", "08031230002"] });
await waitUntil(async () => (await api("/bulk/order")).pending === 0, "the order's end");
first.answer = reversed;
for (const reference of ["taken-back", "order-1"]) {
  const { transaction_id: id } = await api(`/transactions/${reference}`);
  const rung = await service.app.services.requery("first", `${id}-1`, {
    source: "callback",
    providerReference: null,
  });
  expect(rung).toBe("late_reversal");
}

test("the API says refunded of a sale that was taken back, alone and in the list, and leaves what it cost", async () => {
  const alone = await api("/transactions/taken-back");
  const { transactions } = await api("/transactions?per_page=100");
  for (const reply of [
    alone,
    transactions.find(({ reference }: { reference: string }) => reference === "taken-back"),
  ]) {
    expect(reply).toMatchObject({ status: "successful", refunded: true, total_deducted: "640.00" });
    expect(reply.refunded_at).toMatch(/^20\d\d-/);
    expect(reply.message).toContain("refunded");
  }
  const kept = transactions.filter(({ refunded }: { refunded: boolean }) => !refunded);
  expect(kept.map(({ reference }: { reference: string }) => reference)).toEqual(["order-2", "kept"]);
  const { items } = await api("/bulk/order");
  expect(items.map(({ message }: { message: string }) => message.includes("refunded"))).toEqual([true, false]);
});

test("every list that a person reads says refunded later of a sale that was taken back, and of no other", async () => {
  const pages = ["transactions", "transactions?q=08031234567", "bulk/order", "overview"];
  for (const path of pages) {
    const { text } = await owner.get(`/live/${path}`);
    const marked = rowsOf(text).filter((row) => /refunded later/i.test(row));
    const said = marked.map((row) => /taken-back|order-1|08031230001/.test(row));
    expect([path, said.length > 0, said.every(Boolean)]).toEqual([path, true, true]);
  }
  for (const path of ["transactions/taken-back", "transactions/taken-back/receipt", "transactions?open=taken-back"]) {
    expect([path, (await owner.get(`/live/${path}`)).text.includes("Refunded later")]).toEqual([path, true]);
  }
  expect((await owner.get("/live/transactions/kept")).text).not.toContain("Refunded later");
  const { text: file } = await owner.get("/live/bulk/order/results.csv");
  expect(file.split("\r\n").filter((line) => line.includes("refunded"))).toEqual([expect.stringContaining("order-1")]);
  const { out } = await operate(["transactions"], { DATABASE_URL: service.app.fresh.url });
  const reply = out.split("\n").filter((line) => line.includes("refunded later"));
  expect(reply).toEqual([expect.stringContaining("order-1"), expect.stringContaining("taken-back")]);
});

test("the file of transactions has the time when a sale was refunded later", async () => {
  const { text } = await owner.get("/live/transactions.csv");
  const [heading = "", ...records] = text.trimEnd().split("\r\n");
  const column = heading.replace("\uFEFF", "").split(",").indexOf("refunded_at");
  const refunded = records.map((record) => record.split(",")).filter((cells) => cells[column] !== "");
  expect(refunded.map((cells) => [cells[1], cells[3]])).toEqual([
    ["order-1", "successful"],
    ["taken-back", "successful"],
  ]);
});
