import { assert } from "../../kernel/assert.ts";
import type { Instant } from "../../kernel/clock.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { type Queryable, statement } from "../../platform/database/database.ts";
import type { FeeBearer } from "./payment.ts";

/** A payment provider as it is stored, its credentials sealed. */
export interface PaymentProvider {
  readonly name: string;
  readonly connector: string;
  readonly settings: JsonObject;
  readonly credentials: string | null;
  readonly state: "enabled" | "disabled";
  readonly feeBearer: FeeBearer;
}

const providerColumns = `v.name, v.connector, v.settings, v.credentials, v.state, v.fee_bearer as "feeBearer"`;

const listProviders = statement(
  "list_payment_providers",
  `select ${providerColumns}
     from payment_providers v
    order by v.name`,
);

/** All of them, by name. */
export function listPaymentProviders(db: Queryable): Promise<PaymentProvider[]> {
  return db.query<PaymentProvider>(listProviders);
}

const insertProvider = statement(
  "insert_payment_provider",
  `insert into payment_providers as v (name, connector, settings, credentials, fee_bearer)
   values ($1, $2, $3, $4, $5)
   on conflict (name) do update
      set settings = excluded.settings,
          credentials = coalesce(excluded.credentials, v.credentials),
          fee_bearer = excluded.fee_bearer
   returning ${providerColumns}`,
);

/** Adds a provider, or replaces its settings and, where some are given, its credentials. Safe to repeat. */
export async function insertPaymentProvider(
  db: Queryable,
  provider: Pick<PaymentProvider, "name" | "connector" | "settings" | "credentials" | "feeBearer">,
): Promise<PaymentProvider> {
  const { name, connector, settings, credentials, feeBearer } = provider;
  const values = [name, connector, JSON.stringify(settings), credentials, feeBearer];
  const [row] = await db.query<PaymentProvider>(insertProvider, values);
  assert(row !== undefined, "a provider is kept");
  return row;
}

const updateState = statement(
  "update_payment_provider_state",
  `update payment_providers
      set state = $2
    where name = $1
   returning name`,
);

/** @returns whether there is such a provider */
export async function updatePaymentProviderState(
  db: Queryable,
  name: string,
  state: PaymentProvider["state"],
): Promise<boolean> {
  return (await db.query(updateState, [name, state])).length > 0;
}

/** A time of which a provider's list is to be read. */
export interface ListRange {
  readonly provider: string;
  readonly from: Instant;
  readonly to: Instant;
  /** Once a day the last days are read whole: what is booked here and not listed there is asked about again. */
  readonly isComparison: boolean;
  /** Whether it goes up to now. */
  readonly isLast: boolean;
}

const claimList = statement(
  "claim_payment_list",
  `update payment_providers v
      set list_due_at = now() + make_interval(secs => $1)
     from (
            select d.name
              from payment_providers d
             where d.list_due_at <= now()
             order by d.list_due_at
             limit 1
               for update skip locked
          ) due
    where v.name = due.name
   returning v.name as provider,
             case
               when v.compared_at < now() - interval '1 day' and now() <= v.listed_to + make_interval(secs => $3)
               then now() - interval '3 days'
               else v.listed_to - make_interval(secs => $2)
             end as "from",
             least(now(), v.listed_to + make_interval(secs => $3)) as "to",
             now() <= v.listed_to + make_interval(secs => $3) as "isLast",
             v.compared_at < now() - interval '1 day'
               and now() <= v.listed_to + make_interval(secs => $3) as "isComparison"`,
);

/**
 * Leases the next provider whose list is due, for so many seconds. The time begins `overlapSeconds` before what was read,
 * as a provider may list a transfer late, and goes `sliceSeconds` beyond it at most. Null where none is due.
 */
export async function claimPaymentList(
  db: Queryable,
  given: { readonly leaseSeconds: number; readonly overlapSeconds: number; readonly sliceSeconds: number },
): Promise<ListRange | null> {
  const [row] = await db.query<ListRange>(claimList, [given.leaseSeconds, given.overlapSeconds, given.sliceSeconds]);
  return row ?? null;
}

const updateListed = statement(
  "update_payments_listed_to",
  `update payment_providers
      set listed_to = greatest(listed_to, $2),
          compared_at = case when $4 then now() else compared_at end,
          list_due_at = now() + make_interval(secs => $3)
    where name = $1`,
);

/** Records how far a provider's list was read, and in how many seconds it is read again. */
export async function updatePaymentsListedTo(
  db: Queryable,
  { provider, to, isComparison }: ListRange,
  dueSeconds: number,
): Promise<void> {
  await db.query(updateListed, [provider, new Date(to), dueSeconds, isComparison]);
}
