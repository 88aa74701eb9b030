import type { Instant } from "../../../kernel/clock.ts";
import type { MerchantId } from "../../../kernel/ids.ts";
import type { Mode } from "../../../kernel/mode.ts";
import type { EventName } from "../events/event.ts";

/** The merchant that an endpoint belongs to. */
export interface EndpointOwner {
  readonly merchantId: MerchantId;
}

/** Names one endpoint of a merchant. Its number is never given to another one, not even after its removal. */
export interface EndpointKey extends EndpointOwner {
  readonly endpointNumber: number;
}

/** The endpoint that `PUT /webhook` sets. */
export const firstEndpointNumber = 1;

export function firstEndpointOf({ merchantId }: EndpointOwner): EndpointKey {
  return { merchantId, endpointNumber: firstEndpointNumber };
}

/** An endpoint as one text, for what this process keeps in maps. The claim of deliveries reads it as well. */
export function endpointName({ merchantId, endpointNumber }: EndpointKey): string {
  return `${merchantId}/${endpointNumber}`;
}

/** How many a merchant may have at one time. */
export const endpointsMax = 5;

/** `changes`: when a purchase that was answered as pending ends. `all`: also what was final in its own response. */
export const notifications = ["changes", "all"] as const;
export type Notify = (typeof notifications)[number];

/** The mode whose events an endpoint gets. */
export const endpointModes = ["live", "test", "both"] as const;
export type EndpointMode = (typeof endpointModes)[number];

/** merchant: switched off by hand; gone: it answered 410; failing: it failed for days. */
export const disabledReasons = ["merchant", "gone", "failing"] as const;
export type DisabledReason = (typeof disabledReasons)[number];

/** Where a merchant wants its events, and which. Secrets are sealed. */
export interface Endpoint {
  readonly endpointNumber: number;
  /** Up to its query; null: no webhook is set. `wholeUrl` puts the two together. */
  readonly url: string | null;
  /** The rest of the URL from its question mark on, sealed; null where it has none. */
  readonly urlQuery: string | null;
  /** Raised by every other URL: says which one an attempt went to. */
  readonly urlVersion: number;
  readonly mode: EndpointMode;
  /** The merchant's own words. */
  readonly description: string | null;
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

/** Whether its URL is set and nobody switched it off. */
export function isOn(endpoint: Endpoint | null): boolean {
  return endpoint !== null && endpoint.url !== null && endpoint.disabledAt === null;
}

/** Whether anything of this mode is sent there. */
export function isOnFor(mode: Mode, endpoint: Endpoint | null): boolean {
  return isOn(endpoint) && (endpoint?.mode === "both" || endpoint?.mode === mode);
}

/** How a merchant could learn of something without a webhook: not at all, or from the response to its own request. */
export type How = "changed" | "final_in_own_response";

/** Something that an endpoint may want to hear of. */
export interface Telling {
  readonly mode: Mode;
  readonly event: EventName;
  readonly how: How;
}

/** Whether the endpoint wants an event of this name and mode that came about so. */
export function wants(endpoint: Endpoint, { mode, event, how }: Telling): boolean {
  if (!isOnFor(mode, endpoint)) return false;
  if (how === "final_in_own_response" && endpoint.notify !== "all") return false;
  return endpoint.events.includes("*") || endpoint.events.includes(event);
}

export const endpointIdPattern = "^whe_[0-9a-z]{2,20}$";

/** Letters that stand between the two numbers; base 30 writes none of them. */
const between = "x";
const base = 30;

/** The public name of an endpoint. Follows from its key, so that the log can name one that was removed. */
export function formatEndpointId({ merchantId, endpointNumber }: EndpointKey): string {
  return `whe_${merchantId.toString(base)}${between}${endpointNumber.toString(base)}`;
}

/** The number of this merchant's endpoint; null for another merchant's, and for what is no id. */
export function parseEndpointId(text: string, { merchantId }: Pick<EndpointKey, "merchantId">): number | null {
  const endpointNumber = Number.parseInt(text.slice(text.indexOf(between) + 1), base);
  if (!(endpointNumber > 0 && endpointNumber <= 2_147_483_647)) return null;
  return formatEndpointId({ merchantId, endpointNumber }) === text ? endpointNumber : null;
}
