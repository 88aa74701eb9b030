import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { type DeliveryUnderTest, openDelivery } from "../../../support/deliver.ts";
import { startRawServer } from "../../../support/receiver.ts";

/** Production's is fifteen seconds; what happens at its end is the same. */
const shortMs = 1_000;
/** The deadline of attempts that end before it. */
const deadlineMs = 15_000;

let open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
  open = [];
});

/** One attempt to a server that does this to each connection. */
async function attempt(misbehave: (socket: Socket) => void, withinMs = deadlineMs) {
  const server = await startRawServer(misbehave);
  const delivery: DeliveryUnderTest = openDelivery({ deadlineMs: withinMs });
  open.push(delivery, server);
  const startedMs = performance.now();
  const outcome = await delivery.send(server.url);
  return { outcome, tookMs: performance.now() - startedMs, server };
}

/** Does it once the request has come, again and again until the socket is gone. */
const onRequest = (act: (socket: Socket) => void) => (socket: Socket) => socket.once("data", () => act(socket));
const repeat = (socket: Socket, everyMs: number, text: () => string | Buffer) => {
  const timer = setInterval(() => socket.write(text()), everyMs);
  socket.on("close", () => clearInterval(timer));
};
const ok = "HTTP/1.1 200 OK\r\n";

describe("a receiver that", () => {
  const cases: readonly (readonly [
    what: string,
    misbehave: (socket: Socket) => void,
    expected: { error: string | null; httpStatus: number | null; successful: boolean },
    withinMs: number,
  ])[] = [
    ["never answers", onRequest(() => {}), failed("timeout"), shortMs],
    ["accepts and never reads", (socket) => socket.pause(), failed("timeout"), shortMs],
    [
      "drips its head byte by byte",
      onRequest((socket) => {
        let at = 0;
        repeat(socket, 200, () => `${ok}x-long: ${"y".repeat(1_000)}`.charAt(at++));
      }),
      failed("timeout"),
      shortMs,
    ],
    [
      "drips its body byte by byte",
      onRequest((socket) => {
        socket.write(`${ok}content-length: 1000\r\n\r\n`);
        repeat(socket, 200, () => "z");
      }),
      failed("timeout", 200),
      shortMs,
    ],
    [
      "sends an endless body",
      onRequest((socket) => {
        socket.write(`${ok}\r\n`);
        repeat(socket, 1, () => Buffer.alloc(65_536, 97));
      }),
      { error: null, httpStatus: 200, successful: true },
      deadlineMs,
    ],
    [
      "sends megabytes of headers",
      onRequest((socket) => {
        socket.write(ok);
        repeat(socket, 1, () => `x-${Math.random()}: ${"y".repeat(60_000)}\r\n`);
      }),
      failed("protocol_error"),
      deadlineMs,
    ],
    ["closes before it answers", onRequest((socket) => socket.end()), failed("connection_reset"), deadlineMs],
    ["resets the connection", onRequest((socket) => socket.resetAndDestroy()), failed("connection_reset"), deadlineMs],
    [
      "closes in the middle of its body",
      onRequest((socket) => socket.end(`${ok}content-length: 100\r\n\r\nhalf`)),
      failed("connection_reset", 200),
      deadlineMs,
    ],
    [
      "breaks the rules of chunks",
      onRequest((socket) => socket.end(`${ok}transfer-encoding: chunked\r\n\r\nzz\r\nbody\r\n0\r\n\r\n`)),
      failed("protocol_error", 200),
      deadlineMs,
    ],
    [
      "does not speak HTTP",
      onRequest((socket) => socket.end("220 smtp ready\r\n")),
      failed("protocol_error"),
      deadlineMs,
    ],
    [
      "floods with 1xx answers",
      onRequest((socket) => repeat(socket, 1, () => "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n".repeat(20))),
      failed("protocol_error"),
      deadlineMs,
    ],
    [
      "answers twice",
      onRequest((socket) => socket.write(`${ok}content-length: 2\r\n\r\nOK${ok}content-length: 2\r\n\r\nNO`)),
      { error: null, httpStatus: 200, successful: true },
      deadlineMs,
    ],
    [
      "redirects",
      onRequest((socket) =>
        socket.end("HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n"),
      ),
      { error: null, httpStatus: 302, successful: false },
      deadlineMs,
    ],
  ];
  test.each(cases)("%s costs one failed or bounded attempt", async (_what, misbehave, expected, withinMs) => {
    const { outcome, tookMs } = await attempt(misbehave, withinMs);
    expect(outcome).toMatchObject(expected);
    expect(outcome.responseBody.length).toBeLessThanOrEqual(500);
    expect(tookMs).toBeLessThan(withinMs + 5_000);
  });

  test("tells of its progress by 102 and 103 is heard to the end; 100, which nobody asked for, ends it", async () => {
    const answers = (first: string) => onRequest((socket) => socket.end(`${first}${ok}content-length: 2\r\n\r\nOK`));
    const progress = "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n";
    const received = await attempt(answers(progress.repeat(4)));
    expect(received.outcome).toMatchObject({ successful: true, httpStatus: 200, error: null, responseBody: "OK" });
    const unrequested = await attempt(answers("HTTP/1.1 100 Continue\r\n\r\n"));
    expect(unrequested.outcome).toMatchObject(failed("protocol_error"));
  });

  test.each([
    ["and its length", "content-length: 2\r\n\r\nOK"],
    ["and a longer length than came", "content-length: 20\r\n\r\nOK"],
    ["in chunks", "transfer-encoding: chunked\r\n\r\n2\r\nOK\r\n0\r\n\r\n"],
    ["without a length", "\r\nOK"],
    ["and says that the connection closes", "connection: close\r\ncontent-length: 2\r\n\r\nOK"],
  ])("answers 204 with a body (%s) has accepted: its status line decides", async (_how, rest) => {
    const answers = [
      (socket: Socket) => socket.write(`HTTP/1.1 204 No Content\r\n${rest}`),
      (socket: Socket) => socket.end(`HTTP/1.1 204 No Content\r\n${rest}`),
      // Head and body on their way by themselves.
      (socket: Socket) => {
        const [head, ...body] = `HTTP/1.1 204 No Content\r\n${rest}`.split("\r\n\r\n");
        socket.write(`${head}\r\n\r\n`);
        setTimeout(() => socket.end(body.join("\r\n\r\n")), 50);
      },
    ];
    for (const answer of answers) {
      const { outcome } = await attempt(onRequest(answer));
      expect(outcome).toMatchObject({ successful: true, httpStatus: 204, error: null });
    }
  });

  test("packs a bomb into gzip is not unpacked", async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const before = process.memoryUsage().rss;
    const { outcome } = await attempt(
      onRequest((socket) => {
        socket.write(`${ok}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
        socket.write(bomb);
      }),
    );
    expect(outcome).toMatchObject({ successful: true, httpStatus: 200, error: null });
    expect(outcome.responseBody.length).toBeLessThanOrEqual(500);
    expect(process.memoryUsage().rss - before).toBeLessThan(40_000_000);
  });

  test("answers bytes that are no text is stored as text without NUL", async () => {
    const bytes = Buffer.concat([Buffer.from("a\0b"), Buffer.from([0xff, 0xc3, 0x28]), Buffer.from("é".repeat(600))]);
    const { outcome } = await attempt(
      onRequest((socket) => {
        socket.write(`${ok}content-length: ${bytes.length}\r\n\r\n`);
        socket.end(bytes);
      }),
    );
    expect(outcome.responseBody.startsWith("a\uFFFDb\uFFFD\uFFFD(é")).toBe(true);
    expect([...outcome.responseBody]).toHaveLength(500);
    expect(outcome.responseBody).not.toContain("\0");
  });

  test("is gone refuses the connection", async () => {
    const server = await startRawServer(() => {});
    await server.close();
    const delivery = openDelivery({ deadlineMs });
    open.push(delivery);
    expect(await delivery.send(server.url)).toMatchObject(failed("connection_refused"));
  });

  /** Answers the first request of each connection, and after a while closes on the next without an answer. */
  async function closingOnSecond(afterMs: number) {
    let received = 0;
    const server = await startRawServer((socket) => {
      socket.once("data", () => {
        received += 1;
        socket.write(`${ok}content-length: 2\r\n\r\nOK`);
        socket.once("data", () => {
          received += 1;
          setTimeout(() => socket.destroy(), afterMs);
        });
      });
    });
    const delivery = openDelivery({ deadlineMs });
    open.push(delivery, server);
    return { send: () => delivery.send(server.url), heard: () => received };
  }
  const idle = () => new Promise((resolve) => setTimeout(resolve, 1_100));

  test("reads a second event on a connection and closes without an answer gets it once: one attempt, one request", async () => {
    const { send, heard: received } = await closingOnSecond(0);
    expect(await send()).toMatchObject({ successful: true });
    expect(await send()).toMatchObject(failed("connection_reset"));
    expect(received()).toBe(2);
  });

  test("closes without an answer after it has had the event for a while gets it once, though the connection had idled", async () => {
    const { send, heard: received } = await closingOnSecond(1_200);
    expect(await send()).toMatchObject({ successful: true });
    await idle();
    expect(await send()).toMatchObject(failed("connection_reset"));
    expect(received()).toBe(2);
  });

  test("had closed a connection that idled is asked again on a new one", async () => {
    const { send } = await closingOnSecond(0);
    expect(await send()).toMatchObject({ successful: true });
    await idle();
    expect(await send()).toMatchObject({ successful: true });
  });
});

function failed(error: string, httpStatus: number | null = null) {
  return { error, httpStatus, successful: false };
}
