import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { answer, operation } from "./openapi/operation.ts";
import { integer, nullable, oneOf } from "./schemas.ts";

export interface HealthServices {
  /** Asks the database for the age of the oldest due row, in seconds. Rejects when it does not answer. */
  readonly overdueSeconds: () => Promise<number>;
}

/** Due work that waits longer than this means that no worker is running, or that none keeps up. */
const overdueSecondsMax = 120;

const healthAnswer = Type.Object({ status: Type.Literal("ok") }, { "x-component": "Health" });

const readyAnswer = Type.Object(
  {
    status: oneOf(["ready", "not_ready"]),
    database: oneOf(["up", "down"]),
    oldest_due_seconds: nullable(
      integer({ minimum: 0, maximum: 2_147_483_647 }, "How long the oldest due work has waited.", 0),
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

  app.get(
    "/readyz",
    {
      schema: operation({
        id: "getReadiness",
        tag: "Health",
        summary: "The service can do its work",
        description: "503 while the database does not answer, or due work waits for more than two minutes.",
        responses: {
          200: answer("Ready to serve.", readyAnswer),
          503: answer("Not ready to serve.", readyAnswer),
        },
      }),
    },
    async (_request, reply) => {
      try {
        const oldest = await services.overdueSeconds();
        const ready = oldest <= overdueSecondsMax;
        return reply
          .code(ready ? 200 : 503)
          .send({ status: ready ? "ready" : "not_ready", database: "up", oldest_due_seconds: Math.round(oldest) });
      } catch {
        return reply.code(503).send({ status: "not_ready", database: "down", oldest_due_seconds: null });
      }
    },
  );
}
