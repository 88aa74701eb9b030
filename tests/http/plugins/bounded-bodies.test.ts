import { connect, type Socket } from "node:net";
import { type FastifyInstance, fastify } from "fastify";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Principal } from "../../../src/domain/merchants/merchant.ts";
import { openBodyReader } from "../../../src/http/body/body-reader.ts";
import { boundBodies } from "../../../src/http/plugins/connections/bounded-bodies.ts";
import { renderErrors } from "../../../src/http/plugins/errors.ts";
import { readJsonBodies } from "../../../src/http/plugins/json-body.ts";
import { decorateRequests, setPrincipal } from "../../../src/http/request-context.ts";

// A merchant may have 100 kB of bodies under way, all of them together 150.
let app: FastifyInstance;
let port: number;
let sockets: Socket[];

beforeEach(async () => {
  app = fastify();
  decorateRequests(app);
  renderErrors(app);
  readJsonBodies(app, openBodyReader());
  app.addHook("onRequest", (request, _reply, done) => {
    setPrincipal(request, { merchantId: Number(request.headers.merchant) } as unknown as Principal);
    done();
  });
  boundBodies(app, { smallBytesMax: 1_000, merchantBytesMax: 100_000, processBytesMax: 150_000 });
  app.post("/", () => "read");
  await app.listen({ port: 0, host: "127.0.0.1" });
  port = (app.server.address() as { port: number }).port;
  sockets = [];
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await app.close();
});

/** Sends so many bytes of a body of 90 kB and waits. */
function hold(merchant: number, bytes: number): Socket {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  socket.on("error", () => {});
  const head = `POST / HTTP/1.1\r\nhost: x\r\nmerchant: ${merchant}\r\ncontent-type: application/json\r\n`;
  socket.write(`${head}content-length: 90000\r\n\r\n"${"x".repeat(bytes)}`);
  return socket;
}

async function send(merchant: number, bytes: number) {
  const answer = await fetch(`http://127.0.0.1:${port}/`, {
    method: "POST",
    headers: { merchant: String(merchant), "content-type": "application/json" },
    body: `"${"x".repeat(bytes)}"`,
  });
  return { status: answer.status, retryAfter: answer.headers.get("retry-after"), text: await answer.text() };
}

test("503 beyond what a merchant may have under way, while others and small bodies get through", async () => {
  hold(1, 60_000);
  await vi.waitUntil(async () => (await send(1, 50_000)).status === 503, { timeout: 20_000 });
  expect((await send(1, 50_000)).retryAfter).toMatch(/^[1-9]/);
  expect((await send(1, 900)).status).toBe(200);
  expect((await send(2, 50_000)).status).toBe(200);
});

test("503 beyond what the process holds for all, and none once the bodies are gone", async () => {
  const first = hold(1, 80_000);
  const second = hold(2, 60_000);
  await vi.waitUntil(async () => (await send(3, 30_000)).status === 503, { timeout: 20_000 });
  expect((await send(3, 900)).status).toBe(200);
  first.destroy();
  second.destroy();
  await vi.waitUntil(async () => (await send(3, 90_000)).status === 200, { timeout: 20_000 });
  for (let n = 0; n < 5; n++) expect((await send(3, 90_000)).status).toBe(200);
});
