import { expect, test } from "vitest";
import { sharedConsole } from "../support/shared-console.ts";

const service = await sharedConsole();
const owner = await service.member("owner");

test.each([
  ["transactions", "status"],
  ["transactions", "category"],
  ["transactions", "from"],
  ["wallet", "to"],
  ["prices", "category"],
  ["prices", "biller"],
  ["beneficiaries", "category"],
  ["requests", "status"],
  ["requests", "address"],
  ["errors", "days"],
  ["webhooks/deliveries", "event"],
])("the list of %s shows all and says that its %s was not understood", async (list, name) => {
  const { status, text } = await owner.get(`/test/${list}?${name}=nonsense`);
  expect([status, text.includes("Ignored “nonsense”: we can’t read it.")]).toEqual([200, true]);
  expect((await owner.get(`/test/${list}?${name}=`)).text).not.toContain("Not understood");
});

test.each([
  ["transactions.csv", "status"],
  ["wallet/statement.csv", "from"],
  ["wallet/statement.pdf", "from"],
  ["prices/prices.csv", "category"],
  ["beneficiaries.csv", "category"],
  ["webhooks/deliveries.csv", "status"],
])("the file %s is not written where its %s was not understood, as it can't say so", async (file, name) => {
  const { status, text } = await owner.get(`/test/${file}?${name}=nonsense`);
  expect([status, text.includes("Not understood: nonsense.")]).toEqual([400, true]);
});

test("transactions of one bulk order stay those when another filter is chosen", async () => {
  const { text } = await owner.get("/test/transactions?bulk=order-1");
  expect(text).toMatch(/<input id="filter-bulk" name="bulk" type="text" value="order-1"/);
  expect((await owner.get("/test/transactions")).text).not.toContain('name="bulk"');
});
