import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newMerchant } from "../../../rigs/base/merchants.ts";
import { bodyBytesMax, readJson } from "../../../src/http/plugins/json-reader.ts";
import { closing } from "../../support/closing.ts";
import { type Answer, openDoor } from "../../support/door.ts";
import { ownDatabase } from "../../support/merchants.ts";

const own = closing(await ownDatabase());
const door = closing(await openDoor({ database: own.database, limit: 100_000 }));
const key = ["X-API-Key", (await newMerchant(own.database)).testKey];

const send = (body: string | Buffer, type = "application/json", path = "/m/echo"): Promise<Answer> =>
  door.ask("POST", path, [...key, "Content-Type", type], body);

const objectOf = (names: number) => Object.fromEntries(Array.from({ length: names }, (_, n) => [n.toString(36), 1]));

describe("200", () => {
  test.each(["application/json", "application/json; charset=utf-8", 'Application/JSON;charset="UTF-8"'])(
    "JSON is read as %s",
    async (type) => {
      const answer = await send('{"phone":"0803 é 😀 \\u00e9\\ud83d\\ude00"}', type);
      expect(answer.body).toEqual({ got: { phone: "0803 é 😀 é😀" } });
    },
  );

  test("a route without a body schema does without a body, also when a type is announced", async () => {
    expect((await send("", "application/json", "/m/any")).body).toEqual({ got: null });
    expect((await send("", "application/x-www-form-urlencoded", "/m/any")).body).toEqual({ got: null });
    expect((await door.ask("POST", "/m/any", key)).body).toEqual({ got: null });
  });

  test("eight levels, and words that only look forbidden, are fine", async () => {
    const body = '{"a":[[[[[[{}]]]]]],"e":"1e5 \\" 2e5","constructor":"builder","prototype":1,"true":false}';
    expect((await send(body)).body.got).toEqual(JSON.parse(body));
  });

  test("a number is judged by its value, however it is written, and one that no field reads is ignored", async () => {
    const body =
      '{"amount":1e3,"quantity":0.5E1,"items":[{"amount":100.000000000000001,"x":1e400}],"id":12345678901234567891}';
    expect((await send(body)).body.got).toMatchObject({ amount: 1000, quantity: 5, items: [{ amount: 100 }] });
  });

  test("a hundred names in each object are fine, and colons in a text are none", async () => {
    const body = { text: ":".repeat(200_000), more: [objectOf(100), objectOf(100)], ...objectOf(98) };
    expect(await readJson(Buffer.from(JSON.stringify(body)))).toEqual(body);
  });

  test("long lists, which are read in slices, are what JSON.parse makes of them", async () => {
    const line = (n: number) => ({ phone: `0803\u00e9${n}`, metadata: { 'na"me': [n, ",[]{}:", null] } });
    const body = {
      before: [1, [2], {}],
      items: Array.from({ length: 10_000 }, (_, n) => line(n)),
      'li"st,\u00e9': Array.from({ length: 40_000 }, (_, n) => n),
      between: { list: [1, 2, { a: [] }] },
      objects: Array.from({ length: 200 }, () => objectOf(100)),
      after: "x",
    };
    for (const text of [JSON.stringify(body), JSON.stringify(body, null, 1)]) {
      expect(await readJson(Buffer.from(text))).toEqual(body);
    }
  });

  test("what is accepted is what JSON.parse makes of it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 6 }), async (value) => {
        const text = JSON.stringify(value);
        fc.pre(!/\\u|e[+-]?[0-9]|__proto__/i.test(text));
        expect(await readJson(Buffer.from(text))).toEqual(JSON.parse(text));
      }),
    );
  });
});

describe("400 INVALID_JSON", () => {
  test.each([
    ["broken", '{"phone":'],
    ["empty", ""],
    ["only white space", "  "],
    ["two values", "{} {}"],
    ["a trailing comma", '{"a":1,}'],
    ["a comment", '{"a":1 /* b */}'],
    ["NaN", '{"a":NaN}'],
    ["a bare control character", '{"a":"\u0001"}'],
    ["broken after a number with an exponent", '{"a":1e5'],
    ["nested nine deep", "[".repeat(9) + "]".repeat(9)],
    ["nested 10,000 deep", "[".repeat(10_000)],
    ["nested 400,000 deep", '{"a":'.repeat(200_000)],
    ["an object of more than a hundred names", JSON.stringify(objectOf(101))],
    ["an object of too many names behind another one", JSON.stringify({ before: objectOf(100), ...objectOf(100) })],
    ["more than 200,000 names and values", `{"list":[${"1,".repeat(200_001)}1]}`],
    ["more than 10,000 names and values in one entry", `{"list":[1,[${"1,".repeat(10_001)}1]]}`],
    ["more than 10,000 names and values outside of its lists", `{"list":{"a":[${"1,".repeat(10_001)}1]}}`],
    ["a long list with a trailing comma", `{"list":[${"1,".repeat(5_000)}]}`],
    ["a long list that ends at once behind a slice", `{"list":[${"1,".repeat(500)}]}`],
    ["a long list with an empty place", `{"list":[${"1,".repeat(499)},${"1,".repeat(499)}1]}`],
    ["a long list that ends as an object", `{"list":[${"1,".repeat(5_000)}1}`],
    ["a long list whose entries end one too early", `{"list":[${"1,".repeat(5_000)}1],1],"a":[1]}`],
    ["a long list with __proto__", `{"list":[${"1,".repeat(5_000)}{"__proto__":1}]}`],
    ["a long list named __proto__", `{"__proto__":[${"1,".repeat(5_000)}1]}`],
    ["with __proto__", '{"__proto__":{"admin":true}}'],
    ["with __proto__ in a list", '{"items":[{"__proto__":1}]}'],
    ["with an escaped __proto__", '{"\\u005f_proto__":{"admin":true}}'],
    ["with constructor.prototype", '{"constructor":{"prototype":{"admin":true}}}'],
    ["with an escaped constructor.prototype", '{"c\\u006fnstructor":{"prot\\u006ftype":1}}'],
  ])("a body that is %s", async (_, body) => {
    const answer = await send(body);
    expect([answer.status, answer.body.code]).toEqual([400, "INVALID_JSON"]);
    expect(answer.headers["x-api-mode"]).toBe("test");
  });

  test("a body that is not UTF-8, or half a character of it", async () => {
    for (const bytes of [[0xff, 0xfe], [0xc3], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0x98]]) {
      const body = Buffer.concat([Buffer.from('{"phone":"'), Buffer.from(bytes), Buffer.from('"}')]);
      expect((await send(body)).body.code).toBe("INVALID_JSON");
    }
  });

  test("no body at all where one is needed, with and without a type", async () => {
    for (const headers of [key, [...key, "Content-Type", "application/json"]]) {
      const answer = await door.ask("POST", "/m/echo", headers);
      expect([answer.status, answer.body.code]).toEqual([400, "INVALID_JSON"]);
    }
  });

  test("quotes nothing of the body back", async () => {
    expect((await send('{"pin":"1234-secret')).text).not.toContain("1234");
  });
});

describe("400 VALIDATION_ERROR", () => {
  test.each([
    ["an amount larger than any double", '{"amount":1e400}', "amount"],
    ["an amount of three decimals", '{"amount":100.125}', "amount"],
    ["an amount below a kobo", '{"amount":1e-7}', "amount"],
    ["a quantity that is no whole number", '{"items":[{},{"quantity":0.25}]}', "items.1.quantity"],
    ["a number instead of an object", '{"items":[1e5]}', "items.0"],
    ["a number instead of a text", '{"phone":8e9}', "phone"],
    ["nothing but a number", "1e5", "body"],
    ["a NUL character", '{"phone":"0803\\u0000"}', "phone"],
    ["a NUL character deep down", '{"items":[{"a":{"b":"\\u0000"}}]}', "items.0.a.b"],
    ["a NUL character late in a long list", `{"items":[${'{"a":1},'.repeat(5_000)}{"b":"\\u0000"}]}`, "items.5000.b"],
    ["a NUL character in a key", '{"metadata":{"a\\u0000":1}}', "body"],
    ["half a surrogate pair", '{"phone":"\\ud83d"}', "phone"],
    ["a surrogate pair the wrong way round", '{"phone":"\\ude00\\ud83d"}', "phone"],
  ])("a body that carries %s", async (_, body, field) => {
    const answer = await send(body);
    expect([answer.status, answer.body.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(answer.body.errors === undefined ? undefined : Object.keys(answer.body.errors)[0]).toBe(field);
  });

  test("null is a body, and not the one that is needed", async () => {
    expect((await send("null")).body.code).toBe("VALIDATION_ERROR");
  });
});

describe("413", () => {
  test("one byte more than a mebibyte, and not one less", async () => {
    const fitting = `{"phone":"${"0".repeat(bodyBytesMax - 12)}"}`;
    expect((await send(fitting)).status).toBe(200);
    const answer = await send(`${fitting} `);
    expect([answer.status, answer.body.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
    expect(answer.headers["x-api-mode"]).toBe("test");
  });
});

describe("415", () => {
  test.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/json; charset=utf-16",
    "application/jsonp",
    "application/merge-patch+json",
    "nonsense",
  ])("a body sent as %s", async (type) => {
    const answer = await send("{}", type);
    expect([answer.status, answer.body.code]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
  });

  test("a body without a type, and one that is compressed", async () => {
    expect((await door.ask("POST", "/m/echo", key, "{}")).status).toBe(415);
    const headers = [...key, "Content-Type", "application/json", "Content-Encoding", "gzip"];
    expect((await door.ask("POST", "/m/echo", headers, "{}")).status).toBe(415);
  });
});
