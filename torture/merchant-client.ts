import { Agent, request } from "undici";
import type { ServiceProcess } from "./service-process.ts";

/** What came back. */
export interface Heard {
  /** 0: no answer. */
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the wire brought; who reads it says what it must be
  readonly body: any;
}

/** Sends requests as a merchant does, over connections that are kept. */
export interface MerchantClient {
  ask(api: ServiceProcess, key: string, path: string, body?: object): Promise<Heard>;
  close(): Promise<void>;
}

/** A process that is stopped never answers. */
const patienceMs = 10_000;

export function openMerchantClient(): MerchantClient {
  const agent = new Agent({ connections: 200, keepAliveTimeout: 4_000 });
  return {
    async ask(api, key, path, body) {
      try {
        const answer = await request(`${api.url}/api/v1/merchant${path}`, {
          dispatcher: agent,
          method: body === undefined ? "GET" : "POST",
          headers: {
            authorization: `Bearer ${key}`,
            ...(body === undefined ? {} : { "content-type": "application/json" }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(patienceMs),
        });
        const heard = await answer.body.json();
        return { status: answer.statusCode, body: heard };
      } catch {
        return { status: 0, body: null };
      }
    },
    close: () => agent.destroy(),
  };
}
