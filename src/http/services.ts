import type { IncomingMessage, ServerResponse } from "node:http";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from "fastify";
import type { BulkBudget } from "../domain/bulk-orders/budget.ts";
import type { PlaceBulkOrder } from "../domain/bulk-orders/place.ts";
import type { Catalogue } from "../domain/catalogue/catalogue.ts";
import type { FundingAccounts } from "../domain/funding/accounts.ts";
import type { ReceivePaymentEvent } from "../domain/funding/receive-payment-event.ts";
import type { Randomness } from "../domain/merchants/key-format.ts";
import type { Buy } from "../domain/purchases/buying/buy.ts";
import type { BuyForBeneficiary } from "../domain/purchases/buying/buy-for-beneficiary.ts";
import type { BuyUnnamed } from "../domain/purchases/buying/guard.ts";
import type { FindByReference } from "../domain/purchases/find.ts";
import type { Verify } from "../domain/purchases/verification/verify.ts";
import type { ReceiveCallback } from "../domain/resolution/callbacks/receive-callback.ts";
import type { Routing } from "../domain/suppliers/routing/routing.ts";
import type { MintSecret } from "../domain/webhooks/endpoints/endpoint.ts";
import type { DestinationRules } from "../domain/webhooks/endpoints/url-guard.ts";
import type { MintDeliveryId } from "../domain/webhooks/events/event.ts";
import type { LimitRecovery } from "../domain/webhooks/log/recover.ts";
import type { Clock, WallTime } from "../kernel/clock.ts";
import type { TransactionIds } from "../kernel/ids.ts";
import type { Database } from "../platform/database/database.ts";
import type { ResolveName } from "../platform/outbound-http/guarded-connect.ts";
import type { RevisionWatch } from "../platform/revisions.ts";
import type { SecretBox } from "../platform/sealing/secret-box.ts";
import type { Logger } from "../platform/telemetry/log.ts";
import type { Metrics } from "../platform/telemetry/metrics.ts";
import type { SecurityEvents } from "../platform/telemetry/security-events.ts";
import type { Authentication } from "./plugins/authenticate.ts";
import type { Waiting } from "./waiting.ts";

/** A server whose handlers get what their schemas accepted, typed as these say. */
export type TypedServer = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** What the routes call: the domain's acts, and what their answers are read and written with. */
export interface RouteServices extends Authentication {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly security: SecurityEvents;
  readonly database: Database;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly wallTime: WallTime;
  readonly transactionIds: TransactionIds;
  readonly secretBox: SecretBox;
  readonly catalogue: Catalogue;
  readonly routing: Pick<Routing, "reach">;
  readonly sandboxPendingSeconds: number;
  readonly buy: Buy;
  readonly buyForBeneficiary: BuyForBeneficiary;
  readonly buyUnnamed: BuyUnnamed;
  readonly verify: Verify;
  readonly placeBulkOrder: PlaceBulkOrder;
  readonly bulkBudget: BulkBudget;
  readonly yieldToEventLoop: () => Promise<void>;
  readonly findByReference: FindByReference;
  /** @throws Refusal where what was not found may be on its way */
  readonly confirmAbsence: () => Promise<void>;
  readonly receiveCallback: ReceiveCallback;
  readonly receivePaymentEvent: ReceivePaymentEvent;
  readonly fundingAccounts: Pick<FundingAccounts, "list" | "request">;
  readonly waiting: Waiting;
  readonly webhooks: {
    readonly mintDeliveryId: MintDeliveryId;
    readonly mintSecret: MintSecret;
    readonly secretBox: SecretBox;
    readonly rules: DestinationRules;
    readonly resolveName: ResolveName;
    readonly watch: Pick<RevisionWatch, "refreshAnew">;
    readonly limitRecovery: LimitRecovery;
    /** Something is owed since just now. */
    readonly wake: () => void;
  };
}
