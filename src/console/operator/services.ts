import type { Catalogue } from "../../domain/catalogue/catalogue.ts";
import type { Settle } from "../../domain/purchases/settle.ts";
import type { RequerySupplier } from "../../domain/resolution/requery/requery-supplier.ts";
import type { RememberedRoutes } from "../../domain/suppliers/routing/route-table.ts";
import type { Routing } from "../../domain/suppliers/routing/routing.ts";
import type { DestinationRules } from "../../domain/webhooks/endpoints/url-guard.ts";
import type { Clock, WallTime } from "../../kernel/clock.ts";
import type { TransactionIds } from "../../kernel/ids.ts";
import type { Kobo } from "../../kernel/money.ts";
import type { Database } from "../../platform/database/database.ts";
import type { ResolveName } from "../../platform/outbound-http/guarded-connect.ts";
import type { SecretBox } from "../../platform/sealing/secret-box.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import type { OpenFeed } from "../kit/feed.ts";
import type { GateServices } from "../kit/gate.ts";
import type { Export } from "../kit/one-file.ts";
import type { StaffVisit } from "./access.ts";

export interface OperatorServices extends GateServices {
  readonly database: Database;
  /** The same, for what only reads while somebody waits. */
  readonly reads: Database;
  readonly clock: Clock;
  readonly wallTime: WallTime;
  readonly exportFile: Export<StaffVisit>;
  readonly secretBox: SecretBox;
  /** Where the webhook of alerts may go. */
  readonly webhooks: { readonly rules: DestinationRules; readonly resolveName: ResolveName };
  readonly transactionIds: TransactionIds;
  /** SUPPLIER_ORIGINS: whatever a supplier's settings say, nobody else is asked. */
  readonly supplierOrigins: readonly string[];
  readonly catalogue: Catalogue;
  /** The connectors that this process has opened. */
  readonly routing: Pick<Routing, "connectorOf">;
  /** Suppliers and routes, in memory. */
  readonly routes: RememberedRoutes;
  /** Ends a purchase: what a person found out about it. */
  readonly settle: Settle;
  /** Asks a supplier what became of an attempt, now. */
  readonly requery: RequerySupplier;
  /** Why the database takes no commits; null where it does. */
  readonly findCommitBlock: () => Promise<string | null>;
  /** What one person may credit to a live wallet without another one: CREDIT_ALONE_MAX. */
  readonly creditAloneMax: Kobo;
  readonly log: Logger;
  readonly openFeed: OpenFeed;
}
