import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { kobo } from "../../src/kernel/money.ts";
import { startApp, type TestApp } from "./app.ts";
import type { Fields } from "./legacy-endpoint.ts";
import { callLegacy, expectLegacyDetail, postLegacy } from "./legacy-endpoint.ts";

interface Door {
  /** Without its trailing slash. */
  readonly path: string;
  /** A complete request but for its ident. */
  readonly usual: Fields;
  /** `GET …/{id}` tells of the other endpoint's purchases, too. */
  readonly findsOther?: true;
}

/** Registers what `GET …/{id}` promises. `other` is the endpoint of the other category. */
export function describeLegacyById(own: Door, other: Door, successor: { path: string; body: Fields }): void {
  let app: TestApp;
  let key: string;
  beforeAll(async () => {
    app = await startApp();
    key = (await app.createMerchant({ testCredit: kobo(100_000_000n) })).testKey;
  });
  afterAll(() => app.close());

  const ask = (id: string | number, as: string | null = key) => callLegacy(app, as, `${own.path}/${id}`);
  const send = (changes: Fields, as = key, { path, usual } = own) =>
    postLegacy(app, as, path, { ...usual, ident: `${path}-${changes.mobile_number}`.slice(5), ...changes });

  describe("200, and 400 of a failed one", () => {
    test.each(["08031234567", "08031230002", "08031230003"])("answers as its POST did (%s)", async (mobileNumber) => {
      const sent = await send({ mobile_number: mobileNumber, Ported_number: "0", network: "1" });
      for (const id of [`${sent.body.id}`, `${sent.body.id}/`]) {
        const answer = await ask(id);
        expect([answer.status, answer.body]).toEqual([sent.status, sent.body]);
        expect(answer.headers.get("idempotent-replayed")).toBeNull();
        // What is pending says when to ask again, as the merchant API's requery does: in sandbox, when it resolves.
        const wait = answer.headers.get("retry-after");
        if (answer.body.Status === "processing") expect(wait).toMatch(/^([1-9]|1[0-9]|20)$/);
        else expect(wait).toBeNull();
      }
    });

    test("also what came by another door, which its POST answers as a replay", async () => {
      const { testKey } = await app.createMerchant();
      await app.call(testKey, successor.path, { body: { ...successor.body, reference: "elsewhere" } });
      const replayed = await send({ ident: "elsewhere", amount: 100 }, testKey);
      expect([replayed.status, replayed.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
      const answer = await ask(replayed.body.id, testKey);
      expect([answer.status, answer.body]).toEqual([200, replayed.body]);
    });

    test("also what came without an ident", async () => {
      const sent = await send({ mobile_number: "08031111111", ident: undefined });
      expect((await ask(sent.body.id)).body).toEqual(sent.body);
    });
  });

  test("200 what the other endpoint sold, as it answered, where it is found", async () => {
    if (!own.findsOther) return;
    for (const mobileNumber of ["08031234567", "08031230002", "08031230003"]) {
      const sent = await send({ mobile_number: mobileNumber, ident: undefined }, key, other);
      const answer = await ask(sent.body.id);
      expect([answer.status, answer.body]).toEqual([sent.status, sent.body]);
    }
  });

  describe("404", () => {
    test.each(["0", "-1", "01", "1.0", "1e3", "abc", "9".repeat(17), "9".repeat(30), "%00", "%F0%9F%98%80"])(
      "the id %s",
      async (id) => {
        const answer = await ask(id);
        expectLegacyDetail(answer, 404, "Not found.");
      },
    );

    test("what is another category's, merchant's or mode's", async () => {
      const { testKey, liveKey } = await app.createMerchant();
      const ids = [(await send({}, testKey)).body.id, (await send({}, testKey, other)).body.id];
      expect(ids).toEqual([1, 2]);
      for (const [id, as] of [
        ...(own.findsOther ? [] : [[2, testKey] as const]),
        [3, testKey],
        [1, liveKey],
        [1, app.merchant.testKey],
      ] as const) {
        expectLegacyDetail(await ask(id, as), 404, "Not found.");
      }
      expect((await ask(1, testKey)).status).toBe(200);
    });
  });
}
