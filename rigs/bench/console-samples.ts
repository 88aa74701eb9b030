import { formatEndpointId } from "../../src/domain/webhooks/endpoints/endpoint.ts";
import { firstPurchaseIdAt } from "../../src/kernel/ids.ts";
import { statement } from "../../src/platform/database/database.ts";
import { call } from "../base/client.ts";
import type { Shop } from "../base/shop.ts";
import { firstLoggedMs, type LoadedShop } from "./console-load.ts";

/** Names that people ask for, out of what was loaded. */
export interface Samples {
  /** Purchases of the last month, scattered. */
  readonly purchases: readonly { readonly reference: string; readonly phone: string }[];
  /** An id of ours of the first of them. */
  readonly transactionId: string;
  /** A delivery in the middle of the year, and its purchase. */
  readonly delivered: { readonly id: string; readonly reference: string };
  readonly keyId: number;
  /** The endpoint that the delivery log tells of. */
  readonly endpointId: string;
  /** Of requests in the middle of the month. */
  readonly ownRequestId: string;
  readonly sentRequestId: string;
  /** A place in the log, as its address names it, in the middle of the month. */
  readonly logPlace: string;
}

const samplesMax = 2_000;

const listPurchases = statement(
  "list_sampled_purchases",
  `select p.reference, p.phone
     from purchases p
    where p.wallet_id = -$1::integer
      and p.id >= $2
      and p.channel = 'api'
      and p.reference like 'old-%'
    order by md5(p.reference)
    limit $3`,
);

const findDelivery = statement(
  "find_sampled_delivery",
  `select d.id, d.reference
     from webhook_deliveries d
    where d.wallet_id = -$1::integer and d.created_at < now() - interval '180 days'
    limit 1`,
);

const listRequests = statement(
  "list_sampled_requests",
  `select (extract(epoch from r.at) * 1000)::bigint || '.' || r.number as place,
          r.request_id as "requestId",
          r.is_request_id_sent as "isSent",
          r.key_id as "keyId"
     from request_log r
    where r.wallet_id = -$1::integer and r.at < now() - interval '15 days'
    order by r.at desc, r.number desc
    limit 500`,
);

interface SampledRequest {
  readonly place: string;
  readonly requestId: string;
  readonly isSent: boolean;
  readonly keyId: number;
}

/** Reads them, and asks the API for what it alone can tell. @throws Error where something is not there */
export async function readSamples(
  { database, service }: Pick<Shop, "database" | "service">,
  shop: LoadedShop,
): Promise<Samples> {
  const { merchantId } = shop.loaded.big;
  const purchases = await database.query<Samples["purchases"][number]>(listPurchases, [
    ...[merchantId, firstPurchaseIdAt(firstLoggedMs()), samplesMax],
  ]);
  const [delivered] = await database.query<Samples["delivered"]>(findDelivery, [merchantId]);
  const requests = await database.query<SampledRequest>(listRequests, [merchantId]);
  const own = requests.find(({ isSent }) => !isSent);
  const sent = requests.find(({ isSent }) => isSent);
  const [first] = purchases;
  if (first === undefined || delivered === undefined || own === undefined || sent === undefined) {
    throw new Error("too little was loaded");
  }
  const { body } = await call(service, shop.hot, `/transactions/${first.reference}`);
  return {
    purchases,
    transactionId: body.transaction_id,
    delivered,
    keyId: own.keyId,
    endpointId: formatEndpointId({ merchantId, endpointNumber: 1 }),
    ownRequestId: own.requestId,
    sentRequestId: sent.requestId,
    logPlace: own.place,
  };
}
