import { afterAll, beforeAll, expect, test } from "vitest";
import { manual } from "../../src/providers/manual/connector.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { operate } from "../support/operate.ts";
import { testEncryptionKey } from "../support/webhooks.ts";

let app: TestApp;

beforeAll(async () => {
  app = await startApp({ suppliers: [manual("manual")] });
});
afterAll(() => app.close());

const add = (...words: string[]) =>
  operate(["supplier", "add", "manual", "--connector", "manual", ...words], {
    DATABASE_URL: app.fresh.url,
    ENCRYPTION_KEY: testEncryptionKey,
  });

test("a supplier with pending purchases gets another address only by --yes", async () => {
  const moved = ["--settings", '{"base_url":"https://other.example"}'];
  const meter = { biller: "ikeja-electric", meter_type: "prepaid", meter_number: "45012345678", phone: "08031234567" };
  await app.call(app.merchant.liveKey, "/electricity/purchase", {
    body: { ...meter, amount: "5000.00", reference: "by-hand" },
  });
  const refused = await add(...moved);
  expect([refused.code, refused.out]).toEqual([1, ""]);
  expect(refused.error).toMatch(
    /^manual has 1 purchases whose end is not known\. Another account does not know them: /,
  );
  for (const sure of [[], ["--yes"]]) {
    expect(await add(...sure)).toMatchObject({ code: 0, out: expect.stringContaining("manual is there") });
  }
  expect((await add(...moved, "--yes")).error).toContain("unknown to manual");
});
