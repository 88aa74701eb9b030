import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nameResolver, type ResolveName } from "../../src/platform/outbound-http/guarded-connect.ts";

/** The deadline for names that are answered. */
const deadlineMs = 10_000;
const shortMs = 400;
let server: Socket;
let resolveName: ResolveName;

/** A name server of three names; others it never answers. */
beforeAll(async () => {
  server = createSocket("udp4");
  server.on("message", (query, from) => {
    const reply = replyTo(query);
    if (reply !== null) server.send(reply, from.port, from.address);
  });
  server.bind(0, "127.0.0.1");
  await once(server, "listening");
  resolveName = openResolver(deadlineMs);
});
afterAll(() => {
  server.close();
});

const openResolver = (withinMs: number): ResolveName =>
  nameResolver({ deadlineMs: withinMs, servers: [`127.0.0.1:${server.address().port}`] });

/** Only as much of RFC 1035 as the test needs: one question, answers that point back to it. */
function replyTo(query: Buffer): Buffer | null {
  const end = query.indexOf(0, 12) + 5;
  const name = query.subarray(12, end - 4).toString("latin1");
  const isV6 = query.readUInt16BE(end - 4) === 28;
  const reply = (code: number, records: readonly Buffer[]) => {
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(0x8180 | code, 2);
    head.writeUInt16BE(records.length, 6);
    head.writeUInt32BE(0, 8);
    const answers = records.map((data) => {
      const record = Buffer.from([0xc0, 12, 0, isV6 ? 28 : 1, 0, 1, 0, 0, 0, 60, 0, data.length]);
      return Buffer.concat([record, data]);
    });
    return Buffer.concat([head, query.subarray(12, end), ...answers]);
  };
  if (name.includes("both")) {
    return reply(0, isV6 ? [Buffer.from("20010db8000000000000000000000001", "hex")] : [Buffer.from([10, 0, 0, 1])]);
  }
  if (name.includes("many")) return reply(0, isV6 ? [] : [Buffer.from([8, 8, 8, 8]), Buffer.from([10, 0, 0, 1])]);
  if (name.includes("absent")) return reply(3, []);
  if (name.includes("refused")) return reply(5, []);
  return null;
}

describe("a name's addresses", () => {
  test("are those of both families, and all of them", async () => {
    expect(await resolveName("both.example")).toEqual({ kind: "addresses", addresses: ["10.0.0.1", "2001:db8::1"] });
    expect(await resolveName("many.example")).toEqual({ kind: "addresses", addresses: ["8.8.8.8", "10.0.0.1"] });
  });

  test("may be none, which is told apart from no answer", async () => {
    expect(await resolveName("absent.example")).toEqual({ kind: "no_address" });
    expect(await resolveName("refused.example")).toEqual({ kind: "no_answer" });
  });

  test("are waited for until the deadline and no longer", async () => {
    const startedAt = performance.now();
    expect(await openResolver(shortMs)("silent.example")).toEqual({ kind: "no_answer" });
    const tookMs = performance.now() - startedAt;
    expect(tookMs).toBeGreaterThan(shortMs / 4);
    expect(tookMs).toBeLessThan(deadlineMs / 2);
  });

  test("that is no name is no answer either, and nothing throws", async () => {
    const resolveSoon = openResolver(shortMs); // the server says nothing to a name that it can't read
    for (const name of ["", "a..b", "x".repeat(300)]) {
      expect((await resolveSoon(name)).kind).not.toBe("addresses");
    }
  });
});
