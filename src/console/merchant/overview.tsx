import { page } from "../answer.ts";
import { PageHead } from "../parts/page-head.tsx";
import type { Routes } from "../routes.ts";
import type { ModeVisit } from "../visit.ts";

export type OverviewServices = object;

/** Am I selling, how much money is left, what is broken now? */
export function overviewPages(routes: Routes<ModeVisit>, _services: OverviewServices): void {
  routes.page("/overview", {
    capability: "look",
    show: () => page("Overview", <PageHead title="Overview" />),
  });
}
