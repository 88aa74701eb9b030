// A shop in one file. Each customer gets the data bundle that was paid for, or the money back, and neither twice.
//
//   export DISPENSE_URL=http://127.0.0.1:8080 DISPENSE_KEY=ds_test_… DISPENSE_WEBHOOK_SECRET=whsec_…
//   node shop.mjs
//   curl http://127.0.0.1:9000/orders -d '{"reference":"order-1","product_id":1001,"phone":"08031234567"}'
//   curl http://127.0.0.1:9000/orders/order-1
//
// Orders are files in SHOP_FOLDER: your database takes their place. Node 18 or newer; nothing to install.
import { createHmac, timingSafeEqual } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";

const env = process.env;
const folder = env.SHOP_FOLDER ?? "orders";
/** The service answers within 75 seconds. A shorter time is as safe: no answer is not a failure, see sell(). */
const timeoutSeconds = Number(env.SHOP_TIMEOUT ?? 75);
/** So long after an order nothing that sell() sent can still be under way. */
const giveUpSeconds = Number(env.SHOP_GIVE_UP ?? 600);

// ---- Selling

/** Call it when the customer has paid. */
async function sell(reference, productId, phone) {
  const known = load(reference);
  if (known !== null) return known;
  // Written down before anything is sent: whatever crashes, the order and its reference are still there.
  save({ reference, product_id: productId, phone, state: "waiting", note: "", created_at: now() });
  const body = JSON.stringify({ product_id: productId, phone, reference });
  for (let attempt = 1; attempt <= 3; attempt++) {
    const answer = await ask("POST", "/data/purchase", body);
    if (answer !== null && [201, 202, 422].includes(answer.status)) return settle(reference, answer.body);
    if (answer?.body.code !== undefined && answer.status !== 500) {
      // Refused: this request bought nothing. One before it without an answer may have; then check() finds out.
      return attempt === 1 ? end(reference, "refunded", answer.body.code) : load(reference);
    }
    // A 500 or no answer: it may have been bought. The same reference again is safe, it is never bought twice.
  }
  return load(reference);
}

/** What became of an order that waits. Call it when somebody looks, and every few minutes for all that wait. */
async function check(reference) {
  const order = load(reference);
  if (order?.state !== "waiting") return order;
  const answer = await ask("GET", `/transactions/${reference}`);
  if (answer?.status === 200) return settle(reference, answer.body);
  const isUnknown = answer?.body.code === "TRANSACTION_NOT_FOUND";
  if (isUnknown && now() - order.created_at > giveUpSeconds) return end(reference, "refunded", "never bought");
  return order;
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

/** The answer's status and body; null where there was none that can be read. */
async function ask(method, path, body) {
  try {
    const response = await fetch(`${env.DISPENSE_URL}/api/v1/merchant${path}`, {
      method,
      headers: { Authorization: `Bearer ${env.DISPENSE_KEY}`, "Content-Type": "application/json" },
      body,
      signal: AbortSignal.timeout(timeoutSeconds * 1000),
    });
    return { status: response.status, body: await response.json() };
  } catch {
    return null;
  }
}

// ---- Webhooks

/** Whether the service sent this body (a Buffer) within the last five minutes. */
export function verifyWebhook(secret, id, timestamp, signatures, body, now = Date.now() / 1000) {
  if (!/^[0-9]+$/.test(timestamp) || Math.abs(now - Number(timestamp)) > 300) return false;
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64");
  const expected = Buffer.from(`v1,${signature}`);
  return signatures.split(" ").some((text) => {
    const given = Buffer.from(text);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

function receive(headers, body) {
  const [id = "", timestamp = "", signatures = ""] = ["id", "timestamp", "signature"].map(
    (n) => headers[`webhook-${n}`],
  );
  if (!verifyWebhook(env.DISPENSE_WEBHOOK_SECRET, id, timestamp, signatures, body)) return 401;
  const { event, mode, data } = JSON.parse(body);
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
