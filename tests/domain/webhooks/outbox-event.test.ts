import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Endpoint, How } from "../../../src/domain/webhooks/endpoints/endpoint.ts";
import {
  bodyBytesMax,
  deliveryIdMinter,
  type EventName,
  eventBody,
  eventIdOf,
  eventIdPattern,
  parseDeliveryId,
  parseEventId,
  subjectEvents,
} from "../../../src/domain/webhooks/events/event.ts";
import { type Change, eventsOfChange } from "../../../src/domain/webhooks/events/outbox-event.ts";
import { wallTime } from "../../../src/kernel/clock.ts";
import type { Reference } from "../../../src/kernel/ids.ts";
import { blankEndpoint } from "../../support/endpoints.ts";
import { walletKey } from "../../support/wallet.ts";

const at = Date.parse("2026-11-20T13:03:09Z");
const clock = { now: () => at };
const stamps = {
  clock,
  wallTime: wallTime("Africa/Lagos"),
  mintDeliveryId: deliveryIdMinter({ clock, randomness: randomBytes }),
};

const endpoint: Endpoint = {
  ...blankEndpoint,
  url: "https://example.com/",
  secret: "sealed",
  secretHint: "whsec_…abc=",
};

const change: Change = {
  wallet: walletKey(7, "live"),
  event: "transaction.successful",
  subject: { id: 77n, reference: "order-1" as Reference },
  how: "changed",
  data: () => ({ reference: "order-1", delivery: { kind: "pins", has_delivery: true } }),
};

describe("an event is owed", () => {
  test("with its frozen body, its subject and an id of its own", () => {
    const [due, ...more] = eventsOfChange([endpoint], change, stamps);
    expect(more).toEqual([]);
    expect(due).toEqual({
      endpointNumber: 1,
      deliveryId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      event: "transaction.successful",
      reference: "order-1",
      subjectId: 77n,
      isExample: false,
      body: JSON.stringify({
        event: "transaction.successful",
        mode: "live",
        delivery_id: due?.deliveryId,
        event_id: "evt_000000000002ds",
        sent_at: "2026-11-20T14:03:09+01:00",
        data: { reference: "order-1", delivery: { kind: "pins", has_delivery: true } },
      }),
    });
    expect(eventsOfChange([endpoint], change, stamps)[0]?.deliveryId).not.toBe(due?.deliveryId);
  });

  test("without a subject where it has none, and says so in sandbox whatever the event", () => {
    for (const event of ["wallet.low_balance", "catalogue.updated"] as const) {
      const news = { ...change, event, subject: null };
      const [due] = eventsOfChange([endpoint], { ...news, wallet: walletKey(7, "test") }, stamps);
      expect(due).toMatchObject({ event, reference: null, subjectId: null });
      expect(JSON.parse(due?.body ?? "")).toMatchObject({ mode: "test", data: { sandbox: true } });
      const [live] = eventsOfChange([endpoint], news, stamps);
      expect(JSON.parse(live?.body ?? "").data).not.toHaveProperty("sandbox");
    }
    for (const event of ["transaction.failed", "bulk.completed"] as const) {
      const [due] = eventsOfChange([endpoint], { ...change, event, wallet: walletKey(7, "test") }, stamps);
      expect(JSON.parse(due?.body ?? "")).toMatchObject({ mode: "test", data: { sandbox: true } });
    }
  });

  const off = { disabledAt: at, disabledReason: "merchant" as const };
  const cases: readonly (readonly [what: string, given: Partial<Endpoint> | null, how: How, owed: boolean])[] = [
    ["a change, by default", {}, "changed", true],
    ["what its own response told, by default", {}, "final_in_own_response", false],
    ["a change, to who wants all", { notify: "all" }, "changed", true],
    ["what its own response told, to who wants all", { notify: "all" }, "final_in_own_response", true],
    ["a chosen event", { events: ["transaction.failed", "transaction.successful"] }, "changed", true],
    ["an event that was not chosen", { events: ["transaction.failed"] }, "changed", false],
    ["an event that was not chosen, to who wants all", { events: ["bulk.completed"], notify: "all" }, "changed", false],
    ["anything, without a URL", { url: null, secret: null, secretHint: null, notify: "all" }, "changed", false],
    ["anything, while switched off", { ...off, notify: "all" }, "changed", false],
    ["what happened in the mode that it hears of", { mode: "live" }, "changed", true],
    ["anything of the other mode", { mode: "test", notify: "all" }, "changed", false],
    ["anything, to who never set a webhook", null, "changed", false],
  ];
  test.each(cases)("or not: %s", (_what, given, how, isDue) => {
    const due = eventsOfChange(given === null ? [] : [{ ...endpoint, ...given }], { ...change, how }, stamps);
    expect(due).toHaveLength(isDue ? 1 : 0);
  });

  test("only then is its data drawn up and an id made", () => {
    const broken = () => {
      throw new Error("called");
    };
    const lazy = { ...change, data: broken };
    expect(eventsOfChange([], lazy, { ...stamps, mintDeliveryId: broken })).toEqual([]);
    expect(() => eventsOfChange([endpoint], lazy, stamps)).toThrow("called");
  });
});

describe("an event that several endpoints want", () => {
  const second = { ...endpoint, endpointNumber: 2 };
  const third = { ...endpoint, endpointNumber: 3, mode: "test" as const };

  test("is owed to each of them alone, under an id of its own, with the same name and data", () => {
    const due = eventsOfChange([endpoint, second, third], change, stamps);
    expect(due.map(({ endpointNumber }) => endpointNumber)).toEqual([1, 2]);
    const bodies = due.map(({ body }) => JSON.parse(body));
    expect(bodies.map(({ delivery_id }) => delivery_id)).toEqual(due.map(({ deliveryId }) => deliveryId));
    expect(new Set(bodies.map(({ delivery_id }) => delivery_id)).size).toBe(2);
    expect(bodies[0]).toEqual({ ...bodies[1], delivery_id: bodies[0].delivery_id });
  });

  test("has the same name at all of them without a purchase, too, and another the next time", () => {
    const news = { ...change, event: "wallet.low_balance", subject: null } as const;
    const namesOf = () => eventsOfChange([endpoint, second], news, stamps).map(({ body }) => JSON.parse(body).event_id);
    const [name, same] = namesOf();
    expect(same).toBe(name);
    expect(name).toMatch(new RegExp(eventIdPattern));
    expect(namesOf()[0]).not.toBe(name);
  });

  test("is named by what ended and how, and read back", () => {
    for (const event of subjectEvents) {
      for (const subjectId of [0n, 77n, 2n ** 63n - 1n]) {
        const id = eventIdOf(subjectId, event);
        expect(id).toMatch(new RegExp(eventIdPattern));
        expect(parseEventId(id)).toEqual({ subjectId, event });
      }
    }
    for (const text of ["", "evt_", "evt_000000000002dx", "evt_z00000000002ds", "evt_00000000002ds"]) {
      expect(parseEventId(text)).toBeNull();
    }
  });
});

describe("a body", () => {
  const body = (event: EventName, data: Record<string, string>) =>
    eventBody({ event, mode: "test", eventId: "evt_1", deliveryId: stamps.mintDeliveryId(), sentAt: "now", data });

  test("is text that PostgreSQL and JSON can hold, whatever the data", () => {
    const data = { nul: "\0", half: "\ud800", line: "\u2028", quote: '"' };
    const text = body("transaction.failed", data);
    expect(text).not.toContain("\0");
    expect(Buffer.from(text).toString()).toBe(text);
    expect(JSON.parse(text).data).toEqual({ ...data, sandbox: true });
  });

  test("has at most 64 KiB, counted in bytes", () => {
    const empty = Buffer.byteLength(body("bulk.completed", { x: "" }));
    const full = bodyBytesMax - empty;
    expect(Buffer.byteLength(body("bulk.completed", { x: "x".repeat(full) }))).toBe(bodyBytesMax);
    expect(() => body("bulk.completed", { x: "x".repeat(full + 1) })).toThrow(/bounded/);
    expect(() => body("bulk.completed", { x: "✓".repeat(full / 2) })).toThrow(/bounded/);
  });
});

describe("a delivery id", () => {
  test("is a UUID of version 7 that begins with its time, a new one each time", () => {
    const ids = Array.from({ length: 5_000 }, () => stamps.mintDeliveryId());
    expect(new Set(ids).size).toBe(5_000);
    const shape = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    for (const id of ids) {
      const [, high = "", low = ""] = shape.exec(id) ?? [];
      expect(Number.parseInt(high + low, 16)).toBe(at);
      expect(parseDeliveryId(id)).toBe(id);
    }
    expect(new Set(ids.map((id) => id.charAt(19)))).toEqual(new Set("89ab"));
    const later = deliveryIdMinter({ clock: { now: () => at + 1 }, randomness: randomBytes })();
    expect(ids.every((id) => id < later)).toBe(true);
  });

  test("is read in either case, and nothing else is", () => {
    expect(parseDeliveryId("019AA1B2-C3D4-7E5F-8A9B-0C1D2E3F4A5B")).toBe("019aa1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b");
    for (const text of ["", "1", "019aa1b2c3d47e5f8a9b0c1d2e3f4a5b", "{019aa1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b}"]) {
      expect(parseDeliveryId(text)).toBeNull();
    }
  });
});
