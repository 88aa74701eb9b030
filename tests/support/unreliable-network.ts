import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What happens to one request on its way. */
export type Mishap =
  /** It arrives, and its answer never does: the client waits as long as it will. */
  | "no answer"
  /** It arrives, and the connection breaks before the answer. */
  | "broken"
  /** It never arrives. */
  | "lost"
  /** Refused on the way, as the service refuses when it is stopped. */
  | "maintenance";

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Java's client asks for HTTP/2 in every first request. */
const ofOneConnection = [
  ...["host", "connection", "content-length", "transfer-encoding", "expect"],
  ...["upgrade", "http2-settings"],
];

/** Stands between two programs that speak HTTP, and does to their requests what networks do. */
export interface UnreliableNetwork {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
  /** The next requests that hold the text in address or body meet these, in turn; later ones pass. */
  harm(text: string, mishaps: readonly Mishap[]): void;
  close(): Promise<void>;
}

const maintenance = JSON.stringify({ status: "error", code: "MAINTENANCE", message: "The service is stopping." });

export async function startUnreliableNetwork(target: () => string): Promise<UnreliableNetwork> {
  const seen: SeenRequest[] = [];
  const harmed = new Map<string, Mishap[]>();

  async function pass(request: IncomingMessage, response: ServerResponse, body: string): Promise<void> {
    const { method = "GET", url = "/", headers } = request;
    seen.push({ method, url, headers, body });
    const text = [...harmed.keys()].find((part) => url.includes(part) || body.includes(part));
    const mishap = text === undefined ? undefined : harmed.get(text)?.shift();
    if (mishap === "lost") return void response.destroy();
    if (mishap === "maintenance") {
      return void response.writeHead(503, { "content-type": "application/json" }).end(maintenance);
    }
    const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !ofOneConnection.includes(name)));
    const answer = await fetch(`${target()}${url}`, {
      method,
      headers: kept as Record<string, string>,
      ...(body === "" ? {} : { body }),
    });
    const answered = await answer.text();
    if (mishap === "no answer") return;
    if (mishap === "broken") return void response.destroy();
    response.writeHead(answer.status, {
      "content-type": answer.headers.get("content-type") ?? "text/plain",
      "x-request-id": answer.headers.get("x-request-id") ?? "",
    });
    response.end(answered);
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on(
      "end",
      () => void pass(request, response, Buffer.concat(chunks).toString()).catch(() => response.destroy()),
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    harm: (text, mishaps) => void harmed.set(text, [...mishaps]),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
