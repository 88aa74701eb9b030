import { beforeEach, describe, expect, test } from "vitest";
import { switchSandbox } from "../../src/domain/merchants/administration.ts";
import type { RegisteredMerchant } from "../../src/domain/merchants/registration.ts";
import { clock } from "../support/app.ts";
import { type ConsoleAnswer, type MemberClient, startConsole } from "../support/console.ts";
import { formOf, submit } from "../support/forms.ts";
import { sharedConsole } from "../support/shared-console.ts";

let merchant: RegisteredMerchant;
let developer: MemberClient;

const service = await sharedConsole();
beforeEach(async () => {
  merchant = await service.app.createMerchant();
  developer = await service.member("developer", merchant.id);
});

const airtime = { network: "MTN", phone: "08031234567", amount: "100.00" };
const answerSheet = ({ text }: ConsoleAnswer) => unescaped(text.slice(text.indexOf('id="answer"')));
const unescaped = (html: string) =>
  html.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&#39;", "'").replaceAll("&amp;", "&");
const rowsOf = async (text: string, values: unknown[] = [merchant.id]) =>
  (await service.app.fresh.pool.query(text, values)).rows;

async function send(id: string, changed: Record<string, string>, client: MemberClient = developer) {
  return submit(client, formOf(await client.get(`/test/try/${id}`), `/test/try/${id}#answer`), changed);
}

describe("a purchase that is tried out", () => {
  test("begins with the document's example under a reference of its own, and is bought in the sandbox", async () => {
    const shown = await developer.get("/test/try/buyAirtime");
    const form = formOf(shown, "/test/try/buyAirtime#answer");
    const body = JSON.parse(form.fields.body ?? "");
    expect(body).toMatchObject({ network: "MTN", phone: "08031234567", amount: "100.00" });
    expect(body.reference).toMatch(/^try-[0-9a-f]{8}$/);
    expect(unescaped(shown.text)).toContain("The same reference again answers the same sale");
    const tried = await submit(developer, form);
    expect(tried.status).toBe(200);
    expect(tried.headers.get("cache-control")).toBe("no-store");
    const sheet = answerSheet(tried);
    for (const part of ["201", '"status": "successful"', `"reference": "${body.reference}"`, '"sandbox": true'])
      expect(sheet).toContain(part);
    expect(sheet).toContain(`curl -X POST '${service.url}/api/v1/merchant/airtime/purchase'`);
    expect(sheet).toContain("Authorization: Bearer $DISPENSE_KEY");
    expect(sheet).toMatch(/X-Request-Id<\/dt><dd><span class="id">req_[0-9A-Z]{26}/);
    expect(
      await rowsOf(
        "select case when wallet_id > 0 then 'live' else 'test' end as mode, reference, channel from purchases where abs(wallet_id) = $1",
      ),
    ).toEqual([{ mode: "test", reference: body.reference, channel: "api" }]);
  });

  test("is in the merchant's request log as what it is: of a member, from the member's address, in the sandbox", async () => {
    const tried = await send("buyAirtime", { body: JSON.stringify({ reference: "logged-1", ...airtime }) });
    await service.app.services.requestLog.flush();
    const requestId = /req_[0-9A-Z]{26}/.exec(tried.text)?.[0];
    const [row, ...more] = await rowsOf(
      `select case when wallet_id > 0 then 'live' else 'test' end as mode, method, path, status, code, key_id, host(address) as address, request_id, reference
         from request_log where abs(wallet_id) = $1`,
    );
    expect([row, more]).toEqual([
      {
        ...{ mode: "test", method: "POST", path: "/api/v1/merchant/airtime/purchase", status: 201, code: null },
        ...{ key_id: null, address: "127.0.0.1", request_id: requestId, reference: "logged-1" },
      },
      [],
    ]);
    const list = await developer.get(`/test/requests?q=${requestId}`);
    const href = /href="(\/test\/requests\/\d+\.\d+)"/.exec(list.text)?.[1] ?? "";
    expect((await developer.get(href)).text).toContain("None: sent from the console");
    expect((await developer.get("/live/requests")).text).toContain("No requests yet");
  });

  test("is answered again, and charged once, where it is sent twice", async () => {
    const body = JSON.stringify({ reference: "twice-1", ...airtime });
    await send("buyAirtime", { body });
    const again = answerSheet(await send("buyAirtime", { body }));
    expect(again).toContain("Idempotent-Replayed</dt><dd><code>true");
    expect(await rowsOf("select 1 from purchases where abs(wallet_id) = $1")).toHaveLength(1);
  });

  test("leads to its timeline, its requery and its line in the log", async () => {
    const body = JSON.stringify({ reference: "next-1", ...airtime });
    const { text } = await send("buyAirtime", { body });
    const links = [...text.matchAll(/href="(\/test\/(?:transactions\/|try\/get|requests\?)[^"]*)"/g)].map(
      ([, to]) => to,
    );
    expect(links).toEqual([
      "/test/transactions/next-1",
      "/test/try/getTransaction?reference=next-1",
      expect.stringMatching(/^\/test\/requests\?q=req_/),
    ]);
    const requery = await developer.get("/test/try/getTransaction?reference=next-1");
    const found = answerSheet(await submit(developer, formOf(requery, "getTransaction#answer")));
    expect(found).toContain('"reference": "next-1"');
    expect((await developer.get("/test/transactions/next-1")).status).toBe(200);
  });

  test("that fails is told with its code and what to do", async () => {
    const body = JSON.stringify({ reference: "fails-1", ...airtime, phone: "08031230002" });
    const sheet = answerSheet(await send("buyAirtime", { body }));
    expect(sheet).toContain("422 SANDBOX_FORCED_FAILURE");
    expect(sheet).toContain("/docs/errors#SANDBOX_FORCED_FAILURE");
  });
});

test("each operation of the list works as it stands", async () => {
  const list = await developer.get("/test/try");
  const paths = [...list.text.matchAll(/href="(\/test\/try\/[a-z]\w+)"/g)].map(([, path = ""]) => path);
  expect(paths.length).toBeGreaterThan(10);
  await send("buyAirtime", { body: JSON.stringify({ reference: "order-data-1", ...airtime }) });
  const answers: unknown[] = [];
  for (const path of paths) {
    const tried = await submit(developer, formOf(await developer.get(path), `${path}#answer`));
    answers.push([path, tried.status, />(20[01])<\/span>/.test(answerSheet(tried))]);
  }
  expect(answers).toEqual(paths.map((path) => [path, 200, true]));
});

describe("what is typed", () => {
  test.each([
    ['{"reference": "a"', "Is no JSON, so nothing was sent"],
    ["reference=a&amount=1", "Is no JSON, so nothing was sent"],
    [`{"a":"${"x".repeat(17_000)}"}`, "Must be at most 16384 characters."],
  ])("is kept with a message where it is no body: %.30s", async (body, message) => {
    const tried = await send("buyAirtime", { body });
    expect([tried.status, unescaped(tried.text).includes(message)]).toEqual([400, true]);
    expect(formOf(tried, "#answer").fields.body).toBe(body);
    await service.app.services.requestLog.flush();
    expect(await rowsOf("select 1 from request_log where abs(wallet_id) = $1")).toEqual([]);
  });

  test("is sent as it is where it is JSON, and stays in the form beside the API's own refusal", async () => {
    const body = '{ "network": "MTN",\n  "amount": 5 }';
    const tried = await send("buyAirtime", { body });
    expect([tried.status, formOf(tried, "#answer").fields.body]).toEqual([200, body]);
    expect(answerSheet(tried)).toContain("400 VALIDATION_ERROR");
  });

  test("can't leave its place in the path", async () => {
    for (const reference of ["..", "."]) {
      const tried = await send("getTransaction", { reference });
      expect([tried.status, unescaped(tried.text).includes("Can't be the name of anything.")]).toEqual([400, true]);
      expect(formOf(tried, "#answer").fields.reference).toBe(reference);
    }
    const tried = await send("getTransaction", { reference: "../wallet/balance" });
    expect(answerSheet(tried)).toContain("404 TRANSACTION_NOT_FOUND");
    const typed = await developer.get("/test/try/getTransaction?reference=..");
    expect(typed.status).toBe(200);
  });

  test("stays text wherever it comes back", async () => {
    const markup = '</code><img src=x onerror="alert(1)">';
    const filled = await developer.get(`/test/try/listBillers?${new URLSearchParams({ q: markup })}`);
    const tried = await send("listBillers", { q: markup });
    const echoed = await send("buyAirtime", {
      body: JSON.stringify({ reference: "m-1", ...airtime, metadata: { note: markup } }),
    });
    expect(unescaped(echoed.text)).toContain(markup.replaceAll('"', '\\"'));
    for (const { text } of [filled, tried, echoed]) expect(text).not.toContain("<img src=x");
  });
});

describe("the sandbox is all there is", () => {
  test("live mode has no such pages, and nothing is sent", async () => {
    const body = JSON.stringify({ reference: "live-1", ...airtime });
    for (const path of ["/live/try", "/live/try/buyAirtime"])
      expect([path, (await developer.get(path)).status]).toEqual([path, 404]);
    expect((await developer.send("/live/try/buyAirtime", { body })).status).toBe(405);
    const { text } = await developer.get("/test/try/buyAirtime");
    expect(text).not.toContain("/live/try");
    expect(text).toContain('href="/live/overview"');
    expect(await rowsOf("select 1 from purchases where abs(wallet_id) = $1")).toEqual([]);
    await developer.send("/test/try/buyAirtime", { body, mode: "live" });
    expect(
      await rowsOf(
        "select case when wallet_id > 0 then 'live' else 'test' end as mode from purchases where abs(wallet_id) = $1",
      ),
    ).toEqual([{ mode: "test" }]);
  });

  test("where the operator has it off, the API says so", async () => {
    const operator = { database: service.app.services.database, clock };
    await switchSandbox(operator, false);
    try {
      expect((await developer.get("/test/try")).text).toContain("The sandbox is turned off for you");
      expect(answerSheet(await send("getWalletBalance", {}))).toContain("403 SANDBOX_DISABLED");
    } finally {
      await switchSandbox(operator, true);
    }
  });
});

test("a process of the console's own tries the API out too, and takes no request of it", async () => {
  const own = await startConsole({ isApiServed: false });
  try {
    const member = await own.member("developer");
    const body = JSON.stringify({ reference: "own-1", ...airtime });
    expect(answerSheet(await send("buyAirtime", { body }, member))).toContain('"status": "successful"');
    const taken = await own.app.call(own.app.merchant.testKey, "/wallet/balance");
    expect([taken.status, taken.body.message]).toEqual([404, expect.stringContaining("ROLE=console")]);
  } finally {
    await own.close();
  }
});

describe("what is not there", () => {
  test("is another business's transactions", async () => {
    const other = await service.app.createMerchant();
    const body = { reference: "theirs-1", ...airtime };
    const theirs = await service.app.call(other.testKey, "/airtime/purchase", { body });
    for (const reference of ["theirs-1", theirs.body.transaction_id]) {
      const sheet = answerSheet(await send("getTransaction", { reference }));
      expect(sheet).toContain("404 TRANSACTION_NOT_FOUND");
    }
    expect(answerSheet(await send("listTransactions", {}))).not.toContain("theirs-1");
  });

  test("is an operation that is not on the list", async () => {
    for (const id of ["resetSandbox", "saveWebhook", "legacyBuyData", "..%2Fkeys"]) {
      expect([id, (await developer.get(`/test/try/${id}`)).status]).toEqual([id, 404]);
      expect([id, (await developer.send(`/test/try/${id}`, { body: "{}" })).status]).toEqual([id, 404]);
    }
  });
});
