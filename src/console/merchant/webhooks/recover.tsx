import { endpointNamed, listSetEndpoints } from "../../../domain/webhooks/endpoints/endpoints.ts";
import { recoverSince } from "../../../domain/webhooks/log/recover.ts";
import { type Instant, parseInstant, type WallTime } from "../../../kernel/clock.ts";
import { refuseField } from "../../../kernel/problems.ts";
import { type Answer, goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import type { Form as SentForm } from "../../kit/form.ts";
import { SelectField, TextField } from "../../kit/parts/fields.tsx";
import { Flash, Form } from "../../kit/parts/form.tsx";
import { Sheet } from "../../kit/parts/layout.tsx";
import { grouped } from "../../kit/parts/text.tsx";
import type { Typed } from "../../kit/typed.ts";
import type { MerchantServices } from "../services.ts";
import type { ModeRoutes, ModeVisit } from "../visit.ts";
import { seeEndpoints } from "./seen-endpoint.tsx";

const dayMs = 86_400_000;

/** Sends everything again that failed since a time, as after an outage of the receiver. */
export function recoverPages(routes: ModeRoutes, services: MerchantServices): void {
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
  if (since === null) throw refuseField("INVALID_DATE", "date", "Choose a day, and a time such as 14:30.");
  const name = form.text("endpoint");
  const endpoint = name === "" ? null : await endpointNamed(database, visit.wallet, name);
  webhooks.limitRecovery(visit.wallet);
  const wanted = { since, endpointNumber: endpoint?.endpointNumber ?? null };
  const { recovered, nextSince } = await recoverSince(database, visit.wallet, wanted);
  webhooks.wake();
  const said =
    recovered === 1 ? "1 delivery is sent again now." : `${grouped(recovered)} deliveries are sent again now.`;
  if (nextSince === null) return goTo(visit.to("webhooks/deliveries"), said);
  const next = new URLSearchParams({ ...partsOf(nextSince, wallTime), endpoint: name });
  const more = `${said} There are more: once these are through, go on from the time below.`;
  return goTo(visit.to(`webhooks/recover?${next}`), more);
}

async function recoverPage(services: MerchantServices, visit: ModeVisit, typed: Typed): Promise<PageAnswer> {
  const { database, clock, wallTime, timeZone } = services;
  const seen = await seeEndpoints(services, visit.wallet, await listSetEndpoints(database, visit.wallet));
  const asked = visit.query.get("endpoint") ?? "";
  const [failingSince = clock.now() - dayMs] = seen
    .filter(({ id }) => asked === "" || asked === id)
    .flatMap(({ state }) => state.failingSince ?? [])
    .sort((left, right) => left - right);
  const usual = partsOf(failingSince, wallTime);
  const stored = (name: "date" | "time") => visit.query.get(name) ?? usual[name];
  return page(
    { title: "Recover what failed", note: `Of ${visit.mode} mode. Examples are left out.`, status: typed.status },
    <Sheet>
      {typed.whole === null ? null : <Flash kind="bad">{typed.whole}</Flash>}
      <p>
        Every event that happened since then and was never delivered is sent once more, with the same id and body, to
        the present URL: what failed for good, what was dropped while the endpoint was off, and what waits for its next
        attempt. Your receiver must know an id that it has seen before.
      </p>
      <Form action={visit.to("webhooks/recover")} submit="Send all of it again" cancelHref={visit.to("webhooks")}>
        <TextField {...typed.field("date", stored("date"))} label="Since the day" type="date" />
        <TextField
          {...typed.field("time", stored("time"))}
          label="At"
          hint={`On this service's clock, ${timeZone}.`}
          pattern="[0-2]\d:[0-5]\d(:[0-5]\d)?"
          placeholder="14:30"
        />
        <SelectField
          {...typed.field("endpoint", asked)}
          label="To"
          isRequired={false}
          placeholder="all endpoints"
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
