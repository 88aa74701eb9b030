import { setTimeout as delay } from "node:timers/promises";
import { type AnsweringServer, startAnswering } from "./answering-server.ts";
import type { Fields } from "./legacy-endpoint.ts";

/** A request as an older deployment got it. */
export interface OldRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** How an older deployment answers. */
export interface OldReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body: string | Buffer;
  readonly afterMs?: number;
  /** Half of the body, and then the connection ends. */
  readonly isCut?: boolean;
}

export interface OldScript extends AnsweringServer {
  readonly requests: OldRequest[];
  readonly url: string;
}

/** An older deployment on a socket of its own. */
export async function startOldScript(answer: (request: OldRequest) => OldReply): Promise<OldScript> {
  const requests: OldRequest[] = [];
  const server = await startAnswering(async (incoming, outgoing) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const { method = "", url = "", headers } = incoming;
    const request = { method, url, headers, body: Buffer.concat(parts).toString() };
    requests.push(request);
    const {
      status = 201,
      headers: sent = { "content-type": "application/json" },
      body,
      afterMs,
      isCut,
    } = answer(request);
    if (afterMs !== undefined) await delay(afterMs);
    outgoing.writeHead(status, { ...sent, "content-length": Buffer.byteLength(body) });
    if (!isCut) return void outgoing.end(body);
    outgoing.write(body.slice(0, Math.floor(body.length / 2)), () => setTimeout(() => outgoing.destroy(), 20));
  });
  return { ...server, requests, url: `http://127.0.0.1:${server.port}` };
}

let sales = 0;

/** A sale's answer as the Django panels of this family write it: naira with their sign, and balances by floats. */
export function soldByScript(charged: number, own: Fields): Fields {
  sales += 1;
  const before = 1_000_000.1 + sales;
  return {
    id: 52_000 + sales,
    ident: `2026112820${sales}`,
    ...{ balance_before: `${before}`, balance_after: `${before - charged}` },
    ...{ Status: "successful", api_response: "", create_date: "2026-11-28T20:01:02.123456" },
    ...own,
  };
}

/** A purchase that never was one. */
export const refusedByScript = (error: string): Fields => ({ error: [error] });
