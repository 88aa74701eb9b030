import { formatEndpointId } from "../../../domain/webhooks/endpoints/endpoint.ts";
import { streamLog } from "../../../domain/webhooks/log/log.ts";
import type { Attempt } from "../../../domain/webhooks/log/log-queries.ts";
import type { ModeVisit } from "../../visit.ts";
import { type CsvColumns, csvPieces } from "../exports.ts";
import { answerText } from "./delivery-view.tsx";
import { readLogQuery } from "./log-query.ts";
import type { WebhookPageServices } from "./webhook-services.ts";

/** Every attempt that the log's address asks for. Without bodies: each delivery's own page has them. */
export async function* deliveryPieces(services: WebhookPageServices, visit: ModeVisit): AsyncGenerator<string> {
  const { wallet } = visit;
  const { filter } = await readLogQuery(services, visit);
  const columns: CsvColumns<Attempt> = [
    ["at", ({ createdAt }) => services.wallTime.format(createdAt)],
    ["delivery_id", ({ deliveryId }) => deliveryId],
    ["event", ({ event }) => event],
    ["reference", ({ reference }) => reference],
    ["endpoint_id", ({ endpointNumber }) => formatEndpointId({ ...wallet, endpointNumber })],
    ["url", ({ url }) => url],
    ["attempt", ({ attempt }) => attempt],
    ["status", ({ successful }) => (successful ? "delivered" : "failed")],
    ["http_status", ({ httpStatus }) => httpStatus],
    ["answer", answerText],
    ["duration_ms", ({ durationMs }) => durationMs],
  ];
  yield* csvPieces(columns, streamLog(services.database, wallet, filter));
}
