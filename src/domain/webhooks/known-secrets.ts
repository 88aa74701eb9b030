import type { Instant } from "../../kernel/clock.ts";
import type { WalletKey } from "../../kernel/ids.ts";
import type { Queryable } from "../../platform/database/database.ts";
import { type SecretBox, Unopenable } from "../../platform/sealing/secret-box.ts";
import { type Endpoint, type EndpointKey, formatEndpointId, openSecret } from "./endpoints/endpoint.ts";
import { listSetEndpoints } from "./endpoints/endpoints.ts";
import { signatureHeaders } from "./endpoints/signature.ts";
import type { DeliveryId } from "./events/event.ts";
import { findDelivery, findDeliveryBody } from "./log/delivery-queries.ts";

/** A secret that is never told: what it is called may be. */
export interface KnownSecret {
  readonly secret: string;
  readonly name: string;
}

/** All secrets of a merchant's endpoints, to see which of them made a signature. Those whose key is lost are left out. */
export async function listKnownSecrets(
  services: { readonly database: Queryable; readonly secretBox: SecretBox },
  wallet: WalletKey,
): Promise<readonly KnownSecret[]> {
  const endpoints = await listSetEndpoints(services.database, wallet);
  return endpoints.flatMap((endpoint) => {
    const key = { ...wallet, endpointNumber: endpoint.endpointNumber };
    const id = formatEndpointId(key);
    return [
      ...named(services.secretBox, key, endpoint.secret, `the present secret of ${id}, ${endpoint.secretHint}`),
      ...named(services.secretBox, key, endpoint.previousSecret, `the secret of ${id} before its last rotation`),
    ];
  });
}

/** A delivery as a receiver gets it: body and signed headers of this moment. */
export interface SignedExample {
  readonly body: string;
  readonly headers: ReturnType<typeof signatureHeaders>;
}

/**
 * A delivery of the wallet, signed anew by the present secret of its endpoint as an attempt of this moment would be. Null
 * where it is not the wallet's, its body is not kept any more, or its endpoint has no secret that opens.
 */
export async function signExample(
  services: { readonly database: Queryable; readonly secretBox: SecretBox },
  wallet: WalletKey,
  id: DeliveryId,
  now: Instant,
): Promise<SignedExample | null> {
  const delivery = await findDelivery(services.database, wallet, id);
  const body = await findDeliveryBody(services.database, wallet, id);
  if (delivery === null || body === null) return null;
  const endpoint = (await listSetEndpoints(services.database, wallet)).find(isItsOwn(delivery.endpointNumber));
  const key = { ...wallet, endpointNumber: delivery.endpointNumber };
  const [present] = named(services.secretBox, key, endpoint?.secret ?? null, "present");
  if (present === undefined) return null;
  const message = { id, timestampSeconds: Math.floor(now / 1_000), body };
  return { body, headers: signatureHeaders(message, [present.secret]) };
}

function isItsOwn(endpointNumber: number) {
  return (endpoint: Endpoint) => endpoint.endpointNumber === endpointNumber;
}

function named(secretBox: SecretBox, key: EndpointKey, sealed: string | null, name: string): KnownSecret[] {
  if (sealed === null) return [];
  try {
    return [{ secret: openSecret(secretBox, key, sealed), name }];
  } catch (error) {
    if (!(error instanceof Unopenable)) throw error;
    return [];
  }
}
