// A program: receives webhooks as cheaply as can be. Prints its port. POST /<group>/<merchant> is answered at once, but for
// the group "silent", which never gets an answer, and "falls-silent", which gets none after GET /fall-silent.
// GET /figures tells what came since it was last asked.
import { createServer, type Socket } from "node:net";
import { percentile } from "./figures.ts";
import { listen, receiveRequests } from "./hear-requests.ts";

const ok = Buffer.from("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nOK");

/** What came for the endpoints of one group. */
export interface GroupFigures {
  readonly received: number;
  readonly duplicates: number;
  /** From the moment in which the event was made. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface ReceiverFigures {
  readonly groups: Readonly<Record<string, GroupFigures>>;
  readonly connectionsMost: number;
}

interface Group {
  readonly waits: number[];
  readonly seen: Set<string>;
}

let hasFallenSilent = false;
let groups = new Map<string, Group>();
let connections = 0;
let connectionsMost = 0;

const receive = receiveRequests(answer);
const server = createServer((socket) => {
  connections += 1;
  connectionsMost = Math.max(connectionsMost, connections);
  socket.on("close", () => {
    connections -= 1;
  });
  receive(socket);
});

function answer(socket: Socket, head: string): void {
  if (head.startsWith("GET /figures")) return void report(socket, takeFigures());
  if (head.startsWith("GET /fall-silent")) {
    hasFallenSilent = true;
    return void report(socket, {});
  }
  const name = /^POST \/([a-z-]+)\//.exec(head)?.[1] ?? "";
  const id = /webhook-id: (\S+)/i.exec(head)?.[1] ?? "";
  const group = groups.get(name) ?? { waits: [], seen: new Set() };
  groups.set(name, group);
  group.waits.push(Math.max(0, Date.now() - timeOf(id)));
  // A copy: what a pattern found keeps the whole chunk that it was found in.
  group.seen.add(Buffer.from(id).toString());
  if (name !== "silent" && !(name === "falls-silent" && hasFallenSilent)) socket.write(ok);
}

/** An event's id begins with the millisecond in which it was made. */
function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

function takeFigures(): ReceiverFigures {
  const figures = [...groups].map(([name, { waits, seen }]) => {
    const sorted = Float64Array.from(waits).sort();
    const [p50Ms, p99Ms] = [percentile(sorted, 0.5) ?? 0, percentile(sorted, 0.99) ?? 0];
    return [name, { received: waits.length, duplicates: waits.length - seen.size, p50Ms, p99Ms }] as const;
  });
  const most = connectionsMost;
  groups = new Map();
  connectionsMost = connections;
  return { groups: Object.fromEntries(figures), connectionsMost: most };
}

function report(socket: Socket, figures: object): void {
  const body = JSON.stringify(figures);
  socket.end(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
}

void listen(server);
