import { expect, test } from "vitest";
import { manual } from "../../src/providers/manual/connector.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { openFakeSupplier, silent } from "../support/fake-supplier.ts";
import { operate } from "../support/operate.ts";
import { testEncryptionKey } from "../support/webhooks.ts";

const app = closing(await startApp({ suppliers: [manual("manual")] }));

/** Enters a supplier of the connector that is called like it. */
function add({ fresh }: TestApp, name: string, ...words: string[]) {
  const environment = { DATABASE_URL: fresh.url, ENCRYPTION_KEY: testEncryptionKey };
  return operate(["supplier", "add", name, "--connector", name, ...words], environment);
}

test("what it declined and the next one has in hand, or called about, is its own account's to be asked about", async () => {
  const declining = openFakeSupplier("declining");
  declining.answer = { kind: "declined", errorCode: "PROVIDER_DECLINED", evidence: "no" };
  const next = openFakeSupplier("next");
  next.answer = silent;
  const own = await startApp({ suppliers: [declining, next] });
  const addAgain = () => add(own, "declining", "--settings", '{"base_url":"https://x.example"}');
  try {
    const body = { reference: "went-on", product_id: 1002, phone: "08031234567" };
    expect((await own.call(own.merchant.liveKey, "/data/purchase", { body })).status).toBe(202);
    expect((await addAgain()).error).toMatch(/^declining has 1 purchases whose end is not known\. Another account /);
    await own.fresh.pool.query(
      "insert into callback_questions (supplier, supplier_reference, due_at) values ('declining', 'TXN-1', now())",
    );
    const both = /^declining has 1 purchases whose end is not known and 1 calls that it is still to be asked about\. /;
    expect((await addAgain()).error).toMatch(both);
  } finally {
    await own.close();
  }
});

test("a supplier with pending purchases gets another address only by --yes", async () => {
  const moved = ["--settings", '{"base_url":"https://other.example"}'];
  const meter = { biller: "ikeja-electric", meter_type: "prepaid", meter_number: "45012345678", phone: "08031234567" };
  await app.call(app.merchant.liveKey, "/electricity/purchase", {
    body: { ...meter, amount: "5000.00", reference: "by-hand" },
  });
  const refused = await add(app, "manual", ...moved);
  expect([refused.code, refused.out]).toEqual([1, ""]);
  expect(refused.error).toMatch(
    /^manual has 1 purchases whose end is not known\. Another account does not know them: /,
  );
  for (const sure of [[], ["--yes"]]) {
    expect(await add(app, "manual", ...sure)).toMatchObject({
      code: 0,
      out: expect.stringContaining("manual is there"),
    });
  }
  expect((await add(app, "manual", ...moved, "--yes")).error).toContain("unknown to manual");
});
