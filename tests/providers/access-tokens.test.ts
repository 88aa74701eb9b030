import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { toppedUp as topup } from "../../src/categories/fulfilment/fulfilment-fields.ts";
import { type AllowlistedHttp, openAllowlistedHttp } from "../../src/platform/outbound-http/allowlisted-http-client.ts";
import { type AccessToken, noTokenStore, type TokenStore } from "../../src/providers/access-token.ts";
import type { Connector } from "../../src/providers/contract.ts";
import type { Dialect } from "../../src/providers/dialect.ts";
import { httpConnector } from "../../src/providers/http-connector.ts";
import { type AnsweringServer, startAnswering } from "../support/answering-server.ts";
import { connectorServices } from "../support/suppliers/connector-under-test.ts";
import { movableClock, noon, vendRequest } from "../support/suppliers/vend-requests.ts";

// A supplier that gives tokens for an hour, against a secret, and sells for them. Its log decides.

const secret = "CANARY-client-secret";
const hourMs = 3_600_000;

let server: AnsweringServer;
let http: AllowlistedHttp;
let clock: ReturnType<typeof movableClock>;
/** What came, in order: `token a` for the audience a, `sale <token>`, `asked <token>`. */
let log: string[];
/** Tokens that it accepts; null: all. */
let accepted: ReadonlySet<string> | null;
/** Instead of a token. */
let insteadOfToken: ((response: ServerResponse) => void) | null;
let issued: number;
/** For how long the process was stopped, as its own clock shows. */
let stoppedMs: number;

beforeEach(async () => {
  log = [];
  accepted = null;
  insteadOfToken = null;
  issued = 0;
  stoppedMs = 0;
  clock = movableClock();
  server = await startAnswering((request, response) => void answer(request, response));
  const origin = `http://127.0.0.1:${server.port}`;
  http = openAllowlistedHttp({ origins: [origin], monotonicMs: () => performance.now() });
});
afterEach(async () => {
  // First, so that what was never answered is over.
  await server.close();
  await http.close();
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = "";
  for await (const part of request) text += String(part);
  if (request.url === "/token") {
    const { audience, client_secret } = JSON.parse(text) as Record<string, string>;
    log.push(`token ${audience}`);
    if (client_secret !== secret) return void response.writeHead(401).end('{"error":"access_denied"}');
    if (insteadOfToken !== null) return insteadOfToken(response);
    // So that fetches that begin together would overlap.
    await delay(20);
    issued += 1;
    return void response.end(JSON.stringify({ token: `CANARY-${audience}-${issued}`, seconds: 3_600 }));
  }
  const token = (request.headers.authorization ?? "").replace("Bearer ", "");
  log.push(`${request.method === "POST" ? "sale" : "asked"} ${token}`);
  const isGood = accepted === null || accepted.has(token);
  response.writeHead(isGood ? 200 : 401).end(JSON.stringify(isGood ? { sold: "S-1" } : { error: `not ${token}` }));
}

function dialectOf(account: string): Dialect {
  return {
    name: "far",
    baseUrl: `http://127.0.0.1:${server.port}`,
    accessFor: () => ({}),
    tokens: {
      account,
      ask: (audience) => ({
        question: { method: "POST", path: "/token", body: { audience } },
        access: { fields: { client_secret: secret } },
      }),
      read: ({ json }) =>
        typeof json.token === "string" ? { token: json.token, goodForSeconds: Number(json.seconds) } : null,
    },
    askToVend: ({ category }) => ({ method: "POST", path: "/sell", body: {}, audience: category }),
    readVend: ({ status }) =>
      status === 401
        ? { kind: "declined", errorCode: "OPERATOR_UNAVAILABLE" }
        : { kind: "vended", providerReference: "S-1", fulfilment: topup },
    requery: ({ category }) => ({ method: "GET", path: "/sold", audience: category }),
    readAgain: ({ status }) =>
      status === 401 ? { kind: "unknown" } : { kind: "vended", providerReference: "S-1", fulfilment: topup },
  };
}

/** A process's connector: another has another memory. */
function openProcess(tokenStore: TokenStore = noTokenStore, account = "us"): Connector {
  const monotonicMs = () => performance.now() + stoppedMs;
  const services = { ...connectorServices(http, clock), monotonicMs, tokenStore, deadlineMs: 500 };
  return httpConnector(dialectOf(account), services);
}

/** What all processes of a deployment share, and what is in it. */
function sharedStore(): TokenStore & { readonly kept: Map<string, AccessToken> } {
  const kept = new Map<string, AccessToken>();
  return {
    kept,
    find: async (supplier, audience) => kept.get(`${supplier}/${audience}`) ?? null,
    save: async (supplier, audience, token) => void kept.set(`${supplier}/${audience}`, token),
  };
}

const sale = vendRequest({ supplierCode: "1" });
const ofData = vendRequest({ supplierCode: "1", category: "data" });

test("a token is fetched once and then remembered", async () => {
  const connector = openProcess();
  for (let times = 0; times < 3; times++) expect((await connector.vend(sale)).kind).toBe("vended");
  expect((await connector.requery(sale)).kind).toBe("vended");
  const first = "CANARY-airtime-1";
  expect(log).toEqual(["token airtime", `sale ${first}`, `sale ${first}`, `sale ${first}`, `asked ${first}`]);
});

test("each part of a supplier has a token of its own", async () => {
  const connector = openProcess();
  for (const request of [sale, ofData, sale, ofData]) await connector.vend(request);
  const [airtime, data] = ["CANARY-airtime-1", "CANARY-data-2"];
  expect(log).toEqual([
    "token airtime",
    `sale ${airtime}`,
    "token data",
    `sale ${data}`,
    `sale ${airtime}`,
    `sale ${data}`,
  ]);
});

test("what one process fetched, another uses, and one that is renewed replaces it", async () => {
  const store = sharedStore();
  await openProcess(store).vend(sale);
  await openProcess(store).vend(sale);
  expect(log).toEqual(["token airtime", "sale CANARY-airtime-1", "sale CANARY-airtime-1"]);
  expect(store.kept.get("far/airtime")).toEqual({
    token: "CANARY-airtime-1",
    expiresAt: noon + hourMs,
    account: "us",
  });
  clock.time += hourMs;
  await openProcess(store).vend(sale);
  await openProcess(store).vend(sale);
  expect(log.slice(3)).toEqual(["token airtime", "sale CANARY-airtime-2", "sale CANARY-airtime-2"]);
});

test("a token of another account is not used, whose keys were entered before", async () => {
  const store = sharedStore();
  await openProcess(store, "us before").vend(sale);
  await openProcess(store, "us").vend(sale);
  expect(log.slice(2)).toEqual(["token airtime", "sale CANARY-airtime-2"]);
  expect(store.kept.get("far/airtime")).toMatchObject({ token: "CANARY-airtime-2", account: "us" });
});

test("a token is renewed a minute before it ends, and not before that", async () => {
  const connector = openProcess();
  await connector.vend(sale);
  clock.time += hourMs - 60_001;
  await connector.vend(sale);
  clock.time += 1;
  await connector.vend(sale);
  expect(log.map((line) => line.replace(/CANARY-airtime-/, ""))).toEqual([
    "token airtime",
    "sale 1",
    "sale 1",
    "token airtime",
    "sale 2",
  ]);
});

test("who comes together waits for one fetch, at the beginning and after a refusal", async () => {
  const connector = openProcess();
  const together = () => Promise.all(Array.from({ length: 10 }, () => connector.vend(sale)));
  expect((await together()).map(({ kind }) => kind)).toEqual(Array(10).fill("vended"));
  expect(log.filter((line) => line.startsWith("token"))).toHaveLength(1);
  accepted = new Set(["CANARY-airtime-2"]);
  expect((await together()).map(({ kind }) => kind)).toEqual(Array(10).fill("vended"));
  expect(log.filter((line) => line.startsWith("token"))).toHaveLength(2);
});

test("a refused token is replaced by one more, and the purchase sent once more: vended", async () => {
  const connector = openProcess(sharedStore());
  await connector.vend(sale);
  accepted = new Set(["CANARY-airtime-2"]);
  expect((await connector.vend(sale)).kind).toBe("vended");
  expect(log.slice(2)).toEqual(["sale CANARY-airtime-1", "token airtime", "sale CANARY-airtime-2"]);
});

test("where the new token is refused too, that is the answer: one more send and no more", async () => {
  accepted = new Set();
  const outcome = await openProcess(sharedStore()).vend(sale);
  expect(outcome).toMatchObject({ kind: "declined", errorCode: "OPERATOR_UNAVAILABLE" });
  expect(log).toEqual(["token airtime", "sale CANARY-airtime-1", "token airtime", "sale CANARY-airtime-2"]);
});

test("a refused token is replaced by the one that another process has fetched since", async () => {
  const store = sharedStore();
  const connector = openProcess(store);
  await connector.vend(sale);
  await store.save("far", "airtime", { token: "CANARY-of-another", expiresAt: noon + hourMs, account: "us" });
  accepted = new Set(["CANARY-of-another"]);
  expect((await connector.vend(sale)).kind).toBe("vended");
  expect(log.slice(2)).toEqual(["sale CANARY-airtime-1", "sale CANARY-of-another"]);
});

test("where there is no other token, the refusal is the answer: nothing is sent again", async () => {
  const connector = openProcess(sharedStore());
  await connector.vend(sale);
  accepted = new Set();
  insteadOfToken = (response) => response.writeHead(503).end();
  expect(await connector.vend(sale)).toMatchObject({ kind: "declined", evidence: expect.stringContaining("-> 401") });
  expect(log.slice(2)).toEqual(["sale CANARY-airtime-1", "token airtime"]);
});

const noTokens: readonly [string, (response: ServerResponse) => void][] = [
  ["is refused", (response) => response.writeHead(403).end('{"error":"access_denied"}')],
  ["is refused with a token in it", (response) => response.writeHead(400).end('{"token":"CANARY-t","seconds":3600}')],
  ["is answered without one", (response) => response.end('{"seconds":3600}')],
  ["is answered with a page", (response) => response.end("<html>Maintenance</html>")],
  ["breaks", (response) => response.destroy()],
  ["fails", (response) => response.writeHead(500).end()],
  ["is never answered", () => {}],
];
test.each(noTokens)(
  "where fetching a token %s, a purchase is declined without a byte of it, and asking again tells nothing",
  async (_how, instead) => {
    insteadOfToken = instead;
    const outcome = await openProcess(sharedStore()).vend(sale);
    expect(outcome).toMatchObject({
      kind: "declined",
      errorCode: "OPERATOR_UNAVAILABLE",
      evidence: expect.stringContaining("no access token"),
    });
    expect((await openProcess().requery(sale)).kind).toBe("unknown");
    // Nor later, when nobody waits any more.
    await delay(50);
    expect(log).toEqual(["token airtime", "token airtime"]);
  },
);

test("a token that comes after the deadline is for the next purchase: this one is declined and never sent", async () => {
  const connector = openProcess();
  insteadOfToken = (response) => void delay(700).then(() => response.end('{"token":"CANARY-late","seconds":3600}'));
  expect((await connector.vend(sale)).kind).toBe("declined");
  await delay(400);
  expect(log).toEqual(["token airtime"]);
  expect((await connector.vend(sale)).kind).toBe("vended");
  expect(log.slice(1)).toEqual(["sale CANARY-late"]);
});

test("a process that was stopped until the deadline was over sends nothing with the token that it has", async () => {
  const store = sharedStore();
  await openProcess(store).vend(sale);
  const stopped = openProcess({
    ...store,
    async find(supplier, audience) {
      stoppedMs = 500;
      return store.find(supplier, audience);
    },
  });
  expect(await stopped.vend(sale)).toMatchObject({ kind: "declined", errorCode: "OPERATOR_UNAVAILABLE" });
  await delay(50);
  expect(log).toEqual(["token airtime", "sale CANARY-airtime-1"]);
});

test("while the database is away, tokens are fetched and remembered all the same", async () => {
  const away = () => Promise.reject(new Error("the database is away"));
  const connector = openProcess({ find: away, save: away });
  for (let times = 0; times < 2; times++) expect((await connector.vend(sale)).kind).toBe("vended");
  accepted = new Set(["CANARY-airtime-2"]);
  expect((await connector.vend(sale)).kind).toBe("vended");
  expect(log.filter((line) => line.startsWith("token"))).toHaveLength(2);
});

test("neither the secret nor a token is in the evidence, whatever the supplier says back", async () => {
  accepted = new Set();
  insteadOfToken = null;
  const refused = await openProcess().vend(sale);
  insteadOfToken = (response) => response.writeHead(400).end(JSON.stringify({ message: `not with ${secret}` }));
  const without = await openProcess().vend(sale);
  expect([refused.kind, without.kind]).toEqual(["declined", "declined"]);
  for (const { evidence } of [refused, without]) {
    expect(evidence).toMatch(/^POST \/sell/);
    expect(evidence).not.toContain("CANARY");
  }
});
