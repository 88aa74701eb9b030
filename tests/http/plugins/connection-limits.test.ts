import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { promisify } from "node:util";
import type { FastifyInstance } from "fastify";
import { afterEach, describe, expect, test } from "vitest";
import { type ConnectionLimits, connectionLimits } from "../../../src/http/plugins/connections/connection-limits.ts";
import { buildHttp } from "../../../src/main/build-http.ts";
import { type AddressRange, parseAddressRange } from "../../../src/platform/address.ts";
import { startApp } from "../../support/app.ts";
import { closing } from "../../support/closing.ts";
import { compileOnce } from "../../support/known-validators.ts";

let http: FastifyInstance | null = null;
const sockets: Socket[] = [];
const lines: unknown[] = [];

// The service as it is, only less patient.
const app = closing(await startApp());
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await http?.close();
  lines.length = 0;
});

async function openHttp(
  limits: Partial<ConnectionLimits>,
  proxies: readonly AddressRange[] = [],
): Promise<FastifyInstance> {
  const log = { ...app.services.log, warn: (line: unknown) => void lines.push(line) } as never;
  const given = { ...app.services, log, proxies, connectionLimits: { ...connectionLimits, ...limits } };
  http = await buildHttp(given, compileOnce);
  await http.listen({ port: 0, host: "127.0.0.1" });
  return http;
}

async function join({ server }: FastifyInstance, localAddress = "127.0.0.1"): Promise<Socket> {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server listens on no port");
  const socket = connect({ port: address.port, host: "127.0.0.1", localAddress });
  sockets.push(socket);
  await once(socket, "connect");
  return socket;
}

const connectionsOf = ({ server }: FastifyInstance) => promisify(server.getConnections.bind(server))();

test("a client that asks and never reads is let go", async () => {
  const server = await openHttp({ silenceMs: 300 });
  const socket = await join(server);
  socket.pause();
  socket.write("GET /docs/scalar.js HTTP/1.1\r\nHost: x\r\n\r\n".repeat(20));
  await expect.poll(() => connectionsOf(server)).toBe(1);
  await expect.poll(() => connectionsOf(server)).toBe(0);
});

test.each([
  ["head", "POST /api/v1/merchant/data/purchase HTTP/1.1\r\nHost: x\r\n", "X-Drip: 1\r\n"],
  ["body", null, "x"],
])(
  "400 a client whose request's %s does not arrive in time, soon after that",
  async (_part, begun, more) => {
    const server = await openHttp({ requestMs: 200, lookEveryMs: 100 });
    const socket = await join(server);
    socket.write(begun ?? endless("/api/v1/merchant/data/purchase", app.merchant.testKey, 1_000));
    drip(socket, more);
    const [answer] = await once(socket, "data");
    expect(String(answer)).toMatch(/^HTTP\/1\.1 400 [\s\S]*"message":"The request took too long to arrive\."/);
  },
  15_000,
);

test.each([
  ["the rest of its body", 30],
  ["its whole body", 0],
])("a request that was refused as too slow is not carried out when %s comes after all", async (_what, early) => {
  const server = await openHttp({ requestMs: 200, lookEveryMs: 50 });
  const socket = await join(server);
  socket.allowHalfOpen = true;
  const reference = `too-slow-${early}`;
  const body = JSON.stringify({ reference, product_id: 1002, phone: "08031234567" });
  const head = endless("/api/v1/merchant/data/purchase", app.merchant.testKey, body.length);
  socket.write(head.replace("\r\n\r\n", "\r\nContent-Type: application/json\r\n\r\n") + body.slice(0, early));
  const [answer] = await once(socket, "data");
  expect(String(answer)).toMatch(/^HTTP\/1\.1 400 /);
  socket.write(body.slice(early));
  await new Promise((resolve) => setTimeout(resolve, 500));
  const found = await app.call(app.merchant.testKey, `/transactions/${reference}`);
  expect(found.status).toBe(404);
});

/** Sends a little again and again, for as long as it is taken: also after the service has ended its half. */
function drip(socket: Socket, text: string): void {
  socket.allowHalfOpen = true;
  const timer = setInterval(() => socket.write(text), 20);
  socket.on("error", () => {});
  socket.once("close", () => clearInterval(timer));
}

/** What the client hears, from now on. */
function receivedBy(socket: Socket): () => string {
  let text = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    text += chunk;
  });
  return () => text;
}

const statusesOf = (text: string) => text.match(/(?<=HTTP\/1\.1 )\d{3}(?= [A-Z])/g) ?? [];
const endless = (path: string, key: string, bytes = 10_000_000_000) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Length: ${bytes}\r\n\r\n`;

describe.each([
  ["that nobody wanted, for want of a key", "401", () => endless("/api/v1/merchant/data/purchase", "")],
  ["that nobody wanted, where there is nothing", "404", () => endless("/nothing", "")],
  ["that is too large", "413", () => endless("/api/v1/merchant/data/purchase", app.merchant.testKey)],
  [
    "that nobody wanted, and that is no chunk",
    "404",
    () => endless("/nothing", "").replace(/Content-Length: \d+/, "Transfer-Encoding: chunked"),
  ],
])("a body %s", (_what, status, request) => {
  test("drips for no longer than a request may take, whose one answer the client has", async () => {
    const server = await openHttp({ requestMs: 200, lookEveryMs: 50 });
    const socket = await join(server);
    const received = receivedBy(socket);
    socket.write(request());
    await expect.poll(received).toMatch(/\}$/);
    drip(socket, "x".repeat(100));
    await expect.poll(() => connectionsOf(server)).toBe(0);
    expect(statusesOf(received())).toEqual([status]);
  });
});

describe("a connection that unreadable bytes have ended", () => {
  const large = "GET /docs/scalar.js HTTP/1.1\r\nHost: x\r\n\r\n";

  test("is let go though its client reads none of what it is owed, and never stops to send", async () => {
    const server = await openHttp({ silenceMs: 300 });
    const socket = await join(server);
    socket.pause();
    socket.write(large.repeat(5));
    drip(socket, "}");
    await expect.poll(() => connectionsOf(server)).toBe(1);
    await expect.poll(() => connectionsOf(server)).toBe(0);
  });

  test("brings a client that takes its time all that it is owed", async () => {
    const server = await openHttp({});
    const socket = await join(server);
    const received = receivedBy(socket.pause());
    socket.write(`${large}}`);
    await new Promise((resolve) => setTimeout(resolve, 500));
    socket.resume();
    await once(socket, "close");
    const [head = "", body] = received().split("\r\n\r\n", 2);
    expect(head).toMatch(/^HTTP\/1\.1 200 /);
    expect(body?.length).toBe(Number(/content-length: (\d+)/i.exec(head)?.[1]));
  });
});

test("a connection too many is closed, said once in the log, and keeps nobody waiting who was there before", async () => {
  const server = await openHttp({ connectionsMax: 2 });
  const [first] = [await join(server), await join(server)];
  for (let more = 0; more < 3; more++) {
    const refused = await join(server);
    refused.resume();
    await once(refused, "close");
  }
  expect(lines).toEqual([{ event: "http.connections_full", connectionsMax: 2 }]);
  first.write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
  const [answer] = await once(first, "data");
  expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
});

/** Whether the service kept the connection: one that it refuses is closed before it says anything. */
function isKept(socket: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    socket.once("data", () => resolve(true));
    socket.once("close", () => resolve(false));
    socket.on("error", () => {});
    socket.write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
  });
}

test("an address with too many connections gets no more of them, until one of its own ends; others do", async () => {
  const server = await openHttp({ connectionsPerSourceMax: 2, unboundedSources: [] });
  const [first, second] = [await join(server), await join(server)];
  expect([await isKept(first), await isKept(second)]).toEqual([true, true]);
  expect([await isKept(await join(server)), await isKept(await join(server))]).toEqual([false, false]);
  expect(lines).toEqual([
    { event: "http.connections_of_source_full", source: "127.0.0.1", connectionsPerSourceMax: 2 },
  ]);
  expect(await isKept(await join(server, "127.0.0.2"))).toBe(true);
  first.destroy();
  await expect.poll(async () => isKept(await join(server))).toBe(true);
});

test("the machine itself, and a proxy that is believed, may have as many as there are", async () => {
  const proxies = [parseAddressRange("127.0.0.2")].filter((range) => range !== null);
  const few = { connectionsPerSourceMax: 1 };
  for (const [limits, address] of [
    [few, "127.0.0.1"] as const,
    [{ ...few, unboundedSources: [] }, "127.0.0.2"] as const,
  ]) {
    const server = await openHttp(limits, proxies);
    const kept = [await join(server, address), await join(server, address), await join(server, address)];
    expect(await Promise.all(kept.map(isKept))).toEqual([true, true, true]);
    for (const socket of kept) socket.destroy();
    await server.close();
  }
  expect(lines).toEqual([]);
});

test("by default a slow purchase is waited for, a connection kept for a minute, and a slow sender noticed in time", () => {
  const { requestMs, lookEveryMs, keepAliveMs, silenceMs } = connectionLimits;
  expect(silenceMs).toBeGreaterThan(5 * 30_000);
  expect(keepAliveMs).toBeGreaterThan(60_000);
  expect(requestMs + lookEveryMs).toBeLessThanOrEqual(35_000);
});
