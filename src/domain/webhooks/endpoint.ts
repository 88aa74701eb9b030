import type { Instant } from "../../kernel/clock.ts";
import type { Bucket, MerchantId } from "../../kernel/ids.ts";
import type { EventName } from "./event.ts";

/** Of whom an endpoint is: both modes of a merchant share it. */
export interface EndpointOwner {
  readonly bucket: Bucket;
  readonly merchantId: MerchantId;
}

/** `changes`: when a purchase that was answered as pending ends. `all`: also what was final in its own response. */
export const notifications = ["changes", "all"] as const;
export type Notify = (typeof notifications)[number];

/** merchant: switched off by hand; gone: it answered 410; failing: it failed for days. */
export const disabledReasons = ["merchant", "gone", "failing"] as const;
export type DisabledReason = (typeof disabledReasons)[number];

/** Where a merchant wants its events, and which. Secrets are sealed. */
export interface Endpoint {
  /** Null: no webhook is set. */
  readonly url: string | null;
  /** `["*"]`: all of them. */
  readonly events: readonly (EventName | "*")[];
  readonly notify: Notify;
  readonly secret: string | null;
  readonly secretHint: string | null;
  readonly previousSecret: string | null;
  readonly previousSecretExpiresAt: Instant | null;
  readonly disabledAt: Instant | null;
  readonly disabledReason: DisabledReason | null;
  readonly updatedAt: Instant;
}

/** Whether anything is sent there. */
export function isOn(endpoint: Endpoint | null): boolean {
  return endpoint !== null && endpoint.url !== null && endpoint.disabledAt === null;
}

/** How a merchant could learn of something without a webhook: not at all, or from the response to its own request. */
export type How = "changed" | "final_in_own_response";

/** Whether the endpoint wants an event of this name that came about so. */
export function wants(endpoint: Endpoint | null, event: EventName, how: How): boolean {
  if (endpoint === null || !isOn(endpoint)) return false;
  if (how === "final_in_own_response" && endpoint.notify !== "all") return false;
  return endpoint.events.includes("*") || endpoint.events.includes(event);
}
