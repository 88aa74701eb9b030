import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import {
  type AllowlistedHttp,
  openAllowlistedHttp,
  replyBytesMax,
} from "../../src/platform/outbound-http/allowlisted-http-client.ts";

/** A server that answers when it is told to. */
interface Far {
  readonly url: string;
  /** The requests that wait for their answer, by path, in the order of their arrival. */
  readonly waiting: { readonly path: string; readonly response: ServerResponse }[];
  readonly sockets: Set<Socket>;
}

const undo: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function startFar(): Promise<Far> {
  const waiting: Far["waiting"] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request: IncomingMessage, response) => {
    if (request.url === "/at-once") response.end("{}");
    else waiting.push({ path: request.url ?? "", response });
  });
  server.on("connection", (socket) => void sockets.add(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  undo.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, waiting, sockets };
}

function open(far: Far, connectionsMax: number): AllowlistedHttp {
  const http = openAllowlistedHttp({ origins: [far.url], monotonicMs: () => performance.now(), connectionsMax });
  undo.push(() => http.close());
  return http;
}

const ask = (http: AllowlistedHttp, url: string, deadlineMs = 5_000) =>
  http.ask({ method: "GET", url, headers: {}, deadlineMs });

async function arrived(far: Far, count: number): Promise<void> {
  await expect.poll(() => far.waiting.length, { interval: 5 }).toBe(count);
}

test("questions one after the other share one connection", async () => {
  const far = await startFar();
  const http = open(far, 10);
  for (let n = 0; n < 5; n++)
    expect(await ask(http, `${far.url}/at-once`)).toMatchObject({ kind: "answered", body: "{}" });
  expect(far.sockets.size).toBe(1);
});

test("no more than allowed are under way; the others wait their turn, first come first served", async () => {
  const far = await startFar();
  const http = open(far, 2);
  const calls = ["/1", "/2", "/3", "/4"].map((path) => ask(http, `${far.url}${path}`));
  await arrived(far, 2);
  expect(far.sockets.size).toBe(2);
  for (const [n, total] of [
    [0, 3],
    [1, 4],
  ] as const) {
    far.waiting[n]?.response.end("yes");
    await arrived(far, total);
  }
  for (const { response } of far.waiting.slice(2)) response.end("yes");
  expect((await Promise.all(calls)).map(({ kind }) => kind)).toEqual(Array(4).fill("answered"));
  expect(far.waiting.map(({ path }) => path).slice(2)).toEqual(["/3", "/4"]);
  expect(far.sockets.size).toBe(2);
});

test("whoever got no connection in time was never sent, and whoever got no answer may have been", async () => {
  const far = await startFar();
  const http = open(far, 1);
  const [first, second] = await Promise.all([ask(http, `${far.url}/first`, 400), ask(http, `${far.url}/second`, 100)]);
  expect(first).toMatchObject({ kind: "silent", error: "no answer within the deadline" });
  expect(second).toMatchObject({ kind: "unsent" });
  expect(far.waiting.map(({ path }) => path)).toEqual(["/first"]);
});

test("a connection that broke makes room for a new one", async () => {
  const far = await startFar();
  const http = open(far, 1);
  const broken = ask(http, `${far.url}/broken`);
  const next = ask(http, `${far.url}/at-once`);
  await arrived(far, 1);
  far.waiting[0]?.response.destroy();
  expect(await broken).toMatchObject({ kind: "silent" });
  expect(await next).toMatchObject({ kind: "answered" });
  expect(await ask(http, `${far.url}/at-once`)).toMatchObject({ kind: "answered" });
});

test("an answer that is too long is no answer, and nobody else's", async () => {
  const far = await startFar();
  const http = open(far, 1);
  const long = ask(http, `${far.url}/long`);
  await arrived(far, 1);
  far.waiting[0]?.response.end("x".repeat(replyBytesMax + 1));
  expect(await long).toMatchObject({ kind: "silent", error: `an answer of more than ${replyBytesMax} bytes` });
  expect(await ask(http, `${far.url}/at-once`)).toMatchObject({ kind: "answered", body: "{}" });
});

test("nobody is asked whom the configuration does not name, and nobody who does not listen", async () => {
  const far = await startFar();
  const http = open(far, 1);
  const other = far.url.replace("127.0.0.1", "localhost");
  expect(await ask(http, `${other}/at-once`)).toMatchObject({ kind: "unsent", error: `${other} is not allowed` });
  const deaf = "http://127.0.0.1:1";
  const toDeaf = openAllowlistedHttp({ origins: [deaf], monotonicMs: () => performance.now() });
  undo.push(() => toDeaf.close());
  for (let n = 0; n < 3; n++) expect(await ask(toDeaf, deaf)).toMatchObject({ kind: "unsent", error: "ECONNREFUSED" });
});

test("those that wait for a connection have a bound: one more is not sent, and is told at once", async () => {
  const far = await startFar();
  const http = open(far, 1);
  const calls = Array.from({ length: 20_001 }, () => ask(http, `${far.url}/`, 1_000));
  const startedMs = performance.now();
  expect(await ask(http, `${far.url}/too-many`, 30_000)).toMatchObject({ kind: "unsent" });
  expect(performance.now() - startedMs).toBeLessThan(10_000);
  expect(new Set((await Promise.all(calls)).map(({ kind }) => kind))).toEqual(new Set(["silent", "unsent"]));
  expect(far.waiting.map(({ path }) => path)).not.toContain("/too-many");
});
