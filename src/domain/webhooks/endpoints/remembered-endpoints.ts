import type { MerchantId } from "../../../kernel/ids.ts";
import { batcher } from "../../../platform/database/batcher.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { loadOnce } from "../../../platform/load-once.ts";
import type { RevisionWatch } from "../../../platform/revisions.ts";
import type { Endpoint, EndpointOwner } from "./endpoint.ts";
import { listEndpoints } from "./queries.ts";

/** Finds endpoints from memory. */
export interface Endpoints {
  /**
   * The merchant's endpoints, in the order of their numbers; removed and disabled ones may be among them. Answers at once
   * when it remembers; else a promise, which fails when the database does not answer. Never older than what the revision
   * watch vouches for (a second).
   */
  find(owner: EndpointOwner): readonly Endpoint[] | Promise<readonly Endpoint[]>;
}

// Half a kilobyte an endpoint; nearly all have one.
const merchantsMax = 50_000;
const lookupsMax = 256;
const waitingMax = 20_000;

/** Remembers merchants' endpoints until any of them changes. It asks for nothing until one is sought. */
export function openEndpoints(options: { readonly database: Queryable; readonly watch: RevisionWatch }): Endpoints {
  const { database, watch } = options;
  const held = new Map<MerchantId, readonly Endpoint[]>();
  const once = loadOnce<MerchantId, readonly Endpoint[]>(waitingMax);
  let heldRevision: bigint | null = null;

  const lookUp = batcher<EndpointOwner, readonly Endpoint[]>({
    run: (owners) => listEndpoints(database, owners),
    sizeMax: lookupsMax,
    waitingMax,
    retryMs: 0,
  });

  async function load(owner: EndpointOwner): Promise<readonly Endpoint[]> {
    if (watch.known("webhooks") === null) await watch.refresh();
    // Taken before reading: a change in between only means that it is read once more.
    const revision = watch.known("webhooks");
    const endpoints = await lookUp(owner);
    if (revision !== null && revision === watch.known("webhooks")) remember(revision, owner, endpoints);
    return endpoints;
  }

  function remember(revision: bigint, { merchantId }: EndpointOwner, endpoints: readonly Endpoint[]): void {
    if (heldRevision !== revision || held.size >= merchantsMax) held.clear();
    heldRevision = revision;
    held.set(merchantId, endpoints);
  }

  return {
    find(owner) {
      const { merchantId } = owner;
      if (heldRevision !== null && heldRevision === watch.known("webhooks")) {
        const endpoints = held.get(merchantId);
        if (endpoints !== undefined) return endpoints;
      }
      return once(merchantId, () => load(owner));
    },
  };
}
