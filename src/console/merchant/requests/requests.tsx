import { keyHint } from "../../../domain/merchants/key-format.ts";
import { listApiKeys } from "../../../domain/merchants/key-queries.ts";
import { formatApiKeyId } from "../../../domain/merchants/merchant.ts";
import { listRequests, type RequestPage } from "../../../domain/request-log/list.ts";
import { formatLogPlace, parseLogPlace, requestLogDays } from "../../../domain/request-log/logged-request.ts";
import { findLoggedRequest } from "../../../domain/request-log/read-queries.ts";
import type { WallTime } from "../../../kernel/clock.ts";
import { type Database, forReaders } from "../../../platform/database/database.ts";
import { type PageAnswer, page } from "../../kit/answer.ts";
import type { GateServices } from "../../kit/gate.ts";
import { notFoundPage } from "../../kit/gate-pages.tsx";
import { Flash, Live } from "../../kit/parts/form.tsx";
import { ButtonLink, Empty, PageHead, Sheet } from "../../kit/parts/layout.tsx";
import { Filters, Table } from "../../kit/parts/list.tsx";
import { Moment, type MomentFormat, momentFormat, momentText } from "../../kit/parts/text.tsx";
import type { ModeRoutes } from "../../kit/routes.ts";
import { type ModeVisit, modePath } from "../../kit/visit.ts";
import { requestPage } from "./request-page.tsx";
import { endpointText, type RequestQuery, readRequestQuery, statusClasses } from "./request-query.ts";
import { durationText, RequestStatus } from "./request-words.tsx";

export type RequestPageServices = GateServices & {
  readonly database: Database;
  readonly wallTime: WallTime;
  readonly timeZone: string;
};

const capability = "read_requests";
const rowsPerPage = 50;

/** What did our programs ask, and what were they answered? */
export function requestPages(routes: ModeRoutes, services: RequestPageServices): void {
  const database = forReaders(services.database);
  const format = momentFormat(services.timeZone);

  routes.page("/requests", {
    capability,
    async show(visit) {
      const query = readRequestQuery(visit, services.wallTime);
      const found = await listRequests(database, visit.wallet, query.filter, {
        before: query.before,
        perPage: rowsPerPage,
      });
      return listPage(visit, { query, found, format, keys: await keyChoices(database, visit) });
    },
  });

  routes.page("/requests/:place", {
    capability,
    async show(visit) {
      const place = parseLogPlace((visit.request.params as { readonly place: string }).place);
      const found = place === null ? null : await findLoggedRequest(database, visit.wallet, place);
      if (found === null) return notFoundPage();
      const keys = await listApiKeys(database, visit.member.merchantId);
      return requestPage(visit, { request: found, key: keys.find(({ id }) => id === found.keyId) ?? null, format });
    },
  });
}

async function keyChoices(database: Database, { member, mode }: ModeVisit) {
  return (await listApiKeys(database, member.merchantId))
    .filter((key) => key.mode === mode)
    .map((key) => {
      const hint = keyHint({ mode, firstCharacters: key.first_characters, lastCharacters: key.last_characters });
      return { value: formatApiKeyId(key.id), label: `${key.label} ${hint}`.trim() };
    })
    .toReversed();
}

interface ListShown {
  readonly query: RequestQuery;
  readonly found: RequestPage;
  readonly format: MomentFormat;
  readonly keys: readonly { readonly value: string; readonly label: string }[];
}

function listPage(visit: ModeVisit, shown: ListShown): PageAnswer {
  const { query, found } = shown;
  const table = <RequestTable visit={visit} shown={shown} />;
  return page(
    "Request log",
    <>
      <PageHead title="Request log">Every request of the last {requestLogDays} days, a second or two late</PageHead>
      <RequestFilters visit={visit} shown={shown} />
      {query.unread.length === 0 ? null : (
        <Flash kind="waiting">{`Not understood, and so not filtered by: ${query.unread.join(", ")}.`}</Flash>
      )}
      {query.before === null ? <Live tableId="requests">{table}</Live> : table}
      <Older query={query} found={found} format={shown.format} />
    </>,
  );
}

function RequestFilters({ visit, shown }: { readonly visit: ModeVisit; readonly shown: ListShown }) {
  const { query, keys } = shown;
  const value = (name: string) => query.values.get(name) ?? "";
  const text = (name: string, label: string, hint: string) =>
    ({ kind: "text", name, label, value: value(name), hint }) as const;
  return (
    <Filters
      action={modePath(visit, "requests")}
      filters={[
        text("q", "Find", "reference, request id, text"),
        {
          ...({ kind: "choice", name: "status", label: "Status", value: value("status") } as const),
          options: statusClasses.map((each) => ({ value: each, label: each })),
        },
        text("code", "Code", "INSUFFICIENT_BALANCE"),
        text("endpoint", "Endpoint", "data/purchase"),
        { kind: "choice", name: "key", label: "Key", value: value("key"), options: keys },
        text("address", "Address", "192.0.2.7"),
        { kind: "date", name: "from", label: "From", value: value("from") },
        { kind: "date", name: "to", label: "To", value: value("to") },
      ]}
    />
  );
}

function RequestTable({ visit, shown }: { readonly visit: ModeVisit; readonly shown: ListShown }) {
  const { query, found, format } = shown;
  return (
    <Sheet isPadded={false}>
      <Table
        id="requests"
        caption="Requests, newest first"
        rows={found.requests}
        href={(request) => modePath(visit, `requests/${formatLogPlace(request)}`)}
        columns={[
          { title: "Time", cell: ({ at }) => <Moment at={at} format={format} style="second" />, isQuiet: true },
          {
            title: "Request",
            cell: ({ method, endpoint }) => (
              <>
                {method} {endpointText(endpoint)}
              </>
            ),
            place: "lead",
          },
          { title: "Reference", cell: ({ reference }) => (reference === null ? "" : <code>{reference}</code>) },
          { title: "Status", cell: (request) => <RequestStatus of={request} />, place: "state" },
          { title: "Took", cell: ({ durationMs }) => durationText(durationMs), align: "end", place: "amount" },
          { title: "From", cell: ({ address }) => address ?? "unreadable", isQuiet: true, place: "under" },
        ]}
        empty={<Nothing visit={visit} query={query} found={found} />}
      />
    </Sheet>
  );
}

function Nothing({ visit, query, found }: { visit: ModeVisit; query: RequestQuery; found: RequestPage }) {
  const isFiltered = query.values.size > 0;
  if (found.before !== null) {
    return <Empty title="None so far">A part of the log was looked through: look further below.</Empty>;
  }
  if (isFiltered || query.before !== null) {
    return (
      <Empty title="Nothing fits" action={<ButtonLink href={modePath(visit, "requests")}>Show all</ButtonLink>}>
        Look in the other mode, or take a filter away. Requests are kept for {requestLogDays} days.
      </Empty>
    );
  }
  return (
    <Empty title="No requests yet">
      Whatever your programs send with a {visit.mode} key is listed here a second or two later, with its answer.
    </Empty>
  );
}

/** Further down; where few of many fit, a page tells how far it has looked. */
function Older({ query, found, format }: { query: RequestQuery; found: RequestPage; format: MomentFormat }) {
  const { before, requests } = found;
  if (before === null && query.before === null) return null;
  const isShort = before !== null && requests.length < rowsPerPage;
  return (
    <nav class="pager" aria-label="Pages">
      <span>{isShort ? `Looked through back to ${momentText({ at: before.at, format, style: "second" })}` : ""}</span>
      {query.before === null ? null : <ButtonLink href={query.href({})}>Newest</ButtonLink>}
      {before === null ? null : (
        <ButtonLink href={query.href({ before: formatLogPlace(before) })}>
          {isShort ? "Look further" : "Older"}
        </ButtonLink>
      )}
    </nav>
  );
}
