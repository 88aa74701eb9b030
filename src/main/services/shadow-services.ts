import { openCatalogue } from "../../domain/catalogue/catalogue.ts";
import { openKeyring } from "../../domain/merchants/keyring.ts";
import { listAwaitedAccounts } from "../../domain/moving-in/move-line-queries.ts";
import { openPredict } from "../../domain/purchases/buying/predict.ts";
import { openRouteFor } from "../../domain/purchases/buying/route-for.ts";
import { readTransactionIds } from "../../domain/purchases/deployment/deployment-numbers.ts";
import { openFindByReference } from "../../domain/purchases/find.ts";
import { openVerificationIds } from "../../domain/purchases/verification/verification-id.ts";
import { openTokenStore } from "../../domain/suppliers/balances.ts";
import type { OpenConnector } from "../../domain/suppliers/routing/routing.ts";
import { listLevels } from "../../domain/suppliers/vouchers/level-queries.ts";
import { levelsOn } from "../../domain/suppliers/vouchers/stock.ts";
import { requestsInWork } from "../../http/waiting.ts";
import { type Clock, wallTime } from "../../kernel/clock.ts";
import { purchaseIdMinter } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/problems.ts";
import type { LegacyServices } from "../../legacy/services.ts";
import { openDatabase, openPool } from "../../platform/database/database.ts";
import type { RateLimit } from "../../platform/rate-limit/rate-limit.ts";
import { rateWindow } from "../../platform/rate-limit/request-leases.ts";
import { watchRevisions } from "../../platform/revisions.ts";
import type { SecretBox } from "../../platform/sealing/secret-box.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import { openMetrics } from "../../platform/telemetry/metrics.ts";
import type { Config } from "../configuration/config.ts";
import { openConnectors } from "./connector-services.ts";
import { mintReference } from "./purchase-services.ts";
import { openSuppliers } from "./supplier-services.ts";
import { allMetrics } from "./worker-services.ts";

const monotonicMs = () => performance.now();
const connectionsMax = 6;
/** Keys whose requests are counted at a time. */
const keysMax = 20_000;

/** What the legacy endpoints are given where nothing is sold. */
export interface ShadowServices extends LegacyServices {
  /** Reads anew what suppliers were sent and what is in stock. */
  refresh(): Promise<void>;
}

/**
 * Wires the legacy endpoints so that they answer what they would answer, by sessions in which PostgreSQL refuses to
 * write. No supplier is asked: nothing here can send a purchase or a verification. `undo` gets the steps that close it,
 * to be taken from the last to the first.
 */
export async function openShadowServices(
  config: Pick<
    Config,
    "timeZone" | "rateLimitPerMinute" | "sandboxPendingSeconds" | "trustedProxies" | "supplierOrigins"
  >,
  given: {
    readonly connectionString: string;
    readonly secretBox: SecretBox;
    readonly clock: Clock;
    readonly log: Logger;
    readonly undo: (() => Promise<void>)[];
    /** Where not as `supplierOrigins` says: a test has its suppliers at hand. */
    readonly openConnector?: OpenConnector;
  },
): Promise<ShadowServices> {
  const { connectionString, secretBox, clock, log, undo } = given;
  const zone = wallTime(config.timeZone);
  const metrics = openMetrics(allMetrics);
  const database = openDatabase(
    openPool({
      ...{ connectionString, connectionsMax, applicationName: "dispense shadow", plans: "ordinary", isReadOnly: true },
      onLost: (error) => log.warn({ event: "database.connection_lost", error: String(error) }),
    }),
  );
  undo.push(() => database.close());
  const tokenStore = openTokenStore({ database: () => database, secretBox });
  const connectors = openConnectors({ origins: config.supplierOrigins, secretBox, clock, tokenStore, log });
  undo.push(() => connectors.http.close());
  const watch = watchRevisions({ database, monotonicMs });
  undo.push(async () => watch.stop());
  await watch.refresh();
  const catalogue = openCatalogue({ database, watch });
  const suppliers = await openSuppliers({
    databases: { ordinary: database, batched: database },
    ...{ watch, catalogue, clock, wallTime: zone, secretBox, metrics, log },
    transactionIds: await readTransactionIds(database),
    openConnector: given.openConnector ?? connectors.openConnector,
  });
  const verificationIds = await openVerificationIds({ secretBox, database, clock });
  const predicted = openPredict({
    ...{ database, clock, wallTime: zone, catalogue, mintReference },
    routeFor: openRouteFor(suppliers.routing),
    checkVerification: verificationIds.check,
    findByReference: openFindByReference(database),
    // Its ids are stored nowhere: no process needs another number.
    mintPurchaseId: purchaseIdMinter(clock, 0),
  });
  return {
    ...{ log, metrics, database, clock, secretBox, catalogue, wallTime: zone, routing: suppliers.routing },
    ...withoutWriting(config),
    ...predicted,
    sandboxPendingSeconds: config.sandboxPendingSeconds,
    proxies: config.trustedProxies,
    keyring: openKeyring({ database, watch, clock, alsoKnown: listAwaitedAccounts }),
    async refresh() {
      await suppliers.routeCounts.flush();
      const levels = await listLevels(database, levelsOn(zone.dayOf(clock.now()).date));
      suppliers.emptyShelves.replace(levels.filter(({ left }) => left === 0).map(({ productId }) => productId));
    },
  };
}

/** What stands before the service, without what it stores, and without suppliers behind it. */
function withoutWriting({ rateLimitPerMinute }: Pick<Config, "rateLimitPerMinute">) {
  const nobody = { note: () => {}, take: () => null };
  return {
    rateLimit: limitInMemory(rateLimitPerMinute),
    inWork: requestsInWork(),
    // Behind a proxy all clients have one address.
    failures: { count: () => true, resetSeconds: () => 0 },
    keyUses: nobody,
    visitors: nobody,
    verify: () => Promise.reject(refuse("PROVIDER_UNAVAILABLE")),
    waiting: {
      holding: (_reply, buy) => buy({}),
      asking: (_reply, ask) => ask(),
    },
  } satisfies Partial<LegacyServices>;
}

/** The limit of requests a minute, as this process alone counts them. */
function limitInMemory(limit: number): RateLimit {
  const window = rateWindow({ limit, windowMs: 60_000, namesMax: keysMax, monotonicMs });
  const stateOf = (accepted: boolean) => {
    const resetSeconds = window.resetSeconds();
    return { accepted, remaining: 0, resetSeconds, retryAfterSeconds: accepted ? 0 : resetSeconds };
  };
  return {
    limit,
    take: async (key) => stateOf(window.count(String(key))),
    peek: () => stateOf(true),
    stop: async () => {},
  };
}
