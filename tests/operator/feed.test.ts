import { once } from "node:events";
import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { afterEach, expect, test } from "vitest";
import { closing } from "../support/closing.ts";
import { type StaffClient, startConsole } from "../support/console.ts";
import { openFakeSupplier, vended } from "../support/fake-supplier.ts";

const supplier = openFakeSupplier("first");
supplier.answer = vended;
let reads = 0;
const service = closing(
  await startConsole({ suppliers: [supplier] }, 1_000_000, {
    // Once for each time that Today is read.
    findCommitBlock: async () => {
      reads += 1;
      return null;
    },
  }),
);
const { app } = service;
const open: Stream[] = [];

afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});

interface Stream {
  /** All parts by their ids, as a page would show them now. */
  readonly parts: Map<string, string>;
  readonly headers: IncomingHttpHeaders;
  readonly status: number;
  /** How many events with parts came. */
  events: number;
  isOver: boolean;
  close(): void;
}

/** Reads the feed as a browser does. */
async function watch(person: StaffClient, url = service.url): Promise<Stream> {
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  // Not by fetch, which opens another connection once one is aborted, and keeps it.
  const sent = request(`${url}/operator/today/feed`, { headers: { cookie }, agent: false }).end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const { statusCode: status = 0, headers } = response;
  const stream: Stream = { parts: new Map(), headers, status, events: 0, isOver: false, close: () => sent.destroy() };
  open.push(stream);
  void follow(response, stream);
  return stream;
}

async function follow(body: IncomingMessage, stream: Stream): Promise<void> {
  let text = "";
  const decoder = new TextDecoder();
  try {
    for await (const bytes of body as AsyncIterable<Uint8Array>) {
      text += decoder.decode(bytes, { stream: true });
      const events = text.split("\n\n");
      text = events.pop() ?? "";
      for (const event of events.filter((each) => each.startsWith("data: "))) {
        stream.events += 1;
        const parts = Object.entries(JSON.parse(event.slice(6)) as Record<string, string>);
        for (const [id, html] of parts) stream.parts.set(id, html);
      }
    }
  } catch {
    // The test has closed it.
  }
  stream.isOver = true;
}

let sold = 0;
async function sell(): Promise<void> {
  sold += 1;
  const body = { product_id: 1002, phone: "08031234567", reference: `feed-${sold}` };
  expect((await app.call(app.merchant.liveKey, "/data/purchase", { body })).status).toBe(201);
}

const delivered = ({ parts }: Stream) => Number(/(\d+) delivered/.exec(parts.get("selling") ?? "")?.[1]);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test("a feed begins with all that changes on the page, by headers that proxies keep nothing back for", async () => {
  const stream = await watch(await service.staff("support"));
  await expect.poll(() => [...stream.parts.keys()]).toEqual(["now", "risk", "selling", "hours", "suppliers"]);
  for (const [id, html] of stream.parts) expect(html).toContain(`id="${id}"`);
  expect(stream.headers["content-type"]).toBe("text/event-stream; charset=utf-8");
  expect(stream.headers["cache-control"]).toBe("no-store, no-transform");
  expect(stream.headers["x-accel-buffering"]).toBe("no");
  const { events } = stream;
  await expect.poll(() => stream.events).toBeGreaterThan(events + 2);
  expect(stream.parts.get("selling")).toContain("Are we selling?");
});

test("a sale is seen within a second, and a browser that comes back gets the truth and not what changed since", async () => {
  const ada = await service.staff("admin");
  const stream = await watch(ada);
  await expect.poll(() => stream.parts.size).toBe(5);
  const before = delivered(stream);
  await sell();
  const soldAt = performance.now();
  await expect.poll(() => delivered(stream), { interval: 20 }).toBe(before + 1);
  const tookMs = performance.now() - soldAt;
  // A second between two readings; beside it, what a busy machine takes to read and render.
  expect(tookMs).toBeLessThan(3_000);
  stream.close();
  await sell();
  const other = await watch(ada);
  await expect.poll(() => delivered(other)).toBe(before + 2);
  expect(other.parts.size).toBe(5);
});

test("a stream ends when its person is removed, gets another role, or logs out, and others' go on", async () => {
  const [removed, changed, left, stays] = await Promise.all([
    ...(["support", "support", "finance", "admin"] as const).map((role) => service.staff(role)),
  ] as [Promise<StaffClient>, Promise<StaffClient>, Promise<StaffClient>, Promise<StaffClient>]);
  const streams = await Promise.all([removed, changed, left, stays].map((person) => watch(person)));
  await expect.poll(() => streams.every(({ parts }) => parts.size === 5)).toBe(true);
  await app.fresh.pool.query("delete from staff where person_id = $1", [removed.personId]);
  await app.fresh.pool.query("update staff set role = 'catalogue' where person_id = $1", [changed.personId]);
  await left.send("/operator/log-out");
  await expect.poll(() => streams.map(({ isOver }) => isOver)).toEqual([true, true, true, false]);
  expect((await watch(removed)).status).toBe(403);
});

test("fifty who watch cost one reading a second, and a person has so many tabs and no more", async () => {
  const people = await Promise.all(Array.from({ length: 10 }, () => service.staff("support")));
  const streams = await Promise.all(people.flatMap((person) => Array.from({ length: 5 }, () => watch(person))));
  await expect.poll(() => streams.every(({ parts }) => parts.size === 5)).toBe(true);
  const [before, begunAt] = [reads, performance.now()];
  await pause(3_000);
  const seconds = (performance.now() - begunAt) / 1_000;
  expect(reads - before).toBeGreaterThan(0);
  expect(reads - before).toBeLessThanOrEqual(Math.ceil(seconds / 0.9) + 1);
  const [person] = people as [StaffClient, ...StaffClient[]];
  expect([(await watch(person)).status, (await watch(person)).status]).toEqual([200, 429]);
  for (const stream of open.splice(0)) stream.close();
  await pause(2_000);
  const rest = reads;
  await pause(2_000);
  expect(reads).toBe(rest);
});

test("a service that stops ends what is watched", async () => {
  const other = await startConsole();
  const person = await other.staff("admin");
  const stream = await watch(person, other.url);
  await expect.poll(() => stream.parts.size).toBe(5);
  await other.close();
  await expect.poll(() => stream.isOver).toBe(true);
});

test("without JavaScript Today is a page with the same numbers", async () => {
  const { text } = await (await service.staff("catalogue")).get("/operator/today");
  for (const id of ["now", "risk", "selling", "hours", "suppliers"]) expect(text).toContain(`id="${id}"`);
  expect(text).toContain('data-feed="/operator/today/feed"');
});
