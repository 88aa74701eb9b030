import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** How often each mishap happened. */
type Mishaps = Record<"lost" | "broken" | "held" | "delayed" | "repeated" | "busy" | "stopping", number>;

/** Of a hundred requests, how many meet which mishap; the others pass. */
const shares: Mishaps = { lost: 5, broken: 6, held: 2, delayed: 6, repeated: 5, busy: 3, stopping: 3 };

const refusals = {
  busy: { status: 429, body: { status: "error", code: "RATE_LIMITED", message: "Too many requests." } },
  stopping: { status: 503, body: { status: "error", code: "MAINTENANCE", message: "The service is stopping." } },
} as const;

export interface Chaos {
  readonly url: string;
  readonly mishaps: Readonly<Mishaps>;
  close(): Promise<void>;
}

/** A network on which requests and answers meet mishaps by chance. `random` gives 0 to 1. */
export async function startChaos(target: string, random: () => number): Promise<Chaos> {
  const mishaps: Mishaps = { lost: 0, broken: 0, held: 0, delayed: 0, repeated: 0, busy: 0, stopping: 0 };

  function draw(): keyof Mishaps | null {
    let at = random() * 100;
    for (const [name, share] of Object.entries(shares)) {
      if (at < share) {
        mishaps[name as keyof Mishaps] += 1;
        return name as keyof Mishaps;
      }
      at -= share;
    }
    return null;
  }

  async function pass(request: IncomingMessage, response: ServerResponse, body: string): Promise<void> {
    const send = () =>
      fetch(`${target}${request.url}`, {
        method: request.method ?? "GET",
        headers: {
          authorization: request.headers.authorization ?? "",
          ...(body === "" ? {} : { "content-type": "application/json" }),
        },
        ...(body === "" ? {} : { body }),
      });
    const mishap = draw();
    if (mishap === "lost") return void response.destroy();
    if (mishap === "busy" || mishap === "stopping") {
      const { status, body: refusal } = refusals[mishap];
      return void response
        .writeHead(status, { "content-type": "application/json", "retry-after": "0" })
        .end(JSON.stringify(refusal));
    }
    // A middlebox that sends again: the first answer is thrown away.
    if (mishap === "repeated") await Promise.all([send().then((answer) => answer.text()), delay(5)]);
    const answer = await send();
    const text = await answer.text();
    if (mishap === "held") return;
    if (mishap === "broken") return void response.destroy();
    if (mishap === "delayed") await delay(200 + random() * 800);
    const retryAfter = answer.headers.get("retry-after");
    response.writeHead(answer.status, {
      "content-type": "application/json",
      ...(retryAfter === null ? {} : { "retry-after": retryAfter }),
    });
    response.end(text);
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      pass(request, response, Buffer.concat(chunks).toString()).catch(() => response.destroy());
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mishaps,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
