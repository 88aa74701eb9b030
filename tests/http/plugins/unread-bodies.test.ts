import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { buildHttp } from "../../../src/main/build-http.ts";
import { startApp } from "../../support/app.ts";
import { closing } from "../../support/closing.ts";
import { compileOnce } from "../../support/known-validators.ts";

// Clients that read nothing before they have written all: most of them are such.
const app = closing(await startApp());

/** What was heard on a connection, once it is over. */
async function receivedBy(socket: Socket): Promise<string> {
  let text = "";
  socket.setEncoding("utf8").on("data", (part: string) => {
    text += part;
  });
  socket.resume();
  await once(socket, "close");
  return text;
}

interface Sent {
  readonly path: string;
  readonly body: string;
  readonly headers?: readonly string[];
}

const json = "Content-Type: application/json";
const large = " ".repeat(5_000_000);
const chunk = `20000\r\n${" ".repeat(0x20000)}\r\n`;

function bytesOf({ path, body, headers = [] }: Sent, connection: string): string {
  const framing = headers.includes("Transfer-Encoding: chunked") ? [] : [`Content-Length: ${body.length}`];
  const key = headers.some((header) => header.startsWith("X-API-Key")) ? [] : [`X-API-Key: ${app.merchant.testKey}`];
  const head = [`POST ${path} HTTP/1.1`, "Host: x", `Connection: ${connection}`, ...key, ...headers, ...framing];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}

/** Writes everything, then reads the answers to the end of the connection. @throws when it breaks before that */
async function writeThenRead(bytes: string): Promise<string> {
  const { hostname, port } = new URL(app.url);
  const socket = connect({ host: hostname, port: Number(port) }).pause();
  await new Promise<void>((resolve, reject) => {
    socket.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
  return receivedBy(socket);
}

const statusesOf = (text: string) =>
  (text.match(/HTTP\/1\.1 \d{3}(?= [A-Z])/g) ?? []).map((line) => Number(line.slice(9)));
const goodbye = "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

const purchase = "/api/v1/merchant/airtime/purchase";
const refused: readonly (readonly [string, number, Sent])[] = [
  ["too large", 413, { path: purchase, body: large, headers: [json] }],
  [
    "too large, in chunks",
    413,
    { path: purchase, body: `${chunk.repeat(40)}0\r\n\r\n`, headers: [json, "Transfer-Encoding: chunked"] },
  ],
  ["too large, of a bulk order", 413, { path: "/api/v1/merchant/data/bulk", body: large, headers: [json] }],
  ["too large, of a legacy endpoint", 400, { path: "/api/data", body: large, headers: [json] }],
  ["too large, without a key", 401, { path: purchase, body: large, headers: [json, "X-API-Key: "] }],
  ["too large, where nothing is", 404, { path: "/nothing", body: large, headers: [json] }],
  ["too large, for another method", 405, { path: "/healthz", body: large, headers: [json] }],
  ["no JSON", 400, { path: purchase, body: "{broken", headers: [json] }],
  ["no form that can be read", 400, { path: "/api/data", body: "x", headers: ["Content-Type: multipart/form-data"] }],
  ["not readable here", 415, { path: purchase, body: "a=b", headers: ["Content-Type: text/plain"] }],
];

test("a refusal without a body says that the connection ends, where the client asked for that", async () => {
  const text = await writeThenRead(goodbye.replace("/healthz", "/nothing"));
  expect(statusesOf(text)).toEqual([404]);
  expect(text).toMatch(/^Connection: close\r$/im);
});

test("a refusal while the service stops says that the connection ends", async () => {
  const http = await buildHttp(app.services, compileOnce);
  let stop: (() => void) | null = null;
  http.addHook("preClose", (done) => {
    stop = done;
  });
  const { hostname, port } = new URL(await http.listen({ port: 0, host: "127.0.0.1" }));
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, "connect");
  const closed = http.close();
  await expect.poll(() => stop).not.toBeNull();
  socket.write(bytesOf({ path: purchase, body: "{broken", headers: [json] }, "keep-alive"));
  const text = await receivedBy(socket);
  (stop as (() => void) | null)?.();
  await closed;
  expect(statusesOf(text)).toEqual([400]);
  expect(text).toMatch(/^Connection: close\r$/im);
});

describe.each(refused)("a body that is %s", (_what, status, sent) => {
  test("is refused where the client hears it, and the next request of its connection is answered", async () => {
    const text = await writeThenRead(bytesOf(sent, "keep-alive") + goodbye);
    expect(statusesOf(text)).toEqual([status, 200]);
    app.throwFaults();
  });

  test("is refused where the client hears it that wants no more of the connection, which then ends", async () => {
    const text = await writeThenRead(bytesOf(sent, "close"));
    expect(statusesOf(text)).toEqual([status]);
    expect(text).toMatch(/\}$/);
    app.throwFaults();
  });
});
