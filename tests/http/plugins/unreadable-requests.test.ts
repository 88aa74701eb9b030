import { once } from "node:events";
import { connect } from "node:net";
import { beforeEach, describe, expect, test } from "vitest";
import { startApp } from "../../support/app.ts";
import { closing } from "../../support/closing.ts";
import { answerLater, openFakeSupplier, vended } from "../../support/fake-supplier.ts";
import { sendRaw } from "../../support/raw-request.ts";

// Unreadable bytes on the connection of a purchase: a 400 in the place of its answer would say that nothing was charged.

const supplier = openFakeSupplier();
const app = closing(await startApp({ suppliers: [supplier] }));
beforeEach(() => {
  supplier.answer = vended;
});

function purchase(reference: string, framing?: string): string {
  const body = JSON.stringify({ reference, product_id: 1002, phone: "08031234567" });
  const head = [
    "POST /api/v1/merchant/data/purchase HTTP/1.1",
    "Host: dispense.test",
    `Authorization: Bearer ${app.merchant.liveKey}`,
    "Content-Type: application/json",
    framing ?? `Content-Length: ${body.length}`,
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}

/** A connection on which anything may be said, and what it heard: of each answer its status and its reference or code. */
function openConnection() {
  const { hostname, port } = new URL(app.url);
  const socket = connect({ host: hostname, port: Number(port) });
  let text = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  const closed = once(socket, "close");
  const received = () =>
    text
      .split(/(?=HTTP\/1\.1 )/)
      .map((answer) => `${answer.slice(9, 12)} ${/"(?:reference|code)":"([^"]+)"/.exec(answer)?.[1]}`);
  return {
    say: (bytes: string) => socket.write(bytes),
    close: () => socket.destroy(),
    heard: received,
    async receivedUntilClosed() {
      await closed;
      app.throwFaults();
      return received();
    },
  };
}

const oversized = `GET / HTTP/1.1\r\nX-Long: ${"a".repeat(20_000)}\r\n\r\n`;

describe.each([
  ["one byte too many", () => "}"],
  ["a request whose head is too large", () => oversized],
  ["a purchase whose body is no chunk", () => purchase("broken", "Transfer-Encoding: chunked")],
])("%s behind a purchase", (what, bytes) => {
  const reference = what.replaceAll(" ", "-");

  test("takes no answer's place: the purchase has its own, then the connection closes", async () => {
    const connection = openConnection();
    connection.say(purchase(reference) + bytes());
    expect(await connection.receivedUntilClosed()).toEqual([`201 ${reference}`]);
  });

  test("may come again and again while the supplier takes its time", async () => {
    const answer = answerLater(supplier);
    const calls = supplier.calls.length;
    const connection = openConnection();
    connection.say(purchase(`${reference}-slowly`));
    await expect.poll(() => supplier.calls.length).toBe(calls + 1);
    for (let times = 0; times < 20; times++) {
      connection.say(bytes());
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    answer(vended);
    expect(await connection.receivedUntilClosed()).toEqual([`201 ${reference}-slowly`]);
  });
});

test("each of several purchases before unreadable bytes has its answer, in order", async () => {
  const connection = openConnection();
  connection.say(`${purchase("first")}${purchase("second")}${purchase("third")}}`);
  expect(await connection.receivedUntilClosed()).toEqual(["201 first", "201 second", "201 third"]);
});

test("a purchase that is itself unreadable is told so, where the one before it has been answered", async () => {
  const connection = openConnection();
  connection.say(purchase("answered"));
  await expect.poll(connection.heard).toEqual(["201 answered"]);
  connection.say(purchase("broken", "Transfer-Encoding: chunked"));
  expect(await connection.receivedUntilClosed()).toEqual(["201 answered", "400 INVALID_JSON"]);
  expect((await app.call(app.merchant.liveKey, "/transactions/broken")).status).toBe(404);
});

test.each([
  [
    "a head",
    "The request's address and headers are larger than 16 KiB: shorten them.",
    { head: [`GET /${"a".repeat(20_000)} HTTP/1.1`, "Host: x"] },
  ],
  [
    "what the chunks of a body carry besides",
    "The extensions of the body's chunks are larger than 16 KiB: send the body without them.",
    {
      head: ["POST /supplier-callbacks/nobody HTTP/1.1", "Host: x", "Transfer-Encoding: chunked"],
      body: `2;${"a".repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
    },
  ],
])("413 %s that is too large is told by its name", async (_what, message, request) => {
  const answer = await sendRaw(app.url, request);
  expect([answer?.status, answer?.body]).toMatchObject([413, { code: "PAYLOAD_TOO_LARGE", message }]);
});

describe.each([
  "/api/v1/merchant/transactions/%zz",
  "/api/v1/merchant/transactions/%FF?page=%zz",
  "/api/v1/merchant/nowhere/%",
  "/api/data/%zz",
  "/api/user/%E0%A4",
])("a path that cannot be decoded, %s", (path) => {
  const ask = (headers: Record<string, string> = {}) => fetch(`${app.url}${path}`, { headers });

  test("is told nothing before its key", async () => {
    const answer = await ask();
    expect(answer.status).toBe(401);
    expect(answer.headers.get("x-api-mode")).toBeNull();
    await answer.body?.cancel();
  });

  test("leads to nothing with a key, which it counts for", async () => {
    const answer = await ask({ authorization: `Token ${app.merchant.testKey}` });
    expect(answer.status).toBe(404);
    expect(answer.headers.get("ratelimit")).toMatch(/^"key";r=/);
    expect(await answer.json()).toMatchObject(
      path.startsWith("/api/v1") ? { status: "error" } : { detail: "Not found." },
    );
  });
});
