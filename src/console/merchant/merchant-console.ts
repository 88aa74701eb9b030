import { hasTwoSteps } from "../../domain/identity/people/sessions.ts";
import { walletName } from "../../kernel/ids.ts";
import { forReaders } from "../../platform/database/database.ts";
import { securityPages } from "../kit/account/security.tsx";
import { resetPasswordPages } from "../kit/entrance/reset-password.tsx";
import { notFoundPage } from "../kit/gate-pages.tsx";
import type { GuestRoutes } from "../kit/guest.ts";
import { openExport } from "../kit/one-file.ts";
import { accountRoutes, modeRoutes, type Places } from "../kit/routes.ts";
import type { Capability, MemberVisit, ModeVisit } from "./access.ts";
import { businessPages } from "./account/business.tsx";
import { memberPages } from "./account/members.tsx";
import { notificationPages } from "./account/notifications.tsx";
import { beneficiaryListPages } from "./beneficiaries/beneficiaries.tsx";
import { bulkPages } from "./bulk/bulk.tsx";
import { buyPages } from "./buy/buy.tsx";
import { invitationPages } from "./entrance/accept-invitation.tsx";
import { choiceOfMerchant, merchantLogIn } from "./entrance/log-in.tsx";
import { signUpPages } from "./entrance/sign-up.tsx";
import { findPages } from "./find/find.tsx";
import { addressPages } from "./keys/addresses.tsx";
import { keyListPages } from "./keys/keys.tsx";
import { overviewPages } from "./overview/overview.tsx";
import { pricePages } from "./prices/prices.tsx";
import { errorPages } from "./requests/errors.tsx";
import { requestLogPages } from "./requests/requests.tsx";
import { sandboxPages } from "./sandbox.tsx";
import type { MerchantServices } from "./services.ts";
import { mySalesPages } from "./team/my-sales.tsx";
import { teamLogPages } from "./team/team-log.tsx";
import { teamSalesPages } from "./team/team-sales.tsx";
import { transactionListPages } from "./transactions/transactions.tsx";
import { tryPages } from "./try/try.tsx";
import { sentTransferPages } from "./wallet/sent-transfers.tsx";
import { walletPages } from "./wallet/wallet.tsx";
import { webhookPages } from "./webhooks/webhooks.tsx";

/** The merchants' pages, as a table of contents: the ways in, those of a mode, then those of the account. */
export function merchantConsole(
  guests: GuestRoutes,
  places: Places<MemberVisit, Capability>,
  given: Omit<MerchantServices, "reads" | "exportFile">,
): void {
  const exportFile = openExport<ModeVisit>({
    keyOf: ({ member }) => member.merchantId,
    nameOf: ({ wallet }, what) => `${what}-${walletName(wallet)}`,
    message: "A download for this business is already running. Wait until it’s complete, then try again.",
  });
  const services: MerchantServices = { ...given, reads: forReaders(given.database), exportFile };
  merchantLogIn(guests, services, places.realm);
  resetPasswordPages(guests, services, places.realm);
  for (const entrance of [signUpPages, invitationPages, choiceOfMerchant]) entrance(guests, services);

  const mode = modeRoutes<MemberVisit, ModeVisit, Capability>(places);
  overviewPages(mode, services);
  findPages(mode, services);
  transactionListPages(mode, services);
  walletPages(mode, services);
  sentTransferPages(mode, services);
  buyPages(mode, services);
  mySalesPages(mode, services);
  teamSalesPages(mode, services);
  bulkPages(mode, services);
  pricePages(mode, services);
  beneficiaryListPages(mode, services);
  webhookPages(mode, services);
  addressPages(mode, services);
  keyListPages(mode, services);
  requestLogPages(mode, services);
  errorPages(mode, services);
  sandboxPages(mode, services);
  tryPages(mode, services);
  mode.page("/*", { capability: "enter", show: notFoundPage });

  const account = accountRoutes(places);
  memberPages(account, services);
  businessPages(account, services);
  securityPages(account, services, {
    path: "/account/security",
    realm: "merchant",
    setUpFirst: ({ member, session }) =>
      member.needsTwoStep && !hasTwoSteps(session)
        ? `Everyone at ${member.name} uses two-step login. Set up an authenticator app or a passkey to go on.`
        : null,
  });
  notificationPages(account, services);
  teamLogPages(account, services);
  account.page("/account/*", { capability: "own_account", show: notFoundPage });
}
