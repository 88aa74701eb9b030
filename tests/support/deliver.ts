import {
  type Deliver,
  type Outcome,
  openDeliver,
  replyBytesKept,
  replyBytesMax,
} from "../../src/domain/webhooks/delivery/deliver.ts";
import { type Endpoint, firstEndpointOf, secretMinter } from "../../src/domain/webhooks/endpoints/endpoint.ts";
import { type DestinationRules, refusedAmong } from "../../src/domain/webhooks/endpoints/url-guard.ts";
import { guardedConnect, type ResolveName } from "../../src/platform/outbound-http/guarded-connect.ts";
import { openHttpSender } from "../../src/platform/outbound-http/http-sender.ts";
import { type Logger, openLog } from "../../src/platform/telemetry/log.ts";
import { claimTo } from "./claim-requests.ts";
import { blankEndpoint } from "./endpoints.ts";
import { walletKey } from "./wallet.ts";
import { testSecretBox } from "./webhooks.ts";

export interface DeliveryUnderTest {
  /** One attempt to this URL, as a worker makes it. */
  send(url: string, settings?: Partial<Endpoint>): Promise<Outcome>;
  /** An endpoint to send to more than once, as a process remembers it. */
  endpointAt(url: string, settings?: Partial<Endpoint>): Endpoint;
  sendTo(endpoint: Endpoint): Promise<Outcome>;
  readonly deliver: Deliver;
  close(): Promise<void>;
}

const wallet = walletKey(17);

/** As production sends, but for the times. Nothing is private unless `rules` say so. */
export function openDelivery(given: {
  readonly rules?: DestinationRules;
  readonly resolveName?: ResolveName;
  readonly deadlineMs?: number;
  readonly connectMs?: number;
  readonly authorities?: readonly string[];
  readonly connectionsMax?: number;
  readonly now?: () => number;
  readonly log?: Logger;
}): DeliveryUnderTest {
  const rules = given.rules ?? { allowPrivate: true, ownAddresses: new Set() };
  const resolveName: ResolveName = given.resolveName ?? (async () => ({ kind: "addresses", addresses: ["127.0.0.1"] }));
  const sender = openHttpSender({
    connect: guardedConnect({
      resolveName,
      refusedAmong: (addresses) => refusedAmong(addresses, rules),
      deadlineMs: given.connectMs ?? 1_000,
      ...(given.authorities === undefined ? {} : { authorities: given.authorities }),
    }),
    deadlineMs: given.deadlineMs ?? 1_000,
    replyBytesMax,
    replyBytesKept,
    connectionsMax: given.connectionsMax ?? 8,
  });
  const clock = { now: given.now ?? (() => Date.now()) };
  const deliver = openDeliver({
    sender,
    secretBox: testSecretBox,
    rules,
    clock,
    monotonicMs: () => performance.now(),
    log: given.log ?? openLog({ level: "silent" }),
  });
  const mintSecret = secretMinter({ randomness: (size) => Buffer.alloc(size, 5), secretBox: testSecretBox });
  const endpointAt: DeliveryUnderTest["endpointAt"] = (url, settings = {}) => ({
    ...blankEndpoint,
    url,
    secret: mintSecret(firstEndpointOf(wallet)).sealed,
    ...settings,
  });
  const sendTo: DeliveryUnderTest["sendTo"] = (endpoint) => {
    return deliver({ ...claimTo(wallet), body: '{"a":1}' }, endpoint);
  };
  return {
    deliver,
    send: (url, settings) => sendTo(endpointAt(url, settings)),
    endpointAt,
    sendTo,
    close: () => sender.close(),
  };
}
