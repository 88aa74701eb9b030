import type { Authentication } from "../http/plugins/authenticate.ts";
import type { RouteServices } from "../http/services.ts";
import type { Waiting } from "../http/waiting.ts";

/** What the legacy endpoints call. */
export interface LegacyServices
  extends Authentication,
    Pick<RouteServices, "log" | "metrics" | "database" | "clock" | "wallTime" | "secretBox" | "catalogue" | "routing">,
    Pick<RouteServices, "sandboxPendingSeconds" | "buy" | "buyUnnamed" | "verify"> {
  readonly waiting: Pick<Waiting, "holding" | "asking">;
}
