import { once } from "node:events";
import { connect } from "node:net";
import { beforeEach, expect, test } from "vitest";
import type { RegisteredMerchant } from "../../src/domain/merchants/registration.ts";
import { listByReference, listRequests, noRequestFilter } from "../../src/domain/request-log/list.ts";
import type { Reference, WalletKey } from "../../src/kernel/ids.ts";
import { sharedApp } from "../support/shared-app.ts";

const app = await sharedApp();
// The files before this one share the app, and the log keeps five hundred requests a second.
beforeEach(() => app.services.requestLog.flush());

const phone = "08031234567";
const sandboxOf = ({ id }: RegisteredMerchant): WalletKey => ({ merchantId: id, mode: "test" });

async function logOf(merchant: RegisteredMerchant) {
  await app.services.requestLog.flush();
  const page = { before: null, perPage: 50 };
  return (await listRequests(app.services.database, sandboxOf(merchant), noRequestFilter, page)).requests;
}

async function planOf(): Promise<number> {
  const products = (await app.services.catalogue.current()).products;
  return products.find(({ biller, available }) => available && biller.category === "data")?.id ?? 0;
}

test("a purchase, its requery and what was refused are in the log of their merchant alone", async () => {
  const merchant = await app.createMerchant();
  const stranger = await app.createMerchant();
  const body = { reference: "log-1", product_id: await planOf(), phone };
  const bought = await app.call(merchant.testKey, "/data/purchase", { body });
  expect(bought.status).toBe(201);
  await app.call(merchant.testKey, "/transactions/log-1");
  await app.call(merchant.testKey, "/data/purchase", { body: { ...body, reference: "log-2", expected_price: "1.00" } });
  await app.call(merchant.testKey, "/no-such-thing?phone=08031234567", { headers: { "x-request-id": "trace-7" } });
  const requests = await logOf(merchant);
  const prefix = "/api/v1/merchant";
  expect(requests.map((each) => [each.method, each.endpoint, each.status, each.code, each.reference])).toEqual([
    ["GET", "none", 404, "NOT_FOUND", null],
    ["POST", `${prefix}/data/purchase`, 409, "PRICE_CHANGED", "log-2"],
    ["GET", `${prefix}/transactions/:reference`, 200, null, "log-1"],
    ["POST", `${prefix}/data/purchase`, 201, null, "log-1"],
  ]);
  expect(requests[0]).toMatchObject({
    path: `${prefix}/no-such-thing?phone=***4567`,
    requestId: "trace-7",
    body: null,
  });
  expect(requests[3]).toMatchObject({ address: "127.0.0.1", requestId: bought.headers.get("x-request-id") });
  expect(JSON.parse(requests[3]?.body ?? "")).toEqual({ ...body, phone: "***4567" });
  const named = requests.map(({ purchaseId }) => purchaseId !== null);
  expect(named).toEqual([false, false, true, true]);
  expect(await logOf(stranger)).toEqual([]);
  const ofReference = await listByReference(app.services.database, sandboxOf(merchant), "log-1" as Reference);
  expect(ofReference.map(({ method }) => method)).toEqual(["POST", "GET"]);
});

test("a failed purchase has its failure's code, and a legacy one its reference and form", async () => {
  const merchant = await app.createMerchant();
  const plan = await planOf();
  await app.call(merchant.testKey, "/data/purchase", {
    body: { reference: "log-3", product_id: plan, phone: "08030000002" },
  });
  const form = new URLSearchParams({ network: "1", plan: String(plan), mobile_number: phone, Ported_number: "true" });
  const answer = await fetch(`${app.url}/api/data/`, {
    method: "POST",
    headers: { authorization: `Token ${merchant.testKey}` },
    body: form,
  });
  const { ident } = (await answer.json()) as { ident: string };
  const [legacy, failed] = await logOf(merchant);
  expect(failed).toMatchObject({ status: 422, code: "SANDBOX_FORCED_FAILURE", reference: "log-3" });
  expect(legacy).toMatchObject({ endpoint: "/api/data", status: 200, code: null, reference: ident });
  expect(JSON.parse(legacy?.body ?? "")).toEqual({ ...Object.fromEntries(form), mobile_number: "***4567" });
});

test("a request with an unknown key is in nobody's log, one whose key is refused in its owner's", async () => {
  const merchant = await app.createMerchant({ approved: false });
  await app.services.requestLog.flush();
  const before = await countAll();
  await app.call(`${merchant.testKey.slice(0, -1)}x`, "/wallet/balance");
  await app.services.requestLog.flush();
  expect(await countAll()).toBe(before);
  await app.fresh.pool.query("update merchants set status = 'suspended' where id = $1", [merchant.id]);
  await app.fresh.pool.query("update revisions set revision = revision + 1 where subject = 'keys'");
  await expect
    .poll(async () => (await app.call(merchant.testKey, "/wallet/balance")).body.code, { timeout: 5_000 })
    .toBe("ACCOUNT_SUSPENDED");
  expect((await logOf(merchant))[0]).toMatchObject({ status: 403, code: "ACCOUNT_SUSPENDED" });
});

async function countAll(): Promise<number> {
  const { rows } = await app.fresh.pool.query("select count(*)::int as rows from request_log");
  return rows[0].rows;
}

test("bodies that came in chunks are kept, large ones only named", async () => {
  const merchant = await app.createMerchant();
  const chunks = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"reference":"log-4",'));
      controller.enqueue(new TextEncoder().encode(`"phone":"${phone}"}`));
      controller.close();
    },
  });
  const headers = { authorization: `Bearer ${merchant.testKey}`, "content-type": "application/json" };
  const streamed = { method: "POST", headers, body: chunks, duplex: "half" } as RequestInit;
  await fetch(`${app.url}/api/v1/merchant/data/purchase`, streamed);
  const large = { reference: "log-5", phone, metadata: { note: "n".repeat(20_000) } };
  await app.call(merchant.testKey, "/data/purchase", { body: large });
  const bodies = (await logOf(merchant)).map(({ body }) => body);
  expect(bodies).toEqual(['"[left out: larger than 16 KiB]"', '{"reference":"log-4","phone":"***4567"}']);
});

test("a request whose client left before its answer is in the log", async () => {
  const merchant = await app.createMerchant();
  const { port } = new URL(app.url);
  const socket = connect(Number(port), "127.0.0.1");
  const head = `POST /api/v1/merchant/data/purchase HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${merchant.testKey}\r\n`;
  socket.write(`${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"reference`);
  await once(socket, "connect");
  await new Promise((resolve) => setTimeout(resolve, 100));
  socket.destroy();
  await expect.poll(async () => (await logOf(merchant)).length).toBe(1);
  expect((await logOf(merchant))[0]).toMatchObject({
    status: null,
    code: "CLIENT_LEFT",
    address: "127.0.0.1",
    body: null,
  });
});
