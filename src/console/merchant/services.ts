import type { FastifyReply } from "fastify";
import type { BulkBudget } from "../../domain/bulk-orders/budget.ts";
import type { PlaceBulkOrder } from "../../domain/bulk-orders/place.ts";
import type { FundingAccounts } from "../../domain/funding/accounts.ts";
import type { BeneficiaryServices } from "../../domain/purchases/beneficiaries/beneficiaries.ts";
import type { Bought, Buy, BuyCommand } from "../../domain/purchases/buying/buy.ts";
import type { PreviewServices } from "../../domain/purchases/buying/preview.ts";
import type { FindByReference } from "../../domain/purchases/find.ts";
import type { Verify } from "../../domain/purchases/verification/verify.ts";
import type { MintSecret } from "../../domain/webhooks/endpoints/endpoint.ts";
import type { DestinationRules } from "../../domain/webhooks/endpoints/url-guard.ts";
import type { MintDeliveryId } from "../../domain/webhooks/events/event.ts";
import type { LimitRecovery } from "../../domain/webhooks/log/recover.ts";
import type { WallTime } from "../../kernel/clock.ts";
import type { TransactionIds } from "../../kernel/ids.ts";
import type { Database } from "../../platform/database/database.ts";
import type { ResolveName } from "../../platform/outbound-http/guarded-connect.ts";
import type { RevisionWatch } from "../../platform/revisions.ts";
import type { SecretBox } from "../../platform/sealing/secret-box.ts";
import type { KeyedDocuments, TryIt } from "../../site/try-it.ts";
import type { GateServices } from "../kit/gate.ts";
import type { Export } from "../kit/one-file.ts";
import type { ModeVisit } from "./access.ts";

/** What the merchants' pages ask of the service. */
export interface MerchantServices extends GateServices, BeneficiaryServices, PreviewServices {
  readonly database: Database;
  /** The same, for what only reads while somebody waits. */
  readonly reads: Database;
  readonly exportFile: Export<ModeVisit>;
  readonly wallTime: WallTime;
  /** The name of the deployment's time zone. */
  readonly timeZone: string;
  readonly secretBox: SecretBox;
  readonly transactionIds: TransactionIds;
  readonly findByReference: FindByReference;
  readonly buy: Buy;
  /** Answers a purchase as pending where the service stops before its supplier has answered. */
  readonly waiting: {
    buying(
      reply: FastifyReply,
      buy: (watch: Pick<BuyCommand, "isAwaited" | "onAccepted">) => Promise<Bought>,
    ): Promise<Bought>;
  };
  readonly verify: Verify;
  readonly fundingAccounts: Pick<FundingAccounts, "list" | "request" | "requestAs">;
  readonly placeBulkOrder: PlaceBulkOrder;
  readonly bulkBudget: BulkBudget;
  readonly yieldToEventLoop: () => Promise<void>;
  readonly webhooks: {
    readonly mintDeliveryId: MintDeliveryId;
    readonly mintSecret: MintSecret;
    readonly secretBox: SecretBox;
    readonly rules: DestinationRules;
    readonly resolveName: ResolveName;
    readonly watch: Pick<RevisionWatch, "refreshAnew">;
    readonly limitRecovery: LimitRecovery;
    readonly wake: () => void;
  };
  readonly tryIt: TryIt;
  readonly documents: KeyedDocuments;
}
