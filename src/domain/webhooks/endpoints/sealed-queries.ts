import type { MerchantId } from "../../../kernel/ids.ts";
import { sealedColumn } from "../../../platform/sealing/sealed-columns.ts";
import { secretIdentity } from "./endpoint.ts";

interface Row {
  readonly merchant_id: MerchantId;
  readonly endpoint_number: number;
}

const endpoints = {
  table: "webhook_endpoints",
  key: { merchant_id: "integer", endpoint_number: "integer" },
  identity: (row: Row) => secretIdentity({ merchantId: row.merchant_id, endpointNumber: row.endpoint_number }),
} as const;

/** Where merchants' webhook secrets are, and the queries of their webhooks' URLs. */
export const webhookSecretColumns = [
  sealedColumn({ ...endpoints, name: "webhook secrets", column: "secret" }),
  sealedColumn({ ...endpoints, name: "previous webhook secrets", column: "previous_secret" }),
  sealedColumn({ ...endpoints, name: "queries of webhook URLs", column: "url_query" }),
];
