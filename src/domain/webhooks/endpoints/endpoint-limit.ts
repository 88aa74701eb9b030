import { refuse } from "../../../kernel/problems.ts";
import type { Tx } from "../../../platform/database/database.ts";
import { countLoggedEndpoints } from "../log/log-count-queries.ts";
import { type EndpointOwner, endpointsMax } from "./endpoint.ts";
import type { HeldEndpoints } from "./queries.ts";

/** Endpoints, removed ones among them, that the log may hold attempts of: a page of it looks at each. */
const loggedMax = 25;

/** @throws Refusal ENDPOINT_LIMIT_REACHED when the merchant may not have one more */
export async function requirePlace(tx: Tx, owner: EndpointOwner, { endpoints }: HeldEndpoints): Promise<void> {
  if (endpoints.filter(({ url }) => url !== null).length >= endpointsMax) throw refuse("ENDPOINT_LIMIT_REACHED");
  if ((await countLoggedEndpoints(tx, owner)) < loggedMax) return;
  throw refuse("ENDPOINT_LIMIT_REACHED", {
    message: `The delivery log holds attempts of ${loggedMax} endpoints, removed ones among them: change one instead of making another.`,
  });
}
