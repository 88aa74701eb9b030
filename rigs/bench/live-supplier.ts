// A program: a supplier of the legacy-script dialect that vends everything, after the delay it was told. Prints its port.
// POST /api/data/ vends; GET /delay/<ms> sets the delay; GET /decline/<digits> has it decline numbers that end in one of them;
// GET /figures tells what came since it was last asked; GET /log tells every reference that was ever asked to be vended, in
// order, one a line, a declined one with a word behind it.
import { createServer, type Socket } from "node:net";
import { percentile } from "../base/figures.ts";
import { listen, receiveRequests } from "../base/hear-requests.ts";

/** How it did since it was last asked. */
export interface SupplierFigures {
  readonly calls: number;
  /** Its own time of a request: from its last byte to the answer's, waits of this process for a core among them. */
  readonly p50Ms: number | null;
  /** The most that it had open at a time. */
  readonly openMost: number;
  readonly cpuSeconds: number;
}

const log: string[] = [];
let delayMs = 0;
let declined = "";
let tookMs: number[] = [];
let open = 0;
let openMost = 0;
let cpuBefore = process.cpuUsage();

function answer(socket: Socket, head: string, body: string): void {
  if (head.startsWith("POST /api/data/ ")) vend(socket, body);
  else if (head.startsWith("GET /figures ")) reply(socket, 200, JSON.stringify(takeFigures()));
  else if (head.startsWith("GET /log ")) reply(socket, 200, log.join("\n"));
  else {
    const [, what, digits = ""] = /^GET \/(delay|decline)\/([0-9]+) /.exec(head) ?? [];
    if (what === "delay") delayMs = Number(digits);
    if (what === "decline") declined = digits;
    reply(socket, what === undefined ? 404 : 200, "{}");
  }
}

function vend(socket: Socket, body: string): void {
  const startedMs = performance.now();
  const { ident, mobile_number } = JSON.parse(body) as { ident: string; mobile_number: string };
  const isDeclined = declined.includes(mobile_number.slice(-1));
  log.push(isDeclined ? `${ident} declined` : ident);
  open += 1;
  openMost = Math.max(openMost, open);
  const said = JSON.stringify({
    id: log.length,
    ident,
    Status: isDeclined ? "failed" : "successful",
    balance_before: "80120.25",
    balance_after: "79120.25",
    create_date: "2026-11-20T12:00:31.046677",
    plan_amount: "1000.0",
    api_response: isDeclined ? "Dear customer, not done." : "Dear customer, done.",
    mobile_number,
  });
  setTimeout(() => {
    open -= 1;
    reply(socket, 201, said);
    tookMs.push(performance.now() - startedMs);
  }, delayMs);
}

function reply(socket: Socket, status: number, body: string): void {
  const head = `HTTP/1.1 ${status} OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}`;
  socket.write(`${head}\r\n\r\n${body}`);
}

function takeFigures(): SupplierFigures {
  const sorted = Float64Array.from(tookMs).sort();
  const { user, system } = process.cpuUsage(cpuBefore);
  const cpuSeconds = (user + system) / 1_000_000;
  const figures = { calls: sorted.length, p50Ms: percentile(sorted, 0.5), openMost, cpuSeconds };
  tookMs = [];
  openMost = open;
  cpuBefore = process.cpuUsage();
  return figures;
}

void listen(createServer(receiveRequests(answer)));
