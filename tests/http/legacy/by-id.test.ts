import { describe, expect, test } from "vitest";
import { expectLegacyDetail } from "../../support/legacy-endpoint.ts";
import { LegacyUnderTest, openLegacyShop } from "./endpoint.ts";
import { data, endpoints, topup } from "./endpoints.ts";

const shop = await openLegacyShop();
const { app } = shop;

describe.each(endpoints)("GET $path/{id}", (endpoint) => {
  const under = new LegacyUnderTest(shop, endpoint);
  const { numbered, successor } = endpoint;
  const other = new LegacyUnderTest(shop, endpoint.path === topup.path ? data : topup);

  test.each(["4567", "0002", "0003"])("answers as its POST did (%s)", async (suffix) => {
    const sent = await under.send(numbered(suffix));
    for (const id of [`${sent.body.id}`, `${sent.body.id}/`]) {
      const answer = await under.ask(id);
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
    const replayed = await under.send({ ident: "elsewhere" }, { as: testKey });
    expect([replayed.status, replayed.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
    const answer = await under.ask(replayed.body.id, testKey);
    expect([answer.status, answer.body]).toEqual([200, replayed.body]);
  });

  test("also what came without an ident", async () => {
    const sent = await under.send({ ...numbered("1111"), ident: undefined });
    expect((await under.ask(sent.body.id)).body).toEqual(sent.body);
  });

  test.each(["0", "-1", "01", "1.0", "1e3", "abc", "9".repeat(17), "9".repeat(30), "%00", "%F0%9F%98%80"])(
    "404 the id %s",
    async (id) => expectLegacyDetail(await under.ask(id), 404, "Not found."),
  );

  test("404 what is another category's, merchant's or mode's", async () => {
    const { testKey, liveKey } = await app.createMerchant();
    const ids = [await under.send({}, { as: testKey }), await other.send({}, { as: testKey })];
    expect(ids.map(({ body }) => body.id)).toEqual([1, 2]);
    for (const [id, as] of [
      ...(endpoint === data ? [] : [[2, testKey] as const]),
      [3, testKey],
      [1, liveKey],
      [1, app.merchant.testKey],
    ] as const) {
      expectLegacyDetail(await under.ask(id, as), 404, "Not found.");
    }
    expect((await under.ask(1, testKey)).status).toBe(200);
  });
});

test("GET /api/data/{id} finds also what the airtime endpoint sold, as it answered", async () => {
  const [ofData, ofTopup] = [new LegacyUnderTest(shop, data), new LegacyUnderTest(shop, topup)];
  for (const suffix of ["4567", "0002", "0003"]) {
    const sent = await ofTopup.send({ ...topup.numbered(suffix), ident: undefined });
    const answer = await ofData.ask(sent.body.id);
    expect([answer.status, answer.body]).toEqual([sent.status, sent.body]);
  }
});
