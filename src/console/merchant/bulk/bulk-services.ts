import type { BulkBudget } from "../../../domain/bulk-orders/budget.ts";
import type { PlaceBulkOrder } from "../../../domain/bulk-orders/place.ts";
import type { Catalogue } from "../../../domain/catalogue/catalogue.ts";
import type { Clock, WallTime } from "../../../kernel/clock.ts";
import type { TransactionIds } from "../../../kernel/ids.ts";
import type { Database } from "../../../platform/database/database.ts";

export interface BulkPageServices {
  readonly database: Database;
  readonly catalogue: Catalogue;
  readonly placeBulkOrder: PlaceBulkOrder;
  readonly bulkBudget: BulkBudget;
  readonly transactionIds: TransactionIds;
  readonly clock: Clock;
  readonly wallTime: WallTime;
  readonly yieldToEventLoop: () => Promise<void>;
  readonly timeZone: string;
}
