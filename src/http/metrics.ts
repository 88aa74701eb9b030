import type { FastifyInstance } from "fastify";
import { refuse } from "../kernel/problems.ts";
import { type AddressRange, isWithin, loopback, parseAddress } from "../platform/address.ts";
import type { Metrics } from "../platform/telemetry/metrics.ts";

export interface MetricsServices {
  readonly metrics: Pick<Metrics, "text" | "registry">;
  /** The addresses that may read the metrics besides the machine itself: none, unless configured. */
  readonly metricsReaders?: readonly AddressRange[];
}

/** Headers that proxies add. Behind a proxy on this machine, every client would have this machine's address. */
const isOfProxies = (header: string) =>
  header.startsWith("x-forwarded-") || ["forwarded", "via", "x-real-ip"].includes(header);

/**
 * `/metrics`, for a collector on the machine itself or at an address that the operator names: whoever comes from
 * elsewhere, or through a proxy, is told that there is nothing.
 */
export function metricsRoute(app: FastifyInstance, { metrics, metricsReaders = [] }: MetricsServices): void {
  app.get("/metrics", { schema: { hide: true } }, async (request, reply) => {
    const from = parseAddress(request.socket.remoteAddress ?? "");
    const isReader = from !== null && (isWithin(from, loopback) || isWithin(from, metricsReaders));
    if (!isReader || Object.keys(request.headers).some(isOfProxies)) throw refuse("NOT_FOUND");
    return reply.type(metrics.registry.contentType).send(await metrics.text());
  });
}
