import { isLinkGood } from "../../../domain/identity/people/one-time-tokens.ts";
import { mintToken } from "../../../domain/identity/people/sessions.ts";
import { logInByLink } from "../../../domain/members/log-in-link.ts";
import { noteLogIn } from "../../../domain/members/log-ins.ts";
import { membershipsOf } from "../../../domain/members/membership.ts";
import { formatMerchantId } from "../../../domain/merchants/merchant.ts";
import { goBack, goTo } from "../../kit/answer.tsx";
import { tokenPage } from "../../kit/entrance/links.tsx";
import { logInPages } from "../../kit/entrance/log-in.tsx";
import type { GateServices } from "../../kit/gate.ts";
import type { GuestRoutes } from "../../kit/guest.ts";
import type { RealmEntrance } from "../../kit/realm.ts";
import { readCookie, setCookie } from "../../kit/session-cookies.ts";
import { expiredLinkPage, homeOf } from "./links.tsx";

/** The log-in of merchants' people, by a link as well. */
export function merchantLogIn(routes: GuestRoutes, services: GateServices, realm: RealmEntrance): void {
  const { people, publicUrl } = services;
  const inAfter = logInPages(routes, services, {
    ...realm,
    homeOf: (person) => homeOf(services, person),
    async noteLogIn({ request, reply, place, source, origin }, person) {
      const device = readCookie(request, place, "device") ?? mintToken(people);
      await noteLogIn(people, { person, device, source, origin, publicUrl: publicUrl ?? place.local });
      setCookie(reply, place, "device", device);
    },
  });

  routes.page("/log-in/link", async ({ query }) => {
    const token = query.get("token") ?? "";
    if (!(await isLinkGood(people, "log_in", token))) return expiredLinkPage();
    return tokenPage({ title: "Log in with this link", action: "/log-in/link", token, submit: "Log in" });
  });

  routes.form("/log-in/link", async (guest) => {
    const { form, origin } = guest;
    const attempt = await logInByLink(people, { token: form.raw("token"), origin });
    return attempt.kind === "in" ? inAfter(guest, attempt) : expiredLinkPage();
  });
}

/**
 * Goes on with another of the person's merchants, which this browser remembers: what is shown from now on is about it. No
 * form of the one that was chosen before, so it is none of the pages behind the gate.
 */
export function choiceOfMerchant(routes: GuestRoutes, { people }: GateServices): void {
  routes.form("/account/choose", async ({ session, form, reply, place }) => {
    if (session?.level !== "second_factor") return goTo("/log-in");
    const memberships = await membershipsOf(people.database, session.person.id);
    const chosen = form.text("merchant");
    const isMember = memberships.some(({ merchantId }) => formatMerchantId(merchantId) === chosen);
    if (!isMember) return goBack("/live/overview", "You don’t belong to that business.");
    setCookie(reply, place, "chosen", chosen);
    return goTo("/live/overview");
  });
}
