// A shop in one file. Each customer gets the data bundle that was paid for, or the money back, and neither twice.
//
//   export DISPENSE_URL=http://127.0.0.1:8080 DISPENSE_KEY=ds_test_… DISPENSE_WEBHOOK_SECRET=whsec_…
//   npm install ./dispense-1.0.0.tgz && node shop.mjs   (the SDK, as its README says: /docs/sdk/node)
//   curl http://127.0.0.1:9000/orders -d '{"reference":"order-1","product_id":1001,"phone":"08031234567"}'
//   curl http://127.0.0.1:9000/orders/order-1
//
// Orders are files in SHOP_FOLDER: your database takes their place. Node 20.3 or newer, with the SDK.
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { Dispense, DispenseError, verifyWebhook, WebhookVerificationError } from "dispense";

const env = process.env;
const folder = env.SHOP_FOLDER ?? "orders";
/** The service answers within 75 seconds. A shorter time is as safe: no answer is not a failure, see sell(). */
const purchaseMs = Number(env.SHOP_TIMEOUT ?? 75) * 1000;
/** So long after an order nothing that sell() sent can still be under way. */
const giveUpSeconds = Number(env.SHOP_GIVE_UP ?? 600);
const dispense = new Dispense({ timeoutMs: { purchase: purchaseMs } }); // DISPENSE_URL and DISPENSE_KEY

// ---- Selling

/** Call it when the customer has paid. */
async function sell(reference, productId, phone) {
  const known = load(reference);
  if (known !== null) return known;
  // Written down before anything is sent: whatever crashes, the order and its reference are still there.
  save({ reference, product_id: productId, phone, state: "waiting", note: "", created_at: now() });
  try {
    return settle(reference, await dispense.buyData({ product_id: productId, phone, reference }));
  } catch (error) {
    if (!(error instanceof DispenseError)) throw error;
    // "unknown": a try had no answer, so it may have been bought; check() finds out. The SDK tried four times under the
    // same reference, which is never bought twice.
    return error.charged === "no" ? end(reference, "refunded", error.code) : load(reference);
  }
}

/** What became of an order that waits. Call it when somebody looks, and every few minutes for all that wait. */
async function check(reference) {
  const order = load(reference);
  if (order?.state !== "waiting") return order;
  try {
    return settle(reference, await dispense.getTransaction(reference));
  } catch (error) {
    if (!(error instanceof DispenseError)) throw error;
    const isOver = error.code === "TRANSACTION_NOT_FOUND" && now() - order.created_at > giveUpSeconds;
    return isOver ? end(reference, "refunded", "never bought") : order;
  }
}

/** What a transaction says, whoever told it: an answer, a question or a webhook. */
function settle(reference, transaction) {
  if (transaction.status === "successful") return end(reference, "delivered", transaction.transaction_id);
  if (transaction.status === "failed") return end(reference, "refunded", transaction.error_code);
  return load(reference); // pending: wait. Neither buy it again nor give the money back.
}

/** The only door to an end, which an order passes once. In a database this is one transaction. */
function end(reference, state, note) {
  const order = load(reference);
  if (order?.state !== "waiting") return order;
  if (state === "refunded") giveMoneyBack(order);
  return save({ ...order, state, note });
}

function giveMoneyBack({ reference }) {
  appendFileSync(`${folder}/refunds.txt`, `${reference}\n`); // your payment provider's refund
}

// ---- Webhooks

function receive(headers, body) {
  let notice;
  try {
    notice = verifyWebhook(body, headers, env.DISPENSE_WEBHOOK_SECRET);
  } catch (error) {
    if (error instanceof WebhookVerificationError) return 401;
    throw error;
  }
  const { event, mode, data } = notice;
  // Sandbox events come here as well, and end no order of a live key. Duplicates do no harm, see end().
  const isOurs = mode === (env.DISPENSE_KEY.startsWith("ds_live_") ? "live" : "test");
  if (isOurs && ["transaction.successful", "transaction.failed"].includes(event)) settle(data.reference, data);
  return 204;
}

// ---- Orders, one file each

function fileOf(reference) {
  return /^[A-Za-z0-9_:-][A-Za-z0-9._:-]{0,99}$/.test(reference) ? `${folder}/${reference}.json` : null;
}

function load(reference) {
  const file = fileOf(reference);
  return file !== null && existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
}

function save(order) {
  const file = fileOf(order.reference);
  writeFileSync(`${file}.new`, JSON.stringify(order));
  renameSync(`${file}.new`, file);
  return order;
}

function now() {
  return Date.now() / 1000;
}

// ---- The shop's own web server

async function respond(request, body) {
  const { method, url } = request;
  if (method === "POST" && url === "/webhooks/dispense") return [receive(request.headers, body), null];
  if (method === "GET" && url.startsWith("/orders/")) {
    const order = await check(url.slice("/orders/".length));
    return order === null ? [404, null] : [200, order];
  }
  if (method === "POST" && url === "/orders") {
    const { reference, product_id, phone } = JSON.parse(body);
    return fileOf(reference) === null ? [400, null] : [200, await sell(reference, product_id, phone)];
  }
  return [404, null];
}

mkdirSync(folder, { recursive: true });
createServer((request, response) => {
  const chunks = [];
  let length = 0;
  request.on("data", (chunk) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length > 65_536) request.destroy();
  });
  request.on("end", async () => {
    const [status, answer] = await respond(request, Buffer.concat(chunks)).catch(() => [500, null]);
    response.writeHead(status, { "Content-Type": "application/json" });
    response.end(answer === null ? "" : JSON.stringify(answer));
  });
}).listen(Number(env.SHOP_PORT ?? 9000), "127.0.0.1");
