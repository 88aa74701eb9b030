import { notFoundPage } from "../kit/gate-pages.tsx";
import type { ModeRoutes, Routes } from "../kit/routes.ts";
import type { Visit } from "../kit/visit.ts";
import { businessPages } from "./account/business.tsx";
import { type MemberPageServices, memberPages } from "./account/members.tsx";
import { securityPages } from "./account/security.tsx";
import { type BeneficiaryPageServices, beneficiaryPages } from "./beneficiaries/beneficiaries.tsx";
import { bulkPages } from "./bulk/bulk.tsx";
import type { BulkPageServices } from "./bulk/bulk-services.ts";
import { buyPages } from "./buy/buy.tsx";
import type { BuyPageServices } from "./buy/buy-services.ts";
import { type AddressPageServices, addressPages } from "./keys/addresses.tsx";
import { type KeyPageServices, keyPages } from "./keys/keys.tsx";
import { type OverviewServices, overviewPages } from "./overview.tsx";
import { type PricePageServices, pricePages } from "./prices/prices.tsx";
import { type ErrorPageServices, errorPages } from "./requests/errors.tsx";
import { type RequestPageServices, requestPages } from "./requests/requests.tsx";
import { type SandboxPageServices, sandboxPages } from "./sandbox.tsx";
import { type TransactionPageServices, transactionPages } from "./transactions.tsx";
import { tryPages } from "./try/try.tsx";
import type { TryPageServices } from "./try/try-services.ts";
import { type WalletPageServices, walletPages } from "./wallet/wallet.tsx";
import { webhookPages } from "./webhooks/webhook-pages.ts";
import type { WebhookPageServices } from "./webhooks/webhook-services.ts";

export type MerchantPageServices = OverviewServices &
  TransactionPageServices &
  WalletPageServices &
  KeyPageServices &
  AddressPageServices &
  RequestPageServices &
  ErrorPageServices &
  SandboxPageServices &
  TryPageServices &
  MemberPageServices &
  BuyPageServices &
  BulkPageServices &
  BeneficiaryPageServices &
  PricePageServices &
  WebhookPageServices;

/** The merchants' pages, as a table of contents: those of a mode, then those of the account. */
export function merchantConsole(mode: ModeRoutes, account: Routes<Visit>, services: MerchantPageServices): void {
  overviewPages(mode, services);
  transactionPages(mode, services);
  walletPages(mode, services);
  buyPages(mode, services);
  bulkPages(mode, services);
  pricePages(mode, services);
  beneficiaryPages(mode, services);
  webhookPages(mode, services);
  addressPages(mode, services);
  keyPages(mode, services);
  requestPages(mode, services);
  errorPages(mode, services);
  sandboxPages(mode, services);
  tryPages(mode, services);

  memberPages(account, services);
  businessPages(account, services);
  securityPages(account, services);

  mode.page("/*", { capability: "look", show: notFoundPage });
  account.page("/account/*", { capability: "own_account", show: notFoundPage });
}
