import { parseApiKeyId } from "../../../domain/merchants/merchant.ts";
import { noRequestFilter, type RequestFilter, type StatusClass } from "../../../domain/request-log/list.ts";
import { type LogPlace, noEndpoint, parseLogPlace } from "../../../domain/request-log/logged-request.ts";
import { parseInstant, type WallTime } from "../../../kernel/clock.ts";
import { parseAddress } from "../../../platform/address.ts";
import { type ModeVisit, modePath } from "../../visit.ts";

/** What the address of the request log asks for. */
export interface RequestQuery {
  readonly filter: RequestFilter;
  readonly before: LogPlace | null;
  /** The filters as they stand in the address, by name. */
  readonly values: ReadonlyMap<string, string>;
  /** Filters that nobody can read, which therefore filter nothing. */
  readonly unread: readonly string[];
  /** The same list with these parameters besides. */
  href(more: Readonly<Record<string, string>>): string;
}

const names = ["q", "code", "status", "endpoint", "key", "address", "from", "to"] as const;
export const statusClasses: readonly StatusClass[] = ["2xx", "4xx", "5xx", "failed"];
const apiPath = "/api/v1/merchant/";
/** No filter is longer; what is pasted may be a whole page. */
const lengthMax = 200;

/** Reads the address of the list. */
export function readRequestQuery(visit: ModeVisit, wallTime: WallTime): RequestQuery {
  const values = new Map(
    names.flatMap((name) => {
      const value = (visit.query.get(name) ?? "")
        .replace(/\p{Cc}/gu, "")
        .trim()
        .slice(0, lengthMax);
      return value === "" ? [] : [[name, value] as const];
    }),
  );
  const unread: string[] = [];
  function read<T>(name: (typeof names)[number], parse: (text: string) => T | null): T | null {
    const text = values.get(name);
    const value = text === undefined ? null : parse(text);
    if (text !== undefined && value === null) unread.push(text);
    return value;
  }
  const filter: RequestFilter = {
    ...noRequestFilter,
    q: values.get("q") ?? null,
    code: read("code", (text) => text.toUpperCase()),
    statusClass: read("status", (text) => statusClasses.find((each) => each === text) ?? null),
    endpoint: read("endpoint", endpointOf),
    keyId: read("key", parseApiKeyId),
    address: read("address", (text) => parseAddress(text)?.toString() ?? null),
    from: read("from", (text) => parseInstant(text, wallTime, "start")),
    to: read("to", (text) => parseInstant(text, wallTime, "end")),
  };
  const before = parseLogPlace(visit.query.get("before") ?? "");
  return {
    ...{ filter, before, values, unread },
    href: (more) => {
      const query = new URLSearchParams([...values, ...Object.entries(more)]).toString();
      return modePath(visit, `requests${query === "" ? "" : `?${query}`}`);
    },
  };
}

/** `data/purchase` is enough. */
function endpointOf(text: string): string {
  if (text === noEndpoint || text.startsWith("/api/")) return text;
  return `${apiPath}${text.replace(/^\/+/, "")}`;
}

/** An endpoint as it is read most easily: without what all begin with. */
export function endpointText(endpoint: string): string {
  if (endpoint === noEndpoint) return "no endpoint";
  return endpoint.startsWith(apiPath) ? endpoint.slice(apiPath.length - 1) : endpoint;
}
