import { connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { type HttpSender, openHttpSender } from "../../src/platform/outbound-http/http-sender.ts";
import { startRawServer } from "../support/receiver.ts";

const connectionsMax = 6;
let open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
  open = [];
});

/** With the most sockets that it has had open at one time. */
function openSender() {
  const sockets = new Set<Socket>();
  let most = 0;
  const sender = openHttpSender({
    connect: ({ port }, callback) => {
      for (const socket of sockets) if (socket.destroyed) sockets.delete(socket);
      const socket = connect(Number(port), "127.0.0.1");
      sockets.add(socket);
      most = Math.max(most, sockets.size);
      socket.once("error", (error) => callback(error, null));
      socket.once("connect", () => callback(null, socket));
    },
    connectionsMax,
    deadlineMs: 10_000,
    replyBytesMax: 100,
    replyBytesKept: 100,
  });
  open.push(sender);
  return { sender, mostOpen: () => most };
}

/** Hosts that answer each request when told to. */
async function startHosts(count: number) {
  const answers: (() => void)[] = [];
  let connected = 0;
  const hosts = await Promise.all(
    Array.from({ length: count }, () =>
      startRawServer((socket) => {
        connected += 1;
        socket.on("close", () => {
          connected -= 1;
        });
        socket.on("data", () => answers.push(() => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nOK")));
      }),
    ),
  );
  open.push(...hosts);
  return {
    urls: hosts.map(({ url }) => new URL(url)),
    connected: () => connected,
    async answerAll(expected: number) {
      await expect.poll(() => answers.length).toBe(expected);
      for (const answer of answers.splice(0)) answer();
    },
  };
}

const post = (sender: HttpSender, url: URL) => sender.post(url, { "content-type": "text/plain" }, "event");

test("no more connections are open than may be, in use or idle, however many hosts there are", async () => {
  const hosts = await startHosts(30);
  const { sender, mostOpen } = openSender();
  for (let from = 0; from < 30; from += connectionsMax) {
    const sent = hosts.urls.slice(from, from + connectionsMax).map((url) => post(sender, url));
    await hosts.answerAll(connectionsMax);
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(Array(connectionsMax).fill(200));
  }
  expect(mostOpen()).toBe(connectionsMax);
  await expect.poll(hosts.connected).toBe(connectionsMax);
});

test("one host has as many connections as requests at one time, and keeps them for the next", async () => {
  const hosts = await startHosts(1);
  const { sender, mostOpen } = openSender();
  const [url] = hosts.urls as [URL];
  for (let round = 0; round < 10; round++) {
    const sent = [post(sender, url), post(sender, url), post(sender, url)];
    await hosts.answerAll(3);
    await Promise.all(sent);
  }
  expect([mostOpen(), hosts.connected()]).toEqual([3, 3]);
});

test("connections that broke are not counted among the open ones", async () => {
  const hosts = await startHosts(1);
  const breaking = await startRawServer((socket) => socket.once("data", () => socket.destroy()));
  open.push(breaking);
  const { sender, mostOpen } = openSender();
  const [url] = hosts.urls as [URL];
  const kept = post(sender, url);
  await hosts.answerAll(1);
  await kept;
  for (let i = 0; i < 3 * connectionsMax; i++) {
    expect(await post(sender, new URL(breaking.url))).toMatchObject({ status: null, fault: "connection_reset" });
  }
  expect([mostOpen(), hosts.connected()]).toEqual([2, 1]);
});
