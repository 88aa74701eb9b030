import type { FastifyInstance } from "fastify";
import { type Static, Type } from "typebox";
import type { Clock, Instant } from "../kernel/clock.ts";
import { answer, operation } from "./openapi/operation.ts";
import { integer, nullable, oneOf } from "./schemas/schemas.ts";

export interface HealthServices {
  /**
   * Asks the database for the age of the oldest due purchase, in seconds; of a process without the API, of the oldest due
   * webhook as well. Rejects when it does not answer.
   */
  readonly overdueSeconds: () => Promise<number>;
  readonly clock: Clock;
}

/** Due work that waits longer than this means that no worker is running, or that none keeps up. */
const overdueSecondsMax = 120;

/** How long a look serves whoever asks. Anybody may, and where much is due it costs the database a tenth of a second. */
const lookKeptMs = 1_000;

const healthAnswer = Type.Object({ status: Type.Literal("ok") }, { "x-component": "Health" });

const readyAnswer = Type.Object(
  {
    status: oneOf(["ready", "not_ready"]),
    database: oneOf(["up", "down"]),
    oldest_due_seconds: nullable(
      integer(
        { minimum: 0, maximum: 2_147_483_647 },
        "How long the oldest purchase has waited whose supplier is to be asked.",
        0,
      ),
    ),
  },
  { "x-component": "Readiness" },
);

/** `/healthz`: the process answers. `/readyz`: it can do its work; judged by the oldest due row, not by being up. */
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
          "503 while the database does not answer, or pending purchases that are due wait for more than two minutes. " +
          "Webhooks that wait are no reason: other merchants' receivers take nobody's API away.",
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

async function lookAtReadiness({ overdueSeconds }: HealthServices): Promise<Look> {
  try {
    const oldest = await overdueSeconds();
    const isReady = oldest <= overdueSecondsMax;
    const status = isReady ? "ready" : "not_ready";
    const body = { status, database: "up", oldest_due_seconds: Math.round(oldest) };
    return { code: isReady ? 200 : 503, body };
  } catch {
    return { code: 503, body: { status: "not_ready", database: "down", oldest_due_seconds: null } };
  }
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
