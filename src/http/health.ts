import type { FastifyInstance } from "fastify";
import { Type } from "typebox";

export interface HealthServices {
  /** Asks the database for the age of the oldest due row, in seconds. Rejects when it does not answer. */
  readonly overdueSeconds: () => Promise<number>;
}

/** Due work that waits longer than this means that no worker is running, or that none keeps up. */
const overdueSecondsMax = 120;

const readyAnswer = Type.Object({
  status: Type.Union([Type.Literal("ready"), Type.Literal("not_ready")]),
  database: Type.Union([Type.Literal("up"), Type.Literal("down")]),
  oldest_due_seconds: Type.Union([Type.Number(), Type.Null()]),
});

/** `/healthz`: the process answers. `/readyz`: it can do its work; judged by the oldest due row, not by being up. */
export function healthRoutes(app: FastifyInstance, services: HealthServices): void {
  app.get("/healthz", { schema: { summary: "Process is up", tags: ["Health"] } }, async () => ({ status: "ok" }));

  app.get(
    "/readyz",
    {
      schema: { summary: "Ready to serve", tags: ["Health"], response: { 200: readyAnswer, 503: readyAnswer } },
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
