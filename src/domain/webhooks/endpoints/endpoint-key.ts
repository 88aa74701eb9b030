import type { WalletKey } from "../../../kernel/ids.ts";
import { refuse } from "../../../kernel/problems.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { type Endpoint, type EndpointKey, parseEndpointId } from "./endpoint.ts";
import { findSetEndpoint } from "./endpoints.ts";

/** The endpoint of this merchant that an id names. @throws Refusal ENDPOINT_NOT_FOUND, for another merchant's as well */
export function endpointKeyFor({ merchantId }: WalletKey, id: string): EndpointKey {
  const endpointNumber = parseEndpointId(id, { merchantId });
  if (endpointNumber === null) throw refuse("ENDPOINT_NOT_FOUND");
  return { merchantId, endpointNumber };
}

/** The endpoint that a request names. @throws Refusal ENDPOINT_NOT_FOUND, also once it was removed */
export async function endpointNamed(db: Queryable, wallet: WalletKey, id: string): Promise<Endpoint> {
  return findSetEndpoint(db, endpointKeyFor(wallet, id));
}
