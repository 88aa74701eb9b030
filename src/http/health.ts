import type { FastifyInstance } from "fastify";
import { type Static, Type } from "typebox";
import type { Clock, Instant } from "../kernel/clock.ts";
import { refuse } from "../kernel/problems.ts";
import { type AddressRange, isWithin, loopback, parseAddress } from "../platform/address.ts";
import type { Metrics } from "../platform/telemetry/metrics.ts";
import { answer, operation } from "./openapi/operation.ts";
import { oneOf } from "./schemas/schemas.ts";

export interface HealthServices {
  /** Asks the database, on the connections that charge, why it takes no commits; null where it does. Rejects when it does not answer. */
  readonly findCommitBlock: () => Promise<string | null>;
  readonly clock: Clock;
}

/** How long a look serves whoever asks: anybody may. */
const lookKeptMs = 1_000;

const healthAnswer = Type.Object({ status: Type.Literal("ok") }, { "x-component": "Health" });

const readyAnswer = Type.Object(
  {
    status: oneOf(["ready", "not_ready"]),
    database: oneOf(["up", "down"]),
  },
  { "x-component": "Readiness" },
);

/** `/healthz`: the process answers. `/readyz`: it can charge. What others leave undone makes nobody unready. */
export function healthRoutes(app: FastifyInstance, services: HealthServices): void {
  app.get(
    "/healthz",
    {
      schema: operation({
        id: "getHealth",
        tag: "Health",
        summary: "The process is up",
        description: "Answers as long as the process does, whatever the database says.",
        responses: { 200: healthAnswer },
      }),
    },
    async () => ({ status: "ok" }),
  );

  const look = sharedLook(services);
  app.get(
    "/readyz",
    {
      schema: operation({
        id: "getReadiness",
        tag: "Health",
        summary: "The service can do its work",
        description:
          "503 while the database does not answer on the connections that charge, or takes no commits. Work that waits is " +
          "no reason: a purchase can be charged and stored without workers.",
        responses: {
          200: answer("Ready to serve.", readyAnswer),
          503: answer("Not ready to serve.", readyAnswer),
        },
      }),
    },
    async (_request, reply) => {
      const { code, body } = await look();
      return reply.code(code).send(body);
    },
  );
}

interface Look {
  readonly code: 200 | 503;
  readonly body: Static<typeof readyAnswer>;
}

async function lookAtReadiness({ findCommitBlock }: HealthServices): Promise<Look> {
  try {
    if ((await findCommitBlock()) === null) return { code: 200, body: { status: "ready", database: "up" } };
  } catch {
    // Told in the log by the watch.
  }
  return { code: 503, body: { status: "not_ready", database: "down" } };
}

/** One look at a time, whose answer is kept for `lookKeptMs`: also that the database is away. */
function sharedLook(services: HealthServices): () => Promise<Look> {
  const { clock } = services;
  let looking: Promise<Look> | null = null;
  let keptSince: Instant | null = null;

  async function lookAnew(): Promise<Look> {
    keptSince = null;
    const look = await lookAtReadiness(services);
    keptSince = clock.now();
    return look;
  }

  return () => {
    const keptMs = keptSince === null ? 0 : clock.now() - keptSince;
    // A clock that was put back says nothing about the age.
    if (looking === null || keptMs < 0 || keptMs >= lookKeptMs) looking = lookAnew();
    return looking;
  };
}

export interface MetricsServices {
  readonly metrics: Pick<Metrics, "text" | "registry">;
  /** The addresses that may read the metrics besides the machine itself: none, unless configured. */
  readonly metricsReaders?: readonly AddressRange[];
}

/**
 * Headers that proxies add, known or not yet: whatever is no collector's own. Behind a proxy on this machine, every client
 * would have this machine's address.
 */
const isOfProxies = (header: string) =>
  /^(?!x-prometheus-)x-|forward|^via$|-ip$|^(?:cf|cdn|fastly|akamai|surrogate)-/.test(header);
/** How this machine calls itself: a proxy that says nothing else passes the name on that its client asked for. */
const ownName = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/;

/**
 * `/metrics`, for a collector on the machine itself or at an address that the operator names: whoever comes from
 * elsewhere, or through a proxy, is told that there is nothing.
 */
export function metricsRoute(app: FastifyInstance, { metrics, metricsReaders = [] }: MetricsServices): void {
  app.get("/metrics", { schema: { hide: true } }, async (request, reply) => {
    const from = parseAddress(request.socket.remoteAddress ?? "");
    const isOwn = from !== null && isWithin(from, loopback) && ownName.test(request.headers.host ?? "localhost");
    const isReader = isOwn || (from !== null && isWithin(from, metricsReaders));
    if (!isReader || Object.keys(request.headers).some(isOfProxies)) throw refuse("NOT_FOUND");
    return reply.type(metrics.registry.contentType).send(await metrics.text());
  });
}
