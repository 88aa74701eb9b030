import { expect, test } from "vitest";
import { expectRefusedOrder, hideFrom } from "../../support/bulk-orders.ts";
import { sharedApp } from "../../support/shared-app.ts";
import { expectProblem } from "../../support/wire-expectations.ts";

const app = await sharedApp();
const key = app.merchant.testKey;
const plan = 1002;
const phone = "08031234567";
const line = { phone, product_id: plan };

const place = (body: object, by = key) => app.call(by, "/data/bulk", { body: { reference: "wrong", ...body } });

const cases: readonly [string, object, string[]][] = [
  [
    "a malformed phone and another line's unknown product",
    { items: [{ ...line, phone: "0803" }, { phone, product_id: 1 }, line] },
    ["items.0.phone", "items.1.product_id"],
  ],
  [
    "a line that is no object, references that repeat and a foreign product",
    { items: [null, { ...line, reference: "r" }, { phone, product_id: 2001, reference: "r" }] },
    ["items.0", "items.1.reference", "items.2.product_id", "items.2.reference"],
  ],
  [
    "a reference that the malformed line derives",
    {
      items: [
        { ...line, phone: "0803" },
        { ...line, reference: "wrong-1" },
      ],
    },
    ["items.0", "items.0.phone", "items.1.reference"],
  ],
  [
    "a malformed reference, of which nobody knows what it will repeat, and an unknown product",
    { items: [{ ...line, reference: "no reference" }, line, { phone, product_id: 1, reference: "wrong-1" }] },
    ["items.0.reference", "items.2.product_id"],
  ],
  [
    "the order's own malformed reference and an unknown product",
    { reference: 5, items: [{ phone, product_id: 1 }] },
    ["items.0.product_id", "reference"],
  ],
  [
    "a number of another network and an unknown product",
    {
      items: [
        { ...line, phone: "08021234567", ported: false },
        { phone, product_id: 1 },
      ],
    },
    ["items.0.phone", "items.1.product_id"],
  ],
  [
    "a malformed phone of the shorthand and its unknown product",
    { product_id: 1, phones: ["x", phone] },
    ["phones.0", "product_id"],
  ],
  ["a malformed phone of the shorthand and no product", { phones: ["x", phone] }, ["phones.0", "product_id"]],
];

test.each(cases)("%s are named together, and the order is refused", async (_name, body, fields) => {
  expectRefusedOrder(await place(body), 400, "VALIDATION_ERROR", { fields });
  expectProblem(await app.call(key, "/bulk/wrong"), 404, "BULK_NOT_FOUND");
});

test("what is malformed alone keeps the code that says how", async () => {
  const answer = await place({ items: [{ ...line, phone: "0803" }, line] });
  expectRefusedOrder(answer, 400, "INVALID_PHONE", { fields: ["items.0.phone"] });
});

test("a number of another network alone keeps the code that says so, and which network", async () => {
  const answer = await place({ items: [line, { ...line, phone: "08021234567", ported: false }] });
  expectRefusedOrder(answer, 400, "NETWORK_MISMATCH", { fields: ["items.1.phone"], meta: { network: "AIRTEL" } });
});

test("who does not see the category hears what is malformed, and nothing of the catalogue", async () => {
  const { id, testKey } = await app.createMerchant();
  await hideFrom(app, { id, testKey }, "data");
  const items = [
    { ...line, phone: "x" },
    { phone, product_id: 1 },
  ];
  expectRefusedOrder(await place({ items }, testKey), 400, "INVALID_PHONE", { fields: ["items.0.phone"] });
  expect((await app.call(testKey, "/wallet/balance")).body.balance).toBe("100000.00");
});
