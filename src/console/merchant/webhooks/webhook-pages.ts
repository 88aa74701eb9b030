import type { Routes } from "../../kit/routes.ts";
import type { ModeVisit } from "../../kit/visit.ts";
import { deliveryPages } from "./delivery-pages.tsx";
import { endpointPages } from "./endpoint-pages.tsx";
import { examplePages } from "./example-pages.tsx";
import { recoverPages } from "./recover-pages.tsx";
import { testerPages } from "./tester-pages.tsx";
import { webhookOverview } from "./webhook-overview.tsx";
import type { WebhookPageServices } from "./webhook-services.ts";

/** Is my endpoint healthy, what waits until when, and why does my signature fail? */
export function webhookPages(routes: Routes<ModeVisit>, services: WebhookPageServices): void {
  webhookOverview(routes, services);
  endpointPages(routes, services);
  deliveryPages(routes, services);
  recoverPages(routes, services);
  examplePages(routes, services);
  testerPages(routes, services);
}
