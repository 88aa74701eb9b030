import { endView, openView } from "../../../domain/members/views/views.ts";
import { goTo } from "../../kit/answer.tsx";
import { clearCookie, setCookie } from "../../kit/session-cookies.ts";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import type { OperatorServices } from "../services.ts";
import { merchantAt, merchantPath } from "./found-merchant.ts";

/** Begins and ends a look at a merchant's dashboard: the merchants' console shows it by a cookie that only reads. */
export function viewPages(routes: StaffRoutes, services: OperatorServices): void {
  const { people } = services;
  const atIt = (visit: StaffVisit) => `/operator/merchants/${visit.param("id")}`;
  routes.form("/operator/merchants/:id/view", {
    capability: "view_as_merchant",
    doneAt: atIt,
    show: (visit) => goTo(atIt(visit)),
    async send(visit) {
      const { id } = await merchantAt(services, visit);
      const token = await openView(people, { session: visit.session, merchantId: id });
      setCookie(visit.reply, visit.place, "viewing", token);
      return goTo("/live/overview");
    },
  });

  const list = "/operator/merchants";
  routes.form("/operator/views/end", {
    capability: "view_as_merchant",
    doneAt: () => list,
    show: () => goTo(list),
    async send({ session, reply, place }) {
      const id = await endView(people, session);
      clearCookie(reply, place, "viewing");
      return id === null ? goTo(list) : goTo(merchantPath(id), "You’ve stopped viewing.");
    },
  });
}
