import type { Queryable } from "../../../platform/database/database.ts";
import { type RememberedEach, type RevisionWatch, rememberEach } from "../../../platform/revisions.ts";
import type { Endpoint, EndpointOwner } from "./endpoint.ts";
import { listEndpoints } from "./queries.ts";

/** Finds a merchant's endpoints, in the order of their numbers; removed and disabled ones may be among them. */
export type Endpoints = Pick<RememberedEach<EndpointOwner, readonly Endpoint[]>, "find">;

/** Remembers merchants' endpoints until any of them changes. It asks for nothing until one is sought. */
export function openEndpoints(options: { readonly database: Queryable; readonly watch: RevisionWatch }): Endpoints {
  return rememberEach({
    watch: options.watch,
    subject: "webhooks",
    nameOf: ({ merchantId }) => merchantId,
    readAll: (owners) => listEndpoints(options.database, owners),
    // Half a kilobyte an endpoint; nearly all have one.
    valuesMax: 50_000,
  });
}
