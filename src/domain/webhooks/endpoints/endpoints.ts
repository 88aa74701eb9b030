import type { WalletKey } from "../../../kernel/ids.ts";
import { refuse } from "../../../kernel/problems.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import {
  type Endpoint,
  type EndpointKey,
  type EndpointOwner,
  endpointOfNumber,
  firstEndpointNumber,
  parseEndpointId,
} from "./endpoint.ts";
import { deleteFailing } from "./failing/failing-queries.ts";
import { deleteEndpoint, insertEndpoint, listEndpoints, listEndpointsForUpdate } from "./queries.ts";
import {
  changeEndpoints,
  requirePlace,
  type SavedEndpoint,
  type SettingsChange,
  type SettingsServices,
  saveSettings,
  storeChange,
} from "./settings.ts";

/** A merchant's endpoints that have a URL, in the order of their numbers. */
export async function listSetEndpoints(db: Queryable, owner: EndpointOwner): Promise<readonly Endpoint[]> {
  const [endpoints = []] = await listEndpoints(db, [owner]);
  return endpoints.filter(({ url }) => url !== null);
}

/** @throws Refusal ENDPOINT_NOT_FOUND */
export async function findSetEndpoint(db: Queryable, key: EndpointKey): Promise<Endpoint> {
  const endpoint = endpointOfNumber(await listSetEndpoints(db, key), key.endpointNumber);
  if (endpoint === null) throw refuse("ENDPOINT_NOT_FOUND");
  return endpoint;
}

/**
 * Makes one more endpoint, with a secret of its own. A merchant's very first one is the one of `PUT /webhook`; later ones
 * get the next number. Locks the merchant's endpoints. Not safe to repeat: every call makes another.
 * @throws Refusal INVALID_WEBHOOK_URL, ENDPOINT_LIMIT_REACHED
 */
export function createEndpoint(
  services: SettingsServices,
  owner: EndpointOwner,
  change: SettingsChange & { readonly url: string },
): Promise<SavedEndpoint> {
  return changeEndpoints(services, change.url, async (tx) => {
    const locked = await listEndpointsForUpdate(tx, owner);
    await requirePlace(tx, owner, locked);
    const { merchantId } = owner;
    const endpointNumber = locked.isNew ? firstEndpointNumber : locked.lastEndpointNumber + 1;
    const key = { merchantId, endpointNumber };
    return storeChange(tx, services, key, { before: await insertEndpoint(tx, key), requested: change });
  });
}

/** Changes an endpoint that has a URL. @throws as `saveSettings` */
export async function changeEndpoint(
  services: SettingsServices,
  key: EndpointKey,
  change: SettingsChange,
): Promise<SavedEndpoint> {
  await findSetEndpoint(services.database, key);
  return saveSettings(services, key, change);
}

/**
 * Removes an endpoint. What is still owed to it is forgotten by whoever claims it; its deliveries stay in the log. Locks
 * the merchant's endpoints. @throws Refusal ENDPOINT_NOT_FOUND
 */
export async function removeEndpoint(services: SettingsServices, key: EndpointKey): Promise<void> {
  await findSetEndpoint(services.database, key);
  if (key.endpointNumber === firstEndpointNumber) {
    await saveSettings(services, key, removal);
    return;
  }
  await changeEndpoints(services, null, async (tx) => {
    await listEndpointsForUpdate(tx, key);
    await deleteEndpoint(tx, key);
    await deleteFailing(tx, key);
  });
}

const removal: SettingsChange = {
  url: null,
  enabled: undefined,
  events: undefined,
  notify: undefined,
  mode: undefined,
  description: undefined,
  rotateSecret: false,
  overlapHours: undefined,
};

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
