import { membershipsOf } from "../../../domain/members/membership.ts";
import { formatMerchantId } from "../../../domain/merchants/merchant.ts";
import { goBack, goTo } from "../../kit/answer.tsx";
import type { GateServices } from "../../kit/gate.ts";
import type { GuestRoutes } from "../../kit/guest.ts";
import { setCookie } from "../../kit/session-cookies.ts";

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
    if (!isMember) return goBack("/live/overview", "You are no member of that business.");
    setCookie(reply, place, "chosen", chosen);
    return goTo("/live/overview");
  });
}
