// A program: receives webhooks, a process of its own. Prints its port. POST /<group>/<merchant> is answered at once, but
// for the group "silent", which never gets an answer, and "falls-silent", which gets none after GET /fall-silent.
// GET /figures tells what came since it was last asked.
import { type AddressInfo, createServer, type Socket } from "node:net";
import { hearRequests } from "../bench/hear-requests.ts";

const ok = Buffer.from("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nOK");

let hasFallenSilent = false;
let waits = new Map<string, number[]>();
let connections = 0;
let connectionsMost = 0;

const server = createServer((socket) => {
  connections += 1;
  connectionsMost = Math.max(connectionsMost, connections);
  socket.on("close", () => {
    connections -= 1;
  });
  hearRequests(answer)(socket);
});

function answer(socket: Socket, head: string): void {
  if (head.startsWith("GET /figures")) return void tell(socket, figures());
  if (head.startsWith("GET /fall-silent")) {
    hasFallenSilent = true;
    return void tell(socket, {});
  }
  const group = /^POST \/([a-z-]+)\//.exec(head)?.[1] ?? "";
  const id = /webhook-id: (\S+)/i.exec(head)?.[1] ?? "";
  const waited = waits.get(group);
  const waitMs = Math.max(0, Date.now() - timeOf(id));
  if (waited === undefined) waits.set(group, [waitMs]);
  else waited.push(waitMs);
  if (group === "silent" || (group === "falls-silent" && hasFallenSilent)) return;
  socket.write(ok);
}

/** An event's id begins with the millisecond in which it was made. */
function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

function figures() {
  const groups = [...waits].map(([group, ms]) => [group, figuresOf(ms.sort((a, b) => a - b))] as const);
  const most = connectionsMost;
  waits = new Map();
  connectionsMost = connections;
  return { groups: Object.fromEntries(groups), connectionsMost: most };
}

function figuresOf(sorted: readonly number[]) {
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { received: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) };
}

function tell(socket: Socket, figures: object): void {
  const body = JSON.stringify(figures);
  socket.end(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
}

server.listen(0, "127.0.0.1", 4_096, () => console.log(`port ${(server.address() as AddressInfo).port}`));
process.once("SIGTERM", () => process.exit(0));
