import type { FastifyInstance } from "fastify";
import { newMerchant } from "../../rigs/base/merchants.ts";
import type { RegisteredMerchant } from "../../src/domain/merchants/registration.ts";
import { checkLedger } from "../../src/domain/wallet/reconcile.ts";
import type { HttpServices } from "../../src/http/open-http.ts";
import { type Clock, wallTime } from "../../src/kernel/clock.ts";
import { type Kobo, kobo } from "../../src/kernel/money.ts";
import { buildHttp } from "../../src/main/build-http.ts";
import { buildServices, type ServiceOptions, type Services } from "../../src/main/services/services.ts";
import type { Subject } from "../../src/platform/revisions.ts";
import { openLog } from "../../src/platform/telemetry/log.ts";
import type { Connector } from "../../src/providers/contract.ts";
import { checkAnswers } from "./answer-check.ts";
import { type FreshDatabase, stockedDatabase } from "./database.ts";
import { connectorsAtHand, enterSuppliers } from "./fake-supplier.ts";
import { compileOnce } from "./known-validators.ts";
import { testWebhooks } from "./webhooks.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever the wire brought
  readonly body: any;
}

export interface RequestOptions {
  readonly method?: string;
  /** Sent as JSON, unless it is a string: then as it is. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** The service on a real socket with a database of its own, the starting catalogue and one merchant. */
export interface TestApp {
  readonly url: string;
  readonly services: Services;
  readonly fresh: FreshDatabase;
  /** Approved, 1,000,000 naira in both wallets' reach: live 1,000,000.00, sandbox 100,000.00. */
  readonly merchant: RegisteredMerchant;
  createMerchant(wish?: {
    approved?: boolean;
    credit?: Kobo | null;
    testCredit?: Kobo | null;
  }): Promise<RegisteredMerchant>;
  /** Below the merchant prefix, with the given key, or with none when it is null. */
  call(key: string | null, path: string, options?: RequestOptions): Promise<Answer>;
  /**
   * Resolves when this process knows all changes that are committed: of merchants, catalogue, webhooks and routes. With
   * a subject, the caller has changed it behind the service's back.
   */
  feel(subject?: Subject): Promise<void>;
  /** Fails when an answer since the last time was not as the document says, whoever asked. */
  throwFaults(): void;
  /** Fails when an invariant of the ledger is broken, but for what is under way. */
  checkBooks(): Promise<void>;
  /** Closes everything; fails when an invariant of the ledger is broken, or an answer was not as the document says. */
  close(): Promise<void>;
}

export const clock: Clock = { now: () => Date.now() };

interface AppOptions {
  /** Live suppliers, each of every product, in order of preference. */
  readonly suppliers?: readonly Connector[];
  readonly workers?: boolean;
  readonly database?: FreshDatabase;
  /** The test stores deliveries of purchases that never were: it is not asked about them, nor is who shares its database. */
  readonly madeUpDeliveries?: boolean;
  /** As where there is a console. */
  readonly wayIn?: HttpServices["wayIn"];
  /** False: as in a process of the console's own. */
  readonly isApiServed?: boolean;
  /** Adds to the server before it listens, such as the console. */
  readonly onBuilt?: (server: FastifyInstance, services: Services) => Promise<void>;
}

/** Starts a test app. Workers run only when asked for. */
export async function startApp(options: Partial<ServiceOptions> & AppOptions = {}): Promise<TestApp> {
  const {
    workers = false,
    database: given,
    madeUpDeliveries = false,
    suppliers = [],
    onBuilt,
    wayIn = null,
    isApiServed = true,
    ...overrides
  } = options;
  const fresh = given ?? (await stockedDatabase());
  const services = await buildServices({
    connectionString: fresh.url,
    connectionsMax: 10,
    clock,
    wallTime: wallTime("Africa/Lagos"),
    log: openLog({ level: "silent" }),
    rateLimitPerMinute: 1_000_000,
    bulkLimits: { lines: 1_000_000_000, bytes: 1_000_000_000 },
    sandboxPendingSeconds: 20,
    trustedProxies: [],
    openConnector: connectorsAtHand(suppliers),
    webhooks: testWebhooks,
    workerPollMs: 50,
    ...overrides,
  });
  await enterSuppliers(fresh.pool, suppliers);
  const stopWorkers = workers ? services.startWorkers() : async () => {};
  const app: FastifyInstance = await buildHttp({ ...services, wayIn, isApiServed }, compileOnce);
  await onBuilt?.(app, services);
  const answers = checkAnswers(app);
  const url = await app.listen({ port: 0, host: "127.0.0.1" });

  async function createMerchant(wish: Parameters<TestApp["createMerchant"]>[0] = {}): Promise<RegisteredMerchant> {
    return newMerchant(services.database, {
      name: "Test merchant",
      email: "test@example.com",
      approved: wish.approved ?? true,
      credit: wish.credit === undefined ? kobo(100_000_000n) : wish.credit,
      testCredit: wish.testCredit ?? null,
    });
  }

  async function findBroken(exempt: readonly string[]) {
    const checks = await checkLedger(services.database);
    return checks.filter(
      ({ broken, invariant }) => broken.length > 0 && !exempt.some((name) => invariant.startsWith(name)),
    );
  }

  return {
    url,
    services,
    fresh,
    merchant: await createMerchant(),
    createMerchant,
    async call(key, path, request) {
      const answer = await call(`${url}/api/v1/merchant${path}`, key, request);
      answers.throwFaults();
      return answer;
    },
    async feel(subject) {
      const bump = "update revisions set revision = revision + 1 where subject = $1";
      if (subject !== undefined) await fresh.pool.query(bump, [subject]);
      await services.webhooks.watch.refreshAnew();
    },
    throwFaults: () => answers.throwFaults(),
    // What is under way while others use the app is looked at when it closes.
    checkBooks: async () => throwBroken(await findBroken(["6 every end", "12 nothing is overdue"])),
    async close() {
      await app.close();
      await stopWorkers();
      const broken = await findBroken([
        ...(madeUpDeliveries || given !== undefined ? ["6 every end"] : []),
        // Files that share an app are at it for longer.
        ...(workers ? [] : ["12 nothing is overdue"]),
      ]);
      await services.close();
      if (given === undefined) await fresh.drop();
      throwBroken(broken);
      answers.throwFaults();
    },
  };
}

function throwBroken(broken: readonly unknown[]): void {
  if (broken.length > 0) throw new Error(`broken invariants: ${inspect(broken)}`);
}

function inspect(value: unknown): string {
  return JSON.stringify(value, (_key, inner) => (typeof inner === "bigint" ? inner.toString() : inner), 1);
}

async function call(url: string, key: string | null, request: RequestOptions = {}): Promise<Answer> {
  const { body, headers = {} } = request;
  const response = await fetch(url, {
    method: request.method ?? (body === undefined ? "GET" : "POST"),
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? null : parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
