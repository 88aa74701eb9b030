import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeEach, expect, test } from "vitest";
import { startApp } from "../../../support/app.ts";
import { openFakeSupplier } from "../../../support/fake-supplier.ts";
import { type OldReply, soldByScript, startOldScript } from "../../../support/old-script.ts";
import { openShadow } from "./open-shadow.ts";

const supplier = openFakeSupplier();
const app = await startApp({ suppliers: [supplier] });
let reply: OldReply | ((url: string) => OldReply);
const old = await startOldScript(({ url }) => (typeof reply === "function" ? reply(url) : reply));
const shadow = await openShadow(app, old, { supplier, deadlineMs: 1_500 });
afterAll(async () => {
  await shadow.close();
  await old.close();
  await app.close();
});
beforeEach(() => {
  old.requests.length = 0;
});

const body = "network=1&mobile_number=08031234567&plan=2&x=%20%C3%A9";
const request = [
  "POST /api/data/?a=%2F&b=1 HTTP/1.1",
  "hOST: dispense.example.ng",
  `Authorization: Token ${app.merchant.liveKey}`,
  "Content-Type: application/x-www-form-urlencoded",
  "X-Twice: one",
  "X-Twice: two",
  `Content-Length: ${body.length}`,
  "Connection: close",
  "",
  body,
].join("\r\n");

/** All bytes that come back until the connection ends. */
function bytesOf(port: number, text: string): Promise<Buffer> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.on("data", (part) => parts.push(part));
    socket.on("error", () => {});
    socket.on("close", () => resolve(Buffer.concat(parts)));
  });
}

const ports = () => [Number(new URL(old.url).port), Number(new URL(shadow.url).port)] as const;

const plain = { "content-type": "text/html", "set-cookie": ["a=1; Path=/", "b=2"], "x-odd-Case": "é" };
const replies: Readonly<Record<string, OldReply>> = {
  "a success": { body: JSON.stringify(soldByScript(640, {})) },
  "a fault of its own": { status: 500, headers: plain, body: "<h1>Server Error (500)</h1>" },
  "100 KB": { status: 200, headers: plain, body: Buffer.alloc(100_000, "ab\r\n\0") },
  "2 MB": { status: 200, headers: plain, body: Buffer.alloc(2_000_000, "abc") },
  "packed JSON": { headers: { "content-encoding": "gzip" }, body: gzipSync(JSON.stringify(soldByScript(640, {}))) },
  "no body": { status: 204, headers: plain, body: "" },
  "an answer that is cut": { status: 200, headers: plain, body: "x".repeat(50_000), isCut: true },
};

test.each(Object.entries(replies))("%s reaches the client byte by byte as without us", async (_name, given) => {
  reply = given;
  const [direct, through] = ports();
  const [straight, shadowed] = [await bytesOf(direct, request), await bytesOf(through, request)];
  // The clock moves on between the two.
  const comparable = (bytes: Buffer) => bytes.toString("latin1").replace(/^Date: .*$/m, "Date");
  expect(comparable(shadowed)).toBe(comparable(straight));
  expect(straight.length).toBeGreaterThan(100);
});

test("the request reaches the old deployment as it came, but for its host", async () => {
  reply = { body: "{}" };
  const [direct, through] = ports();
  await bytesOf(direct, request);
  await bytesOf(through, request);
  const [straight, shadowed] = old.requests;
  const host = `127.0.0.1:${direct}`;
  expect(shadowed).toEqual({ ...straight, headers: { ...straight?.headers, host } });
  expect(shadowed?.body).toBe(body);
});

test("a packed answer is compared, and one that was cut is counted as none", async () => {
  reply = replies["packed JSON"] as OldReply;
  const before = shadow.current().endpoints.get("POST /api/data")?.same ?? 0;
  await bytesOf(ports()[1], request.replace("08031234567", "08031239999"));
  reply = replies["an answer that is cut"] as OldReply;
  await bytesOf(ports()[1], request);
  const { endpoints, not_compared: reasons } = await shadow.report();
  expect(endpoints.get("POST /api/data")?.same).toBe(before + 1);
  expect([...reasons.keys()].filter((reason) => reason.includes("cut"))).toEqual(["the answer was cut in the middle"]);
});

test("a slow answer holds nobody else up, and past the deadline its client is let go", async () => {
  reply = (url) => ({ body: "{}", ...(url.includes("slow") ? { afterMs: 4_000 } : {}) });
  const slow = request.replace("/api/data/", "/api/slow/");
  const startedAt = performance.now();
  const waiting = bytesOf(ports()[1], slow).then((bytes) => ({ bytes, ms: performance.now() - startedAt }));
  const others = await Promise.all(Array.from({ length: 10 }, () => bytesOf(ports()[1], request)));
  const othersMs = performance.now() - startedAt;
  expect(others.every((bytes) => bytes.includes("HTTP/1.1 201"))).toBe(true);
  const { bytes, ms } = await waiting;
  expect(othersMs).toBeLessThan(ms);
  expect([bytes.length, ms > 1_400 && ms < 3_500]).toEqual([0, true]);
  await shadow.report();
  expect([...shadow.current().not_compared.keys()]).toContain("no answer came in time");
});
