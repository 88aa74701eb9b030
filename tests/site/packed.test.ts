import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { type FastifyInstance, fastify } from "fastify";
import { afterEach, beforeEach, expect, test } from "vitest";
import { decorateRequests, lastingUrlOf } from "../../src/http/request-context.ts";
import { packed } from "../../src/site/packed.ts";
import { sendRaw } from "../support/raw-request.ts";

let server: FastifyInstance;
let made: number;

beforeEach(() => {
  server = fastify();
  decorateRequests(server);
  made = 0;
  const send = packed((request) => {
    made += 1;
    if (made === 1 && request.url === "/?fails") throw new Error("unreadable");
    return `see ${lastingUrlOf(request)}/docs`;
  });
  server.get("/", (request, reply) => send(request, reply.header("cache-control", "public")));
});
afterEach(() => server.close());

const ask = (acceptEncoding: string, headers: Record<string, string> = {}) =>
  server.inject({ url: "/", headers: { ...headers, "accept-encoding": acceptEncoding } });

test("a document is made and packed once, whatever the host that is asked for and however often", async () => {
  const url = await server.listen({ port: 0, host: "127.0.0.1" });
  const from = (host: string) =>
    sendRaw(url, { head: ["GET / HTTP/1.1", `Host: ${host}`, "Connection: close", "Accept-Encoding: identity"] });
  const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => from(`h${at}.example`)));
  expect(new Set(answers.map((answer) => answer?.body))).toEqual(new Set([`see ${url}/docs`]));
  for (const encoding of ["br", "gzip", "br"]) await ask(encoding);
  expect(made).toBe(1);
});

test.each([
  ["br, gzip", "br"],
  ["br;q=0, gzip", "gzip"],
  ["br;q=0.5, gzip;q=0.8", "gzip"],
  ["gzip;q=0, br;q=0", undefined],
  ["deflate", undefined],
  ["br;q=0, *", "gzip"],
  ["br;q=0, gzip;q=0.0, *", undefined],
  ["", undefined],
])("who accepts %j is sent %s", async (accepted, encoding) => {
  const { headers, rawPayload } = await ask(accepted);
  expect([headers["content-encoding"], headers.vary]).toEqual([encoding, "accept-encoding"]);
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync, none: (bytes: Buffer) => bytes };
  expect(unpack[(encoding as "br" | "gzip" | undefined) ?? "none"](rawPayload).toString()).toMatch(/^see http/);
});

test("a client that has it is told so, by a tag that each encoding has of its own, also where a proxy weakened it", async () => {
  const tags = await Promise.all(["br", "gzip", ""].map(async (each) => String((await ask(each)).headers.etag)));
  expect(new Set(tags).size).toBe(3);
  const [tag = ""] = tags;
  for (const known of [tag, `W/${tag}`, `"other", ${tag}`]) {
    const { statusCode, payload, headers } = await ask("br", { "if-none-match": known });
    expect([statusCode, payload, headers.etag, headers["cache-control"]]).toEqual([304, "", tag, "public"]);
  }
  expect((await ask("gzip", { "if-none-match": tag })).statusCode).toBe(200);
});

test("what could not be made is made anew for the next", async () => {
  expect((await server.inject("/?fails")).statusCode).toBe(500);
  expect((await server.inject("/?fails")).body).toMatch(/^see http/);
});
