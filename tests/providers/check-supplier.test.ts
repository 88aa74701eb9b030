import { setTimeout as delay } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { openAllowlistedHttp } from "../../src/platform/outbound-http/allowlisted-http-client.ts";
import { checkSupplier } from "../../src/providers/check-supplier.ts";
import { openSupplier } from "../../src/providers/registry.ts";
import { type AnsweringServer, startAnswering } from "../support/answering-server.ts";
import { connectorServices } from "../support/suppliers/connector-under-test.ts";

const token = "0123456789abcdef-CANARY";
const settings = { network_ids: { MTN: "1" } };
const reports = JSON.stringify({ user: { wallet_balance: "1250.50" } });

const servers: AnsweringServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** A supplier of the older script, with an answer of its own. */
async function start(...[listener, scheme]: Parameters<typeof startAnswering>): Promise<number> {
  const server = await startAnswering(listener, scheme);
  servers.push(server);
  return server.port;
}

async function check(address: string, origins: readonly string[] = [new URL(address).origin]) {
  const http = openAllowlistedHttp({ origins, monotonicMs: () => performance.now() });
  const clock = { now: () => Date.now() };
  const entry = { name: "far", connector: "legacy-script", settings: { ...settings, base_url: address } };
  const opened = openSupplier({ ...entry, credentials: { token } }, connectorServices(http, clock));
  if (opened.kind === "unfit") throw new Error(opened.complaint);
  const checks = await checkSupplier({ address, connector: opened.connector }, { origins, clock });
  await http.close();
  expect(JSON.stringify(checks)).not.toContain("CANARY");
  return {
    verdicts: checks.map(({ subject, verdict }) => [subject, verdict]),
    of: (subject: string) => checks.find((each) => each.subject === subject),
  };
}

const notRequested = (...subjects: string[]) => subjects.map((subject) => [subject, "not checked"]);

test("a supplier that answers as it should is well in everything", async () => {
  const port = await start((_request, response) => response.end(reports));
  const { verdicts, of } = await check(`http://127.0.0.1:${port}`);
  expect(verdicts).toEqual([
    ["address", "ok"],
    ["tls", "ok"],
    ["credentials", "ok"],
    ["clock", "ok"],
    ["answer time", "ok"],
  ]);
  expect(of("credentials")?.found).toBe("it tells a balance of 1250.50 naira");
});

test("an origin that is not allowed gets no byte, and the advice names it", async () => {
  let requests = 0;
  const port = await start((_request, response) => {
    requests += 1;
    response.end(reports);
  });
  const { verdicts, of } = await check(`http://127.0.0.1:${port}`, []);
  expect(verdicts).toEqual([["address", "failed"], ...notRequested("tls", "credentials", "clock", "answer time")]);
  expect(of("address")?.advice).toContain(`Add http://127.0.0.1:${port} to SUPPLIER_ORIGINS`);
  expect(requests).toBe(0);
});

test("a name without an address, and a port where nobody answers, fail as the address", async () => {
  const nowhere = await check("https://no-such-host.invalid");
  expect(nowhere.verdicts).toEqual([
    ["address", "failed"],
    ...notRequested("tls", "credentials", "clock", "answer time"),
  ]);
  expect(nowhere.of("address")?.found).toMatch(/^no-such-host\.invalid has no address \(\w+\)$/);
  const port = await start(() => {});
  await servers.pop()?.close();
  const refused = await check(`http://127.0.0.1:${port}`);
  expect(refused.of("address")).toMatchObject({
    verdict: "failed",
    found: `127.0.0.1 is 127.0.0.1; nobody answers at 127.0.0.1:${port} (ECONNREFUSED)`,
  });
});

test("a certificate that is not trusted fails as TLS, and no key is sent", async () => {
  let requests = 0;
  const port = await start(() => {
    requests += 1;
  }, "https");
  const { verdicts, of } = await check(`https://localhost:${port}`);
  expect(verdicts).toEqual([
    ["address", "ok"],
    ["tls", "failed"],
    ...notRequested("credentials", "clock", "answer time"),
  ]);
  expect(of("tls")).toMatchObject({
    found: "refused: DEPTH_ZERO_SELF_SIGNED_CERT",
    advice: expect.stringContaining("NODE_EXTRA_CA_CERTS"),
  });
  expect(requests).toBe(0);
});

test("a port that speaks no TLS fails as TLS", async () => {
  const port = await start((_request, response) => response.end(reports));
  expect((await check(`https://127.0.0.1:${port}`)).of("tls")).toMatchObject({ verdict: "failed" });
});

test.each([
  [401, '{"detail":"Invalid token."}', "refused with 401: GET /api/user/ -> 401", "Compare the keys"],
  // A balance beside a refusal is none.
  [403, reports, "refused with 403", "allow this machine's address"],
  [404, "<html>", "no balance in its answer: GET /api/user/ -> 404", "compare base_url too"],
  [200, '{"user":{}}', "no balance in its answer", "Compare the keys"],
  [502, "{}", "in trouble", "Try again later"],
])("wrong credentials: an answer of %s %s fails, with what it said", async (status, body, found, advice) => {
  const port = await start((_request, response) => response.writeHead(status).end(body));
  const { verdicts, of } = await check(`http://127.0.0.1:${port}`);
  expect(verdicts.slice(2)).toEqual([
    ["credentials", "failed"],
    ["clock", "ok"],
    ["answer time", "ok"],
  ]);
  expect(of("credentials")).toMatchObject({
    found: expect.stringContaining(found),
    advice: expect.stringContaining(advice),
  });
});

test("a clock that is a minute off is told, and which one is ahead", async () => {
  let date = "";
  const port = await start((_request, response) => response.writeHead(200, { date }).end(reports));
  for (const [offMs, found] of [
    [-60_000, /^this machine's is (5[89]|60) s ahead of the supplier's$/],
    [60_000, /^this machine's is (5[89]|60) s behind the supplier's$/],
  ] as const) {
    date = new Date(Date.now() + offMs).toUTCString();
    const { of } = await check(`http://127.0.0.1:${port}`);
    expect(of("clock")).toMatchObject({ verdict: "warning", found: expect.stringMatching(found) });
    expect(of("credentials")?.verdict).toBe("ok");
  }
});

test("an answer that takes over three seconds is told as slow", async () => {
  const port = await start(async (_request, response) => {
    await delay(3_100);
    response.end(reports);
  });
  const { of } = await check(`http://127.0.0.1:${port}`);
  expect(of("answer time")).toMatchObject({
    verdict: "warning",
    found: expect.stringMatching(/^([3-9]\d{3}|\d{5,}) ms$/),
  });
  expect(of("clock")?.verdict).toBe("ok");
});
