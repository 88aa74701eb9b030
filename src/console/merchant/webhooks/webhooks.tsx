import { type Endpoint, endpointsMax } from "../../../domain/webhooks/endpoints/endpoint.ts";
import { endpointNamed, listSetEndpoints } from "../../../domain/webhooks/endpoints/endpoints.ts";
import { nextAttemptAt } from "../../../domain/webhooks/endpoints/failing/failing-endpoints.ts";
import { eventNames } from "../../../domain/webhooks/events/event.ts";
import { recoverSince } from "../../../domain/webhooks/log/recover.ts";
import { type Instant, parseInstant, type WallTime } from "../../../kernel/clock.ts";
import { refuseField } from "../../../kernel/problems.ts";
import { type Answer, goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import type { Form as SentForm, Typed } from "../../kit/form.ts";
import { modeNames } from "../../kit/page.tsx";
import { SelectField, TextField } from "../../kit/parts/fields.tsx";
import { Form, Live } from "../../kit/parts/form.tsx";
import { ButtonLink, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { type Column, TableSheet } from "../../kit/parts/list.tsx";
import { countText, Moment } from "../../kit/parts/text.tsx";
import type { ModeRoutes, ModeVisit } from "../access.ts";
import type { MerchantServices } from "../services.ts";
import { deliveryLogPages } from "./deliveries.tsx";
import { deliveryPages } from "./delivery.tsx";
import { endpointPages } from "./endpoint.tsx";
import { EndpointStatus, modeText, type SeenEndpoint, seeEndpoints, waitingText } from "./endpoint-fields.tsx";
import { examplePages } from "./examples.tsx";
import { testerPages } from "./tester.tsx";

/** Is my endpoint healthy, what waits until when, and why does my signature fail? */
export function webhookPages(routes: ModeRoutes, services: MerchantServices): void {
  routes.page("/webhooks", { capability: "develop", show: (visit) => overviewPage(services, visit) });
  endpointPages(routes, services);
  deliveryLogPages(routes, services);
  deliveryPages(routes, services);
  recoverPages(routes, services);
  examplePages(routes, services);
  testerPages(routes, services);
}

/** All endpoints at one look. */
async function overviewPage({ reads, webhooks }: MerchantServices, visit: ModeVisit): Promise<PageAnswer> {
  const endpoints = await listSetEndpoints(reads, visit.wallet);
  const seen = await seeEndpoints({ database: reads, webhooks }, visit, endpoints);
  const add = (
    <ButtonLink href={visit.to("webhooks/endpoints/new")} kind="main">
      Add endpoint
    </ButtonLink>
  );
  const actions = (
    <>
      <Live tableId="endpoints" />
      <ButtonLink href={visit.to("webhooks/deliveries")}>Deliveries</ButtonLink>
      <ButtonLink href={visit.to("webhooks/examples")}>Send example</ButtonLink>
      <ButtonLink href={visit.to("webhooks/recover")}>Resend failed events</ButtonLink>
      <ButtonLink href={visit.to("webhooks/tester")}>Signature tester</ButtonLink>
      {seen.length > 0 && seen.length < endpointsMax ? add : null}
    </>
  );
  const waiting = seen.length > 0 ? ` The “Waiting” column counts ${visit.mode} events.` : "";
  const note = `${seen.length} of ${endpointsMax} endpoints, for live and test.${waiting}`;
  return page(
    { title: "Webhooks", note, actions },
    <TableSheet
      id="endpoints"
      caption="Endpoints"
      columns={columnsFor(visit)}
      rows={seen}
      href={({ id }) => visit.to(`webhooks/endpoints/${id}`)}
      empty={
        <Empty title="No endpoints yet" icon="hook" action={add}>
          We call your server when a pending sale ends, a bulk order is done, your balance runs low or prices change.
        </Empty>
      }
    />,
  );
}

function columnsFor({ mode }: ModeVisit): Column<SeenEndpoint>[] {
  const moment = (at: number | null) => (at === null ? null : <Moment at={at} style="list" />);
  return [
    {
      title: "Endpoint",
      place: "lead",
      cell: ({ url, endpoint }) => [
        <code key="url">{url}</code>,
        endpoint.description && <small>{endpoint.description}</small>,
      ],
    },
    { title: "Status", place: "state", cell: (seen) => <EndpointStatus seen={seen} mode={mode} /> },
    { title: "Events", cell: ({ endpoint }) => eventsText(endpoint), place: "sub" },
    { title: "Mode", cell: ({ endpoint }) => modeText[endpoint.mode], place: "sub" },
    { title: "Results", cell: ({ endpoint }) => notifyText[endpoint.notify], place: "sub", isExtra: true },
    { title: "Waiting", align: "end", cell: ({ state }) => waitingText(state) },
    { title: "Next try", cell: ({ state }) => moment(nextAttemptAt(state)) },
    { title: "Failing since", cell: ({ state }) => moment(state.failingSince) },
  ];
}

function eventsText({ events }: Endpoint): string {
  return events.includes("*") ? "All events" : `${events.length} of ${eventNames.length} events`;
}

const notifyText: Readonly<Record<Endpoint["notify"], string>> = { changes: "Later results", all: "All results" };

const dayMs = 86_400_000;

/** Sends everything again that failed since a time, as after an outage of the receiver. */
function recoverPages(routes: ModeRoutes, services: MerchantServices): void {
  routes.both("/webhooks/recover", {
    capability: "develop",
    doneAt: (visit) => visit.to("webhooks/deliveries"),
    show: (visit, typed) => recoverPage(services, visit, typed),
    send: (visit, form) => recover(services, visit, form),
  });
}

async function recover(services: MerchantServices, visit: ModeVisit, form: SentForm): Promise<Answer> {
  const { database, wallTime, webhooks } = services;
  const since = sinceIn(form.text("date"), form.text("time"), wallTime);
  if (since === null) throw refuseField("INVALID_DATE", "date", "Enter a day, and a time such as 14:30.");
  const name = form.text("endpoint");
  const endpoint = name === "" ? null : await endpointNamed(database, visit.wallet, name);
  webhooks.limitRecovery(visit.wallet);
  const requested = { since, endpointNumber: endpoint?.endpointNumber ?? null };
  const { recovered, nextSince } = await recoverSince(database, visit.wallet, requested);
  webhooks.wake();
  const said = `Resending ${countText(recovered, "event")} now.`;
  if (nextSince === null) return goTo(visit.to("webhooks/deliveries"), said);
  const next = new URLSearchParams({ ...partsOf(nextSince, wallTime), endpoint: name });
  const more = `${said} There are more: when these are delivered, continue from the time below.`;
  return goTo(visit.to(`webhooks/recover?${next}`), more);
}

async function recoverPage(services: MerchantServices, visit: ModeVisit, typed: Typed): Promise<PageAnswer> {
  const { database, clock, wallTime, timeZone } = services;
  const seen = await seeEndpoints(services, visit, await listSetEndpoints(database, visit.wallet));
  const result = visit.query.get("endpoint") ?? "";
  const [failingSince = clock.now() - dayMs] = seen
    .filter(({ id }) => result === "" || result === id)
    .flatMap(({ state }) => state.failingSince ?? [])
    .sort((left, right) => left - right);
  const usual = partsOf(failingSince, wallTime);
  const stored = (name: "date" | "time") => visit.query.get(name) ?? usual[name];
  return page(
    {
      title: "Resend failed events",
      crumbs: [["Webhooks", visit.to("webhooks")]],
      note: `${modeNames[visit.mode]} events, without examples`,
    },
    <Sheet>
      <p>
        We send every event since then that was never delivered once more, with the same ID and body, to the current
        URL: also those dropped while the endpoint was off. Your server has to ignore IDs it has seen.
      </p>
      <Form action={visit.to("webhooks/recover")} submit="Resend failed events" cancelHref={visit.to("webhooks")}>
        <TextField {...typed.field("date", stored("date"))} label="Since" type="date" />
        <TextField
          {...typed.field("time", stored("time"))}
          label="Time"
          hint={`In ${timeZone}`}
          pattern="[0-2]\d:[0-5]\d(:[0-5]\d)?"
          placeholder="14:30"
        />
        <SelectField
          {...typed.field("endpoint", result)}
          label="To"
          isRequired={false}
          placeholder="All endpoints"
          choices={seen.map(({ id, url }) => ({ value: id, label: url }))}
        />
      </Form>
    </Sheet>,
  );
}

/** The instant that day and time name on the deployment's clock; null where they name none. */
function sinceIn(date: string, time: string, wallTime: WallTime): Instant | null {
  const start = wallTime.startOfDay(date);
  const [, hours, minutes] = /^(\d{2}):(\d{2})(?::\d{2})?$/.exec(time) ?? [];
  if (start === null || hours === undefined) return null;
  // The offset is the one near that time: on a day of a change of clocks it is not that of midnight.
  const near = wallTime.format(start + (Number(hours) * 60 + Number(minutes)) * 60_000);
  return parseInstant(`${date}T${time}${near.slice("2026-11-20T14:03:09".length)}`, wallTime, "start");
}

function partsOf(instant: Instant, wallTime: WallTime): { readonly date: string; readonly time: string } {
  const text = wallTime.format(instant);
  return { date: text.slice(0, 10), time: text.slice(11, 19) };
}
