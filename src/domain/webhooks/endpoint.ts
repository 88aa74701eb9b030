import type { Instant } from "../../kernel/clock.ts";
import type { Bucket, MerchantId } from "../../kernel/ids.ts";
import type { EventName } from "./event.ts";

/** The merchant that an endpoint belongs to; both modes share it. */
export interface EndpointOwner {
  readonly bucket: Bucket;
  readonly merchantId: MerchantId;
}

/** Names one endpoint of a merchant. Its number is never given to another one, not even after its removal. */
export interface EndpointKey extends EndpointOwner {
  readonly endpointNumber: number;
}

/** The endpoint that `PUT /webhook` sets. */
export const firstEndpointNumber = 1;

export function firstEndpointOf({ bucket, merchantId }: EndpointOwner): EndpointKey {
  return { bucket, merchantId, endpointNumber: firstEndpointNumber };
}

/** An endpoint as one text, for what this process keeps in maps. The claim of deliveries reads it as well. */
export function endpointName({ merchantId, endpointNumber }: Omit<EndpointKey, "bucket">): string {
  return `${merchantId}/${endpointNumber}`;
}

/** `changes`: when a purchase that was answered as pending ends. `all`: also what was final in its own response. */
export const notifications = ["changes", "all"] as const;
export type Notify = (typeof notifications)[number];

/** merchant: switched off by hand; gone: it answered 410; failing: it failed for days. */
export const disabledReasons = ["merchant", "gone", "failing"] as const;
export type DisabledReason = (typeof disabledReasons)[number];

/** Where a merchant wants its events, and which. Secrets are sealed. */
export interface Endpoint {
  readonly endpointNumber: number;
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

/** The merchant's endpoint of this number; null when it has none. */
export function endpointOfNumber(endpoints: readonly Endpoint[], endpointNumber: number): Endpoint | null {
  return endpoints.find((endpoint) => endpoint.endpointNumber === endpointNumber) ?? null;
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
