import { hasTwoSteps } from "../../domain/identity/people/sessions.ts";
import { forReaders } from "../../platform/database/database.ts";
import { securityPages } from "../kit/account/security.tsx";
import { logInPages } from "../kit/entrance/log-in.tsx";
import { resetPasswordPages } from "../kit/entrance/reset-password.tsx";
import { feedsOf } from "../kit/feed.ts";
import { notFoundPage } from "../kit/gate-pages.tsx";
import type { GuestRoutes } from "../kit/guest.ts";
import { openExport } from "../kit/one-file.ts";
import { accountRoutes, type Places } from "../kit/routes.ts";
import type { Capability, StaffRoutes, StaffVisit } from "./access.ts";
import { alertPages } from "./alerts/alerts.tsx";
import { approvalPages } from "./approvals/approvals.tsx";
import { auditPages } from "./audit/audit.tsx";
import { companyPages } from "./company/company.tsx";
import { emailPages } from "./company/emails.tsx";
import { joinPages } from "./entrance/join.tsx";
import { merchantChangePages } from "./merchants/changes.tsx";
import { liveAccessPages } from "./merchants/live-access.tsx";
import { merchantPages } from "./merchants/merchant.tsx";
import { merchantListPages } from "./merchants/merchants.tsx";
import { newMerchant } from "./merchants/new-merchant.tsx";
import { peoplePages } from "./merchants/people.tsx";
import { statementPages } from "./merchants/statement.tsx";
import { viewPages } from "./merchants/view.ts";
import { announcedPages } from "./money/announced.tsx";
import { bankImportPages } from "./money/bank-import.tsx";
import { bankLinePages } from "./money/bank-line.tsx";
import { bankLineListPages } from "./money/bank-lines.tsx";
import { bookingPages } from "./money/booking-form.tsx";
import { bookPages } from "./money/books.tsx";
import { moneyPages } from "./money/money.tsx";
import { undoCreditPages } from "./money/undo-credit.tsx";
import { movePages } from "./moving-in/moves.tsx";
import { paymentPages } from "./payments/payment.tsx";
import { paymentListPages } from "./payments/payments.tsx";
import { paymentProviderPages } from "./payments/providers.tsx";
import { billerPages } from "./prices/billers.tsx";
import { priceChangePages } from "./prices/change.tsx";
import { priceChangeListPages } from "./prices/changes.tsx";
import { productAddition } from "./prices/new-product.tsx";
import { pricePages } from "./prices/prices.tsx";
import { productPages } from "./prices/product.tsx";
import { ratePages } from "./prices/rates.tsx";
import { openPriceTable } from "./prices/table.ts";
import { priceUploadPages } from "./prices/upload.tsx";
import { securityPath } from "./realm.tsx";
import { keptDifferencePages } from "./reconciliation/kept-differences.tsx";
import { reconciliationPages } from "./reconciliation/reconciliation.tsx";
import { closedDayPages } from "./reports/closed-days.tsx";
import { reportPages } from "./reports/reports.tsx";
import { fromStatementPages } from "./review/from-statement.tsx";
import { incidentPages } from "./review/incidents.tsx";
import { reviewPages } from "./review/review.tsx";
import { severalPages } from "./review/several.tsx";
import { explainPages } from "./routes/explain.tsx";
import { importPages } from "./routes/import.tsx";
import { productRoutePages } from "./routes/product-routes.tsx";
import { routePages } from "./routes/route.tsx";
import { routeListPages } from "./routes/routes.tsx";
import { salePages } from "./sales/sale.tsx";
import { saleListPages } from "./sales/sales.tsx";
import { searchPages } from "./search/search.tsx";
import type { OperatorServices } from "./services.ts";
import { settingPages } from "./settings/settings.tsx";
import { staffPages } from "./staff/staff.tsx";
import { accountPages } from "./suppliers/account.tsx";
import { priceListPages } from "./suppliers/price-list.tsx";
import { supplierPages } from "./suppliers/supplier.tsx";
import { supplierListPages } from "./suppliers/suppliers.tsx";
import { todayPages } from "./today/today.tsx";
import { voucherImportPages } from "./vouchers/import.tsx";
import { voucherImportedPages } from "./vouchers/imported.tsx";
import { voucherProductPages } from "./vouchers/product.tsx";
import { voucherPages } from "./vouchers/vouchers.tsx";

/** Pages behind the login, each with its forms. */
const pages: readonly ((routes: StaffRoutes, services: OperatorServices) => void)[] = [
  ...[todayPages, searchPages, saleListPages, salePages, reviewPages, fromStatementPages, severalPages, approvalPages],
  ...[merchantListPages, merchantPages, merchantChangePages, newMerchant.addTo, peoplePages, liveAccessPages],
  ...[
    statementPages,
    viewPages,
    moneyPages,
    bookingPages,
    undoCreditPages,
    bankLineListPages,
    bankLinePages,
    bankImportPages,
    announcedPages,
    bookPages,
    incidentPages,
    reconciliationPages,
    keptDifferencePages,
  ],
  ...[paymentListPages, paymentPages, paymentProviderPages],
  ...[reportPages, closedDayPages, supplierListPages, supplierPages, accountPages, priceListPages, routeListPages],
  ...[importPages, productRoutePages, explainPages, routePages, voucherPages, voucherProductPages],
  ...[voucherImportPages, voucherImportedPages, priceChangeListPages, productAddition.addTo, ratePages],
  ...[movePages, staffPages, alertPages, companyPages, settingPages, emailPages, auditPages],
];

/** Pages that look at all prices, in memory. */
const pagesOfPrices = [pricePages, priceUploadPages, priceChangePages, productPages, billerPages];

/** The company's pages, as a table of contents: the ways in, then those behind the login. */
export function operatorConsole(
  guests: GuestRoutes,
  places: Places<StaffVisit, Capability>,
  given: Omit<OperatorServices, "reads" | "openFeed" | "exportFile">,
): void {
  const exportFile = openExport<StaffVisit>({
    keyOf: ({ session }) => session.person.id,
    nameOf: (_, what) => what,
    message: "Your last download is still running. Wait until it’s complete, then ask again.",
  });
  const services: OperatorServices = {
    ...given,
    reads: forReaders(given.database),
    openFeed: feedsOf(places.app),
    exportFile,
  };
  logInPages(guests, services, places.realm);
  resetPasswordPages(guests, services, places.realm);
  joinPages(guests, services);

  const routes = accountRoutes(places);
  for (const add of pages) add(routes, services);
  const readPrices = openPriceTable(services);
  for (const add of pagesOfPrices) add(routes, services, readPrices);
  securityPages(routes, services, {
    path: securityPath,
    realm: "staff",
    setUpFirst: ({ session }) =>
      hasTwoSteps(session)
        ? null
        : "Everyone in the company uses two-step login. Set up an authenticator app or a passkey to go on.",
  });
  routes.page("/operator/*", { capability: "own_account", show: notFoundPage });
}
