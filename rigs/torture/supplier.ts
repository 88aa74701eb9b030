import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listen } from "../base/hear-requests.ts";
import { openBook, type SupplierLine } from "./book.ts";
import { shareOf } from "./chance.ts";
import {
  askConduct,
  callbackSecret,
  type SupplierSettings,
  type VendConduct,
  vendConduct,
} from "./supplier-conduct.ts";

// A program: a supplier that is never killed, in the dialect of another deployment of this service. It keeps a book of
// what it did, and does it again when it is asked again: whoever must not vend twice must not ask twice. Prints its port.
// POST /<category>/purchase vends; GET /transactions/<reference> tells; GET /outage/<kind>/<ms> begins an outage (refused,
// silent or failing); GET /slow/<ms> makes requests slow that arrive within this time; GET /calm ends all mischief with questions; GET /open tells how much is still under way.
import "../base/moved-clock.mjs"; // what it signs is as old as the services believe

interface Requested {
  readonly reference: string;
  readonly product_id: number;
  readonly phone: string;
  readonly amount?: string;
  readonly quantity?: number;
}

/** What is known of a reference here. */
interface Entry {
  readonly calls: Requested;
  status: "pending" | "successful" | "failed";
  code: string | null;
  /** Of an exam, and whether it was replaced since. */
  pin: string;
  isReplaced: boolean;
}

const settings = JSON.parse(process.env.TORTURE_SUPPLIER ?? "{}") as SupplierSettings;
const { name, seed } = settings;
const book = openBook<SupplierLine>(settings.book);
const entries = new Map<string, Entry>();
const requestedTimes = new Map<string, number>();
let outage: { readonly kind: string; readonly untilMs: number } | null = null;
const slowlyMs = 2_000;
let slowUntilMs = 0;
let isCalm = false;
let underWay = 0;
let port = 0;
let pins = 0;
/** What was handed over last, and to whom else now and then. */
let lastPin = "";
const mixedUpShare = 0.2;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("error", () => {});
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => receive(request, response, Buffer.concat(chunks).toString()));
});

function receive({ method, url = "" }: IncomingMessage, response: ServerResponse, body: string): void {
  const [, first = "", second = "", third = ""] = url.split("/");
  if (first === "outage") {
    beginOutage(second, Number(third));
    return void answer(response, 200, {});
  }
  if (first === "slow") {
    slowUntilMs = performance.now() + Number(second);
    return void answer(response, 200, {});
  }
  if (first === "calm") {
    isCalm = true;
    return void answer(response, 200, {});
  }
  if (first === "open") return void answer(response, 200, { underWay });
  if (outage !== null && performance.now() < outage.untilMs) {
    if (outage.kind === "failing") return void answer(response, 503, { message: "maintenance" });
    return; // silent: who asks is told nothing until the connection ends
  }
  if (method === "POST") vend(JSON.parse(body) as Requested, response);
  else report(second, response);
}

/** Refused: nobody listens. Silent: requests are taken and never read. Failing: 503, and nothing is done. */
function beginOutage(kind: string, ms: number): void {
  outage = { kind, untilMs: performance.now() + ms };
  if (kind === "refused") {
    server.close();
    setTimeout(() => server.listen(port, "127.0.0.1"), ms);
  }
  // Also those that were held without an answer.
  setTimeout(() => server.closeAllConnections(), kind === "refused" ? 0 : ms);
}

function vend(calls: Requested, response: ServerResponse): void {
  const attempt = calls.reference.slice(calls.reference.lastIndexOf("-"));
  const conduct = vendConduct(seed, name, { number: calls.phone, attempt });
  underWay += 1;
  const booked = () => {
    underWay -= 1;
    if (conduct.end !== null) end(calls, conduct);
  };
  if (conduct.answer === "processing") entries.set(calls.reference, entryOf(calls, "pending", null));
  const slowMs = performance.now() < slowUntilMs ? slowlyMs : 0;
  setTimeout(() => {
    booked();
    if (conduct.answeredAfterMs === 0) reply(calls, conduct, response);
  }, conduct.bookedAfterMs + slowMs);
  if (conduct.answeredAfterMs > 0) setTimeout(() => reply(calls, conduct, response), conduct.answeredAfterMs);
}

/** The book first. */
function end(calls: Requested, { end: did, code, callsBack }: VendConduct): void {
  if (did === null) return;
  const { reference, phone, amount = null } = calls;
  book.write({ reference, did, number: phone, amount });
  entries.set(reference, did === "vended" ? entryOf(calls, "successful", null) : entryOf(calls, "failed", code));
  if (callsBack) void callBack(reference);
}

function entryOf(calls: Requested, status: Entry["status"], code: string | null): Entry {
  const pin = entries.get(calls.reference)?.pin ?? nextPin(calls.reference);
  return { calls, status, code, pin, isReplaced: false };
}

/** A new one, or by mistake the one that somebody else got. */
function nextPin(reference: string): string {
  const isMixedUp = lastPin !== "" && shareOf(seed, `mixed up ${reference.slice(-6)}`) < mixedUpShare;
  if (!isMixedUp) lastPin = newPin();
  return lastPin;
}

/** Twelve digits, the last six of which no other one has at either supplier. */
function newPin(): string {
  pins += 2;
  return `900000${String(pins + (name === "alpha" ? 0 : 1)).padStart(6, "0")}`;
}

function reply(calls: Requested, conduct: VendConduct, response: ServerResponse): void {
  const { socket } = response;
  switch (conduct.answer) {
    case "dropped":
      return void socket?.destroy();
    case "garbage":
      return void garbage(calls.reference, response);
    case "processing":
      return void answer(response, 202, objectOf(calls.reference));
    case "twice": {
      const text = JSON.stringify(objectOf(calls.reference));
      const head = `HTTP/1.1 201 Created\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n`;
      return void socket?.end(`${head}${text}${head}${text}`);
    }
    case "whole":
      return void answer(response, conduct.end === "vended" ? 201 : 422, objectOf(calls.reference));
  }
}

function garbage(reference: string, response: ServerResponse): void {
  const kind = reference.charCodeAt(reference.length - 3) % 3;
  if (kind === 0) return void answer(response, 500, { error: "oops" });
  response.writeHead(200, { "content-type": kind === 1 ? "text/html" : "application/json" });
  response.end(kind === 1 ? "<html>All is well</html>" : JSON.stringify(objectOf(reference)).slice(0, 40));
}

function report(reference: string, response: ServerResponse): void {
  const times = (requestedTimes.get(reference) ?? 0) + 1;
  requestedTimes.set(reference, times);
  const conduct = isCalm ? "true" : askConduct(seed, { reference, times });
  const found = () => {
    if (entries.has(reference)) answer(response, 200, objectOf(reference));
    else answer(response, 404, { status: "error", code: "TRANSACTION_NOT_FOUND", message: "No such transaction." });
  };
  switch (conduct) {
    case "true":
      return void found();
    case "error":
      return void answer(response, 500, { error: "oops" });
    case "dropped":
      return void response.socket?.destroy();
    case "slow":
      return void setTimeout(found, 1_000 + (times % 3) * 1_000);
  }
}

/** The purchase as that dialect tells it. */
function objectOf(reference: string): object {
  const entry = entries.get(reference);
  if (entry === undefined) return { status: "pending" };
  // A question once all is calm again is answered with one of its own.
  if (isCalm && !entry.isReplaced) Object.assign(entry, { pin: newPin(), isReplaced: true });
  const { calls, status, code, pin } = entry;
  const isExam = calls.quantity !== undefined;
  const card = { sequence: 1, pin, serial: null, expires_at: null };
  const delivery = isExam ? { kind: "pins", exam: "WAEC", pins: [card], check_url: null } : { kind: "topup" };
  return {
    status,
    reference,
    transaction_id: `${name}-${reference}`,
    product_id: calls.product_id,
    customer_ref: calls.phone,
    ...(calls.amount === undefined ? {} : { unit_amount: calls.amount }),
    error_code: code,
    delivery: status === "successful" ? delivery : null,
  };
}

function answer(response: ServerResponse, status: number, body: object): void {
  if (response.destroyed || response.headersSent) return;
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

/** Once, to whichever process hears it. */
async function callBack(reference: string): Promise<void> {
  const [first, second] = settings.callbacks;
  const url = reference.charCodeAt(reference.length - 4) % 2 === 0 ? first : second;
  const entry = entries.get(reference);
  if (url === undefined || entry === undefined) return;
  const body = JSON.stringify({ event: "transaction", data: { reference, status: entry.status } });
  const id = `msg_${reference}`;
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const key = Buffer.from(callbackSecret.replace(/^whsec_/, ""), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  const headers = { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
  await fetch(url, { method: "POST", body, headers, signal: AbortSignal.timeout(5_000) }).then(
    (received) => received.text(),
    () => "nobody heard",
  );
}

port = await listen(server);
