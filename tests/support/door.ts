import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { Type } from "typebox";
import { systemClock } from "../../rigs/base/merchants.ts";
import { nairaField, quantityField } from "../../src/categories/fields.ts";
import { openKeyring, openKeyUses } from "../../src/domain/merchants/keyring.ts";
import { openHttp } from "../../src/http/open-http.ts";
import { authenticateRequests, failuresPerMinuteMax } from "../../src/http/plugins/authenticate.ts";
import { refuseUnknownPaths } from "../../src/http/plugins/errors.ts";
import { principalOf, requestIds } from "../../src/http/request-context.ts";
import { openVisitors } from "../../src/http/try-it/try-it.ts";
import { requestsInWork } from "../../src/http/waiting.ts";
import type { Json } from "../../src/kernel/json.ts";
import { refuse } from "../../src/kernel/problems.ts";
import { parseAddressRange } from "../../src/platform/address.ts";
import { type Queryable, statement } from "../../src/platform/database/database.ts";
import { openRateLimit } from "../../src/platform/rate-limit/rate-limit.ts";
import { rateWindow } from "../../src/platform/rate-limit/request-leases.ts";
import { watchRevisions } from "../../src/platform/revisions.ts";
import { openLog } from "../../src/platform/telemetry/log.ts";
import { buildValidator, validatorCompiler } from "../../src/platform/validation/validator.ts";

export interface Answer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of any shape
  readonly body: any;
}

/** Header names and values in turn, so that a name can be sent twice. */
type HeaderList = readonly string[];

export interface Door {
  readonly port: number;
  /** Every line that the server logged. */
  readonly log: string[];
  ask(method: string, path: string, headers?: HeaderList, body?: string | Buffer): Promise<Answer>;
  close(): Promise<void>;
}

const divideByZero = statement("divide_by_zero", "select 1 / 0");

/** The server that ships, with a few routes that do nothing, listening on a port of its own. */
export async function openDoor(options: {
  readonly database: Queryable;
  readonly limit?: number;
  readonly proxies?: readonly string[];
}): Promise<Door> {
  const monotonicMs = () => performance.now();
  const watch = watchRevisions({ database: options.database, monotonicMs });
  const rateLimit = openRateLimit({ database: options.database, limit: options.limit ?? 120, monotonicMs });
  const log: string[] = [];
  const proxies = (options.proxies ?? []).map((text) => parseAddressRange(text)).filter((range) => range !== null);
  const { app, routes } = openHttp({
    log: openLog({ level: "error", output: { write: (line) => void log.push(line) } }),
    requestIdOf: requestIds({ clock: systemClock, randomness: randomBytes }),
    answers: { note: () => {}, noteUnread: () => {}, noteUnreadable: () => {} },
    proxies,
  });
  app.setValidatorCompiler(validatorCompiler(buildValidator()));
  app.get("/open", () => ({ open: true }));
  await app.register(
    async (behind) => {
      authenticateRequests(behind, {
        keyring: openKeyring({ database: options.database, watch, clock: systemClock }),
        rateLimit,
        inWork: requestsInWork(),
        visitors: openVisitors(randomBytes),
        failures: rateWindow({ limit: failuresPerMinuteMax, windowMs: 60_000, namesMax: 1_000, monotonicMs }),
        keyUses: openKeyUses({ database: options.database, clock: systemClock }),
        proxies,
      });
      refuseUnknownPaths(behind, routes);
      behind.get("/who", (request) => {
        const { limits: _, ...principal } = principalOf(request); // kobo, which JSON cannot tell
        return principal;
      });
      const numbers = {
        amount: Type.Optional(nairaField("Amount.")),
        quantity: Type.Optional(quantityField(5, "Count.")),
      };
      const body = Type.Object({
        phone: Type.Optional(Type.String()),
        ...numbers,
        items: Type.Optional(Type.Array(Type.Object(numbers))),
      });
      behind.post("/echo", { schema: { body } }, (request) => ({ got: request.body as Json }));
      behind.post("/any", (request) => ({ got: (request.body as Json | undefined) ?? null }));
      behind.get("/things/:id", () => ({}));
      behind.delete("/things/:id", () => ({}));
      behind.get("/refused", () => {
        throw refuse("AMOUNT_OUT_OF_RANGE", {
          message: "Amount must be between 50.00 and 50000.00.",
          errors: { amount: ["Must be at least 50.00."] },
          meta: { min_amount: "50.00", max_amount: "50000.00" },
        });
      });
      behind.get("/away", () => {
        throw refuse("PRODUCT_UNAVAILABLE");
      });
      behind.get("/divided", () => options.database.query(divideByZero));
      behind.route({
        method: ["GET", "POST"],
        url: "/lost",
        handler: () => Promise.reject(new Error("Connection terminated unexpectedly")),
      });
      behind.post("/unreachable", () => once(connect({ port: 1, host: "127.0.0.1" }), "connect"));
      behind.get("/broken", () => {
        throw Object.assign(new Error("column ds_live_0123456789 is not what I thought"), {
          detail: "Key (phone)=(08031234567)",
        });
      });
    },
    { prefix: "/m" },
  );
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo;
  return {
    port,
    log,
    ask: (method, path, headers = [], body) => ask({ port, method, path, headers, body }),
    async close() {
      watch.stop();
      await rateLimit.stop();
      await app.close();
    },
  };
}

function ask(sent: {
  port: number;
  method: string;
  path: string;
  headers: HeaderList;
  body: string | Buffer | undefined;
}): Promise<Answer> {
  const length = sent.body === undefined ? [] : ["Content-Length", String(Buffer.byteLength(sent.body))];
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      host: "127.0.0.1",
      port: sent.port,
      method: sent.method,
      path: sent.path,
      headers: ["Host", "127.0.0.1", ...sent.headers, ...length],
    });
    request.once("error", reject);
    request.once("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("error", reject);
      response.once("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: text && JSON.parse(text) });
      });
    });
    request.end(sent.body);
  });
}
