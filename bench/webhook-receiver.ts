// A program: receives webhooks as cheaply as can be, a process of its own. Prints its port.
// POST /hook/<merchant> is answered at once, POST /hole/<merchant> never, POST /refuser/<merchant> refuses one delivery in
// four when it sees it for the first time; GET /figures tells what came since the last one, which refusers and holes are
// no part of.
import { type AddressInfo, createServer, type Socket } from "node:net";
import { hearRequests } from "./hear-requests.ts";

const refusal = Buffer.from("HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n");
const ok = Buffer.from("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nOK");
const maxMs = 60_000;
/** By the last of an id's random hexadecimal digits: all of them would keep the endpoint's breaker open. */
const refused = /[048c]$/;
/** Deliveries that are remembered; twice as many for a while. */
const seenMax = 1_000_000;

let received = 0;
let holes = 0;
let marked = 0;
/** How many came after so many milliseconds: of all, and of the merchants below `others`. */
let latencies = new Uint32Array(maxMs + 1);
let othersLatencies = new Uint32Array(maxMs + 1);
let seen = new Set<string>();
let seenBefore = new Set<string>();
let duplicates = 0;

const server = createServer(hearRequests(answer));

function answer(socket: Socket, head: string, body: string): void {
  if (head.startsWith("GET /figures")) return void tell(socket);
  if (head.startsWith("POST /hole/")) {
    holes += 1;
    return;
  }
  const id = /webhook-id: (\S+)/i.exec(head)?.[1] ?? "";
  const isKnown = isSeen(id);
  if (head.startsWith("POST /refuser/")) return void socket.write(isKnown || !refused.test(id) ? ok : refusal);
  received += 1;
  if (isKnown) duplicates += 1;
  const owedAt = Number(/"owed_at":([0-9]+)/.exec(body)?.[1] ?? 0);
  const tookMs = Math.min(maxMs, Math.max(0, Date.now() - owedAt));
  latencies[tookMs] = (latencies[tookMs] ?? 0) + 1;
  if (!head.startsWith("POST /hook/1 ")) {
    marked += 1;
    othersLatencies[tookMs] = (othersLatencies[tookMs] ?? 0) + 1;
  }
  socket.write(ok);
}

/** Whether this delivery came before; from now on it did. */
function isSeen(id: string): boolean {
  if (seen.has(id) || seenBefore.has(id)) return true;
  if (seen.size >= seenMax) [seenBefore, seen] = [seen, new Set()];
  // A copy: what a pattern found keeps the whole chunk that it was found in.
  seen.add(Buffer.from(id).toString());
  return false;
}

function tell(socket: Socket): void {
  const figures = {
    received,
    holes,
    duplicates,
    p50Ms: percentile(latencies, received, 0.5),
    p99Ms: percentile(latencies, received, 0.99),
    othersP50Ms: percentile(othersLatencies, marked, 0.5),
    othersP99Ms: percentile(othersLatencies, marked, 0.99),
  };
  received = 0;
  holes = 0;
  marked = 0;
  duplicates = 0;
  seen = new Set();
  seenBefore = new Set();
  latencies = new Uint32Array(maxMs + 1);
  othersLatencies = new Uint32Array(maxMs + 1);
  const body = JSON.stringify(figures);
  socket.end(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
}

function percentile(counts: Uint32Array, total: number, share: number): number | null {
  let sum = 0;
  for (const [ms, count] of counts.entries()) {
    sum += count;
    if (total > 0 && sum >= total * share) return ms;
  }
  return null;
}

server.listen(0, "127.0.0.1", 4_096, () => console.log(`port ${(server.address() as AddressInfo).port}`));
process.once("SIGTERM", () => process.exit(0));
