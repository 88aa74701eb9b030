import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { buildHttp } from "../../../src/http/build-http.ts";
import { connectionLimits } from "../../../src/http/plugins/connections/connection-limits.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { compileOnce } from "../../support/known-validators.ts";

// Many requests on one connection before any is answered. What Node makes a request of is told by its own channel:
// those without a host it answers itself.

const { unansweredMax } = connectionLimits;
const channel = "http.server.request.start";
let app: TestApp;
let http: Awaited<ReturnType<typeof buildHttp>>;
let made = 0;
const count = (message: unknown) => {
  if ((message as { readonly server: Server }).server === http.server) made += 1;
};

beforeAll(async () => {
  app = await startApp();
  http = await buildHttp({ ...app.services, connectionLimits: { ...connectionLimits, silenceMs: 500 } }, compileOnce);
  await http.listen({ port: 0, host: "127.0.0.1" });
  subscribe(channel, count);
});
beforeEach(() => {
  made = 0;
});
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(async () => {
  unsubscribe(channel, count);
  await http.close();
  await app.close();
});

/** A connection, what it heard so far, and whether it is over. */
async function join() {
  const socket = connect((http.server.address() as { port: number }).port, "127.0.0.1");
  sockets.push(socket);
  const heard: string[] = [];
  let isClosed = false;
  socket.setEncoding("latin1").on("data", (chunk: string) => heard.push(chunk));
  socket.on("close", () => {
    isClosed = true;
  });
  await once(socket, "connect");
  return {
    socket,
    statuses: () => heard.join("").match(/HTTP\/1\.1 \d{3}(?= [A-Z])/g) ?? [],
    isClosed: () => isClosed,
  };
}

const asking = (url: string, ...more: readonly string[]) =>
  `${[`GET ${url} HTTP/1.1`, "Host: x", ...more].join("\r\n")}\r\n\r\n`;
const times = (number: number, answer: string) => Array.from({ length: number }, () => `HTTP/1.1 ${answer}`);

test("as many requests at once as the bound are all answered, again and again, on a connection that stays", async () => {
  const { socket, statuses, isClosed } = await join();
  for (let round = 1; round <= 4; round++) {
    socket.write(asking("/healthz").repeat(unansweredMax));
    await expect.poll(() => statuses().length).toBe(round * unansweredMax);
  }
  expect(statuses()).toEqual(times(4 * unansweredMax, "200"));
  expect(isClosed()).toBe(false);
});

test("of a thousand requests at once those within the bound are answered, no other is read, and the connection closes", async () => {
  const { socket, statuses, isClosed } = await join();
  socket.write(asking("/healthz").repeat(1_000));
  await expect.poll(isClosed).toBe(true);
  expect(statuses()).toEqual(times(unansweredMax, "200"));
  expect(made).toBe(unansweredMax);
});

test.each([
  ["without a host", "GET / HTTP/1.1\r\n\r\n", 3_000],
  ["that expect what nobody offers", asking("/", "Expect: x"), 1_000],
])("no more than the bound are read of requests %s", async (_what, request, number) => {
  const { socket } = await join();
  socket.pause();
  socket.write(request.repeat(number));
  await expect.poll(() => made).toBeGreaterThan(0);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(made).toBeLessThanOrEqual(unansweredMax);
});

test("a client that may change the protocol is answered in this one", async () => {
  const { socket, statuses } = await join();
  socket.write(asking("/healthz", "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABk"));
  await expect.poll(statuses).toEqual(times(1, "200"));
});

test("one that asks for too much and reads none of it is let go, and so is one that breaks off", async () => {
  const [silent, gone] = [await join(), await join()];
  for (const { socket } of [silent, gone]) {
    socket.pause();
    socket.write(asking("/docs/scalar.js").repeat(1_000));
  }
  await expect.poll(() => made).toBe(2 * unansweredMax);
  gone.socket.resetAndDestroy();
  const open = () => new Promise((resolve) => http.server.getConnections((_error, number) => resolve(number)));
  await expect.poll(open, { timeout: 10_000 }).toBe(0);
  const { socket, statuses } = await join();
  socket.write(asking("/healthz"));
  await expect.poll(statuses).toEqual(times(1, "200"));
});

test.each(["/openapi.json", "/docs/errors", "/docs/scalar.js"])(
  "%s is sent from the same bytes to everybody, of which no connection keeps a copy",
  async (url) => {
    const sent: unknown[] = [];
    const note = (_request: IncomingMessage, response: ServerResponse) => {
      const { end } = response;
      response.end = ((...given: Parameters<typeof end>) => {
        sent.push(given[0]);
        return end.apply(response, given);
      }) as typeof end;
    };
    http.server.prependListener("request", note);
    const { socket, statuses } = await join();
    socket.write(asking(url).repeat(2));
    await expect.poll(() => statuses().length).toBe(2);
    http.server.removeListener("request", note);
    expect(sent[0]).toBeInstanceOf(Buffer);
    expect(sent[1]).toBe(sent[0]);
  },
);
