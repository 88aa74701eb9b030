import { describe, expect, test } from "vitest";
import { sharedApp } from "../../support/shared-app.ts";
import { expectProblem, expectRequery } from "../../support/wire-expectations.ts";

// That a requery tells what the purchase told is each purchase endpoint's own test; here is what a name can be.
const app = await sharedApp();

await buy("plain");

function buy(reference: string, key = app.merchant.testKey, phone = "08031234567") {
  return app.call(key, "/data/purchase", { body: { product_id: 1002, phone, reference } });
}

const requery = (name: string, key = app.merchant.testKey) => app.call(key, `/transactions/${name}`);

describe("200", () => {
  test.each(["a", "r".repeat(100), "2026:11:20", "...", ".a.", "-", "_", "A.b:c-d_e"])(
    "the reference %s, percent-encoded or not",
    async (reference) => {
      const bought = await buy(reference);
      expect(bought.status).toBe(201);
      for (const name of [reference, encodeURIComponent(reference)]) {
        const answer = await requery(name);
        expectRequery(answer, "successful");
        expect(answer.body).toMatchObject({ reference, transaction_id: bought.body.transaction_id });
      }
    },
  );

  /** Gives a purchase such a reference as older versions accepted. */
  const rename = (reference: string, to: string) =>
    app.fresh.pool.query("update purchases set reference = $2 where reference = $1 and wallet_id = -$3::integer", [
      reference,
      to,
      app.merchant.id,
    ]);

  test("the transaction_id, and the reference that looks like one", async () => {
    const first = (await buy("first")).body.transaction_id;
    expect((await requery(first)).body.reference).toBe("first");
    const lookalike = `SBX${"0".repeat(26)}`;
    await buy("looks-alike");
    await rename("looks-alike", lookalike);
    expect((await requery(lookalike)).body.reference).toBe(lookalike);
  });

  test("a reference that repeats another purchase's transaction_id names its own purchase, and hides no reference", async () => {
    const first = (await buy("named-first")).body;
    const second = (await buy("named-second", app.merchant.testKey, "08031230002")).body;
    await rename("named-second", first.transaction_id);
    const answer = await requery(first.transaction_id);
    expectRequery(answer, "failed");
    expect(answer.body).toMatchObject({ reference: first.transaction_id, transaction_id: second.transaction_id });
    expect((await requery(second.transaction_id)).body.reference).toBe(first.transaction_id);
    expect((await requery("named-first")).body.transaction_id).toBe(first.transaction_id);
  });

  test("while it is pending, it says when to ask again", async () => {
    await buy("waiting", app.merchant.testKey, "08031230003");
    const answer = await requery("waiting");
    expectRequery(answer, "pending");
    expect(answer.body.next_check_after).toBeGreaterThan(15);
    expect(answer.body.next_check_after).toBeLessThanOrEqual(20);
    expect(answer.headers.get("retry-after")).toBe(String(answer.body.next_check_after));
    expect(answer.headers.get("idempotent-replayed")).toBeNull();
    await buy("over", app.merchant.testKey, "08031231234");
    expect((await requery("over")).headers.get("retry-after")).toBeNull();
  });

  test("a failed transaction is an answer, not an error", async () => {
    await buy("failed", app.merchant.testKey, "08031230002");
    const answer = await requery("failed");
    expectRequery(answer, "failed");
    expect(answer.body).toMatchObject({ error_code: "SANDBOX_FORCED_FAILURE", total_deducted: "0.00", refunded: true });
  });
});

describe("404", () => {
  test.each([
    "unknown",
    "PLAIN",
    "plain%20",
    "plain%00",
    "plain%2F",
    "..%2Fwallet%2Fbalance",
    "%F0%9F%98%80",
    "SBX01KAGZ7Q3M5T8V1X4Y6Z9B2C3D",
    "TXN01KAGZ7Q3M5T8V1X4Y6Z9B2C3D",
  ])("%s names no transaction", async (name) => {
    const answer = await requery(name);
    expectProblem(answer, 404, "TRANSACTION_NOT_FOUND");
  });

  test.each([101, 301, 5_000])("a name of %d characters", async (length) => {
    const answer = await requery("r".repeat(length));
    expectProblem(answer, 404, "TRANSACTION_NOT_FOUND");
  });

  test("the same reference, and the transaction_id, in the other mode", async () => {
    const bought = (await buy("sandbox-only")).body;
    for (const name of ["sandbox-only", bought.transaction_id, bought.transaction_id.replace("SBX", "TXN")]) {
      const answer = await requery(name, app.merchant.liveKey ?? "");
      expectProblem(answer, 404, "TRANSACTION_NOT_FOUND");
    }
  });

  test("a transaction_id in small letters, or with one character changed", async () => {
    const id: string = (await buy("checksum")).body.transaction_id;
    const last = id.endsWith("0") ? "1" : "0";
    for (const name of [id.toLowerCase(), id.slice(0, -1) + last, id.slice(0, -1)]) {
      expectProblem(await requery(name), 404, "TRANSACTION_NOT_FOUND");
    }
  });
});
