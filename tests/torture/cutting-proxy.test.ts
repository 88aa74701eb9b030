import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type CutPoint, type CuttingProxy, openCuttingProxy } from "../../rigs/torture/cutting-proxy.ts";
import { makeScratchDirectory } from "../support/scratch-directory.ts";

// The far side answers each piece with "done: <piece>", and remembers what it was sent.

let scratch: Awaited<ReturnType<typeof makeScratchDirectory>>;
let far: Server;
let proxy: CuttingProxy;
let client: Socket;
let sent: string[];
let received: string;

beforeEach(async () => {
  scratch = await makeScratchDirectory();
  const socket = `${scratch.folder}/far`;
  sent = [];
  received = "";
  far = createServer((connection) => {
    connection.on("error", () => {});
    connection.on("data", (chunk: Buffer) => {
      sent.push(chunk.toString());
      connection.write(`done: ${chunk.toString()}`);
    });
  }).listen(socket);
  await once(far, "listening");
  proxy = await openCuttingProxy(socket);
  client = connect(proxy.port, "127.0.0.1");
  client.on("error", () => {});
  client.on("data", (chunk: Buffer) => {
    received += chunk.toString();
  });
  await once(client, "connect");
});

afterEach(async () => {
  client.destroy();
  await proxy.close();
  far.close();
  await scratch.remove();
});

function cutAt(point: CutPoint): Promise<() => void> {
  return new Promise((resolve) => proxy.cutNext({ statement: "settle_purchases", point, onCut: resolve }));
}

async function say(text: string): Promise<void> {
  const before = received;
  client.write(text);
  await expect.poll(() => received).not.toBe(before);
}

test("what holds no such statement passes, before and after", async () => {
  const cut = cutAt("before");
  await say("accept_purchases");
  expect(received).toBe("done: accept_purchases");
  proxy.forgetCut();
  await say("settle_purchases");
  expect(sent).toEqual(["accept_purchases", "settle_purchases"]);
  expect(await Promise.race([cut, "not cut"])).toBe("not cut");
});

test.each<[CutPoint, readonly string[]]>([
  ["before", []],
  ["sent", ["settle_purchases"]],
  ["answered", ["settle_purchases"]],
])("a connection that is cut %s its statement hears nothing of it", async (point, arrives) => {
  const cut = cutAt(point);
  const closed = once(client, "close");
  client.write("settle_purchases");
  await cut;
  await closed;
  await expect.poll(() => sent).toEqual(arrives);
  expect(received).toBe("");
});

test("a statement that is held arrives when it is let go, and the next one behind it", async () => {
  const cut = cutAt("held");
  client.write("settle_purchases");
  const dropDelivery = await cut;
  client.write("claim");
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(sent).toEqual([]);
  dropDelivery();
  await expect.poll(() => sent.join("")).toBe("settle_purchasesclaim");
});
