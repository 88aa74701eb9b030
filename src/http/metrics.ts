import type { FastifyInstance } from "fastify";
import { refuse } from "../kernel/problems.ts";
import type { Metrics } from "../platform/metrics.ts";

export interface MetricsServices {
  readonly metrics: Metrics;
}

/**
 * `/metrics`, for a collector on the machine itself: whoever comes from elsewhere, or through a proxy, is told that
 * there is nothing.
 */
export function metricsRoute(app: FastifyInstance, { metrics }: MetricsServices): void {
  app.get("/metrics", { schema: { hide: true } }, (request, reply) => {
    const from = request.socket.remoteAddress ?? "";
    const isLocal = /^(127\.|::1$|::ffff:127\.)/.test(from) && request.headers["x-forwarded-for"] === undefined;
    if (!isLocal) throw refuse("NOT_FOUND");
    return reply.type("text/plain; version=0.0.4; charset=utf-8").send(metrics.text());
  });
}
