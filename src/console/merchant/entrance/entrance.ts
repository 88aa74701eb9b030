import type { GateServices } from "../../kit/gate.ts";
import type { GuestRoutes } from "../../kit/guest.ts";
import { invitationPages } from "./accept-invitation.tsx";
import { choiceOfMerchant } from "./choose-merchant.ts";
import { logInPages } from "./log-in.tsx";
import { resetPasswordPages } from "./reset-password.tsx";
import { signUpPages } from "./sign-up.tsx";

/** All pages without a log-in: the ways in. */
export function entrance(routes: GuestRoutes, services: GateServices): void {
  logInPages(routes, services);
  signUpPages(routes, services);
  resetPasswordPages(routes, services);
  invitationPages(routes, services);
  choiceOfMerchant(routes, services);
}
