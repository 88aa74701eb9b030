import { Agent } from "undici";
import { call, type Received } from "../rig/client.ts";
import type { ServiceProcess } from "./service-process.ts";

/** Sends requests as a merchant does, over connections that are kept. */
export interface MerchantClient {
  ask(api: ServiceProcess, key: string, path: string, body?: object): Promise<Received>;
  close(): Promise<void>;
}

/** A process that is stopped never answers. */
const msMax = 10_000;

export function openMerchantClient(): MerchantClient {
  const dispatcher = new Agent({ connections: 200, keepAliveTimeout: 4_000 });
  return {
    ask: (api, key, path, body) => call(api, key, path, { msMax, dispatcher, ...(body === undefined ? {} : { body }) }),
    close: () => dispatcher.destroy(),
  };
}
