import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { echoedField, readJson } from "../../../src/http/body/json-reader.ts";
import { bodyBytesMax } from "../../../src/http/plugins/json-body.ts";
import type { Answer, Door } from "../../support/door.ts";
import { openDoor } from "../../support/door.ts";
import { newMerchant, ownDatabase } from "../../support/merchants.ts";

let own: Awaited<ReturnType<typeof ownDatabase>>;
let door: Door;
let key: string[];

beforeAll(async () => {
  own = await ownDatabase();
  door = await openDoor({ database: own.database, limit: 100_000 });
  key = ["X-API-Key", (await newMerchant(own.database)).testKey];
});
afterAll(async () => {
  await door.close();
  await own.drop();
});

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

  test("a long number that is what it says, and a longer one in a text, come back as they were sent", async () => {
    const body =
      '{"phone":"12345678901234567891","a":[9007199254740991,-1234567890123456,0.30000000000000004,100000000000000000000]}';
    expect((await send(body)).text).toBe(`{"got":${body}}`);
    expect((await send('{"a":100.0000000000000000}')).body.got).toEqual({ a: 100 });
  });

  test("a number that no field reads is ignored, however it is written", async () => {
    const body = '{"phone":"0803","ratio":1e-7,"lat":[6.4550000000000001e0,{"id":12345678901234567891}],"big":1e400}';
    expect((await send(body)).body.got).toMatchObject({ phone: "0803" });
  });

  test.each([
    ['{"a":1e-7,"b":[1e-05,1.0e-5]}', '{"a":1e-7,"b":[0.00001,0.00001]}'],
    ['{"a":0.10000000000000001,"b":100.09999999999999}', '{"a":0.1,"b":100.1}'],
    ['{"a":{"b":[-1E+21,2]},"c":"1e5"}', '{"a":{"b":[-1e+21,2]},"c":"1e5"}'],
    ['{"a":9007199254740991,"b":12345678901234567891.5}', '{"a":9007199254740991,"b":12345678901234567000}'],
  ])("%s is echoed as the doubles that it holds", (sent, echoed) => {
    const body = readJson(Buffer.from(`{"metadata":${sent},"a":1e5}`)) as Record<string, unknown>;
    expect(JSON.stringify(echoedField(body, "metadata"))).toBe(echoed);
  });

  test.each([
    ['{"é":"1\\"2","order":12345678901234567891}', "metadata.order"],
    ['[1,{"b":[1e-7,-9007199254740993 ]}]', "metadata.1.b.1"],
    ['{"a":1e400}', "metadata.a"],
  ])("%s cannot be echoed, and is refused by name", (sent, field) => {
    const body = readJson(Buffer.from(`{"metadata":${sent},"a":12345678901234567891}`)) as Record<string, unknown>;
    const errors = { [field]: ["Has more digits than a JSON number carries: send it as a string."] };
    const named = expect.objectContaining({ detail: expect.objectContaining({ errors }) });
    expect(() => echoedField(body, "metadata")).toThrow(named);
  });

  test("a hundred names in each object and 150,000 in all are fine, and colons in a text are none", () => {
    const bodies = [
      Array.from({ length: 1_500 }, () => objectOf(100)),
      { text: ":".repeat(200_000), more: [objectOf(100), objectOf(100)], ...objectOf(98) },
    ];
    for (const body of bodies) expect(readJson(Buffer.from(JSON.stringify(body)))).toEqual(body);
  });

  test("what is accepted is what JSON.parse makes of it", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!/\\u|e[+-]?[0-9]|__proto__/i.test(text));
        expect(readJson(Buffer.from(text))).toEqual(JSON.parse(text));
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
    ["more than 150,000 names in all", JSON.stringify(Array.from({ length: 1_501 }, () => objectOf(100)))],
    ["a list of more than 300,001 values", `[${"1,".repeat(300_001)}1]`],
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
    ["1e5", '{"amount":1e5}', "amount"],
    ["1e400", '{"amount":1e400}', "amount"],
    ["-0E-5 in a list", '{"items":[{},{"quantity":-0E-5}]}', "items.1.quantity"],
    ["a number with an exponent instead of an object", '{"items":[1e5]}', "items.0"],
    ["nothing but a number with an exponent", "1e5", "body"],
    ["a NUL character", '{"phone":"0803\\u0000"}', "phone"],
    ["a NUL character deep down", '{"items":[{"a":{"b":"\\u0000"}}]}', "items.0.a.b"],
    ["a NUL character in a key", '{"metadata":{"a\\u0000":1}}', "body"],
    ["half a surrogate pair", '{"phone":"\\ud83d"}', "phone"],
    ["an integer that would be rounded", '{"é":"1\\"2","quantity":12345678901234567891}', "quantity"],
    [
      "a negative one, deep in a list",
      '{"items":[{"amount":1},{"amount": -9007199254740993 }],"c":3}',
      "items.1.amount",
    ],
    ["an amount just above its kobo", '{"amount":100.000000000000001}', "amount"],
    ["an amount just below its kobo", '{"amount":99.999999999999999999}', "amount"],
    ["a fraction just below a whole one", '{"quantity":0.99999999999999999999}', "quantity"],
    ["more decimals than there are", '{"amount":0.000000000000000001}', "amount"],
    ["one number that is all too long", "12345678901234567891", "body"],
    ["a number of half a megabyte", `{"amount":0.${"0".repeat(500_000)}1}`, "amount"],
    ["a surrogate pair the wrong way round", '{"phone":"\\ude00\\ud83d"}', "phone"],
  ])("a body that carries %s", async (_, body, field) => {
    const answer = await send(body);
    expect([answer.status, answer.body.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(answer.body.errors === undefined ? undefined : Object.keys(answer.body.errors)[0]).toBe(field);
  });

  test("a number that is not taken is told how to be sent, wherever it stands", async () => {
    const body = '{"amount":100.000000000000001,"quantity":1e0,"items":[{"amount":1E+2}],"phone":8e9}';
    const { errors, message } = (await send(body)).body;
    expect(errors).toEqual({
      amount: ["Has more digits than a JSON number carries: send it as a string."],
      quantity: ["Must be written out, without an exponent."],
      "items.0.amount": ["Must be written out, without an exponent."],
      phone: ["Must be a string: put the number in quotes."],
    });
    expect(message).toMatch(/^The field (phone|amount) .* 3 more fields are wrong\.$/);
  });

  test("a body full of long numbers costs milliseconds, and has an end", async () => {
    const list = (number: string, count: number) => Buffer.from(`[${`${number},`.repeat(count)}1]`);
    const started = process.cpuUsage();
    readJson(list("1234567890123456", 60_000));
    readJson(list("1e5", 50_000));
    for (const number of ["1e5", "9".repeat(20)]) {
      expect(() => readJson(list(number, 51_000))).toThrow("More than 50000 numbers");
    }
    expect(process.cpuUsage(started).user).toBeLessThan(500_000); // microseconds
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
