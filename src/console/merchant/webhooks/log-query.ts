import { findNamed } from "../../../domain/purchases/find.ts";
import { parseEndpointId } from "../../../domain/webhooks/endpoints/endpoint.ts";
import { eventNames, parseDeliveryId } from "../../../domain/webhooks/events/event.ts";
import type { LogFilter } from "../../../domain/webhooks/log/log.ts";
import { type ModeVisit, modePath } from "../../visit.ts";
import type { WebhookPageServices } from "./webhook-services.ts";

/** What the address of the delivery log asks for. */
export interface LogQuery {
  readonly filter: LogFilter;
  /** Counts from 1. */
  readonly page: number;
  /** What stands in the address, by name. */
  readonly values: ReadonlyMap<string, string>;
  readonly isFiltered: boolean;
  /** The same list, with these parameters besides; `path` below the mode's, where it is a file. */
  href(more: Readonly<Record<string, string>>, path?: string): string;
}

const names = ["q", "status", "event", "endpoint", "upto"] as const;
/** No endpoint has it. */
const noEndpoint = 0;

/** Reads a log's address. A status or event that there is none of filters nothing; an id of nothing finds nothing. */
export async function readLogQuery(
  services: Pick<WebhookPageServices, "database" | "findByReference" | "transactionIds">,
  visit: ModeVisit,
): Promise<LogQuery> {
  const values = new Map(
    names.flatMap((name) => {
      const value = visit.query.get(name)?.trim() ?? "";
      return value === "" ? [] : [[name, value] as const];
    }),
  );
  const status = values.get("status");
  const endpoint = values.get("endpoint");
  const upTo = values.get("upto") ?? "";
  return {
    filter: {
      successful: status === "success" ? true : status === "failed" ? false : null,
      event: eventNames.find((event) => event === values.get("event")) ?? null,
      endpointNumber: endpoint === undefined ? null : (parseEndpointId(endpoint, visit.wallet) ?? noEndpoint),
      maxId: /^\d{1,18}$/.test(upTo) ? BigInt(upTo) : null,
      ...(await searched(services, visit, values.get("q") ?? null)),
    },
    page: Math.max(1, Math.floor(Number(visit.query.get("page") ?? 1)) || 1),
    values,
    isFiltered: [...values.keys()].some((name) => name !== "upto"),
    href: (more, path = "webhooks/deliveries") => {
      const parameters = { ...Object.fromEntries(values), ...more };
      return `${modePath(visit, path)}?${new URLSearchParams(parameters)}`;
    },
  };
}

/** Whatever id is pasted: a delivery's, a transaction's, else a reference of a transaction or bulk order. */
async function searched(
  services: Pick<WebhookPageServices, "database" | "findByReference" | "transactionIds">,
  { wallet }: ModeVisit,
  text: string | null,
): Promise<Pick<LogFilter, "deliveryId" | "reference">> {
  if (text === null) return { deliveryId: null, reference: null };
  const deliveryId = parseDeliveryId(text);
  if (deliveryId !== null) return { deliveryId, reference: null };
  const purchase = await findNamed(services, wallet, text);
  return { deliveryId: null, reference: (purchase?.reference ?? text).replaceAll("\0", "") };
}
