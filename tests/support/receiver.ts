import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";

/** One webhook as it came in. */
export interface Received {
  readonly at: number;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A merchant's server on a real socket. */
export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly received: readonly Received[];
  /** Most requests under way at one time. */
  readonly mostAtOnce: () => number;
  /** Resolves when so many have come; rejects after ten seconds. */
  waitFor(count: number): Promise<readonly Received[]>;
  close(): Promise<void>;
}

type Answer = (response: ServerResponse, received: Received, count: number) => void;

/** Starts a receiver that answers every request so; 200 and "OK" unless told otherwise. */
export async function startReceiver(answer: Answer = (response) => response.end("OK")): Promise<Receiver> {
  const received: Received[] = [];
  let underWay = 0;
  let most = 0;
  const listener: RequestListener = (request, response) => {
    underWay += 1;
    most = Math.max(most, underWay);
    response.on("close", () => {
      underWay -= 1;
    });
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { url: path = "", headers } = request;
      const one = { at: Date.now(), path, headers, body: Buffer.concat(chunks).toString() };
      received.push(one);
      answer(response, one, received.length);
    });
  };
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    mostAtOnce: () => most,
    waitFor: (count) => waitUntil(() => received.length >= count, `${count} webhooks`).then(() => received),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** A server that does to each connection what `misbehave` says. */
export async function startRawServer(misbehave: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    misbehave(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}/hook`,
    connections: () => sockets.size,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** Looks until it is so. @throws after `seconds` */
export async function waitUntil(isSo: () => boolean | Promise<boolean>, what: string, seconds = 30): Promise<void> {
  const deadline = performance.now() + seconds * 1_000;
  while (performance.now() < deadline) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`waited in vain for ${what}`);
}
