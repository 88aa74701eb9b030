import { endpointNamed } from "../../../domain/webhooks/endpoints/endpoint-key.ts";
import { listSetEndpoints } from "../../../domain/webhooks/endpoints/endpoints.ts";
import { recoverSince } from "../../../domain/webhooks/log/recover.ts";
import { type Instant, parseInstant, type WallTime } from "../../../kernel/clock.ts";
import { type Refusal, refuseField } from "../../../kernel/problems.ts";
import { type Answer, goTo, type PageAnswer, page } from "../../kit/answer.ts";
import { emptyForm, type Form } from "../../kit/form.ts";
import { SelectField, TextField } from "../../kit/parts/fields.tsx";
import { Flash } from "../../kit/parts/form.tsx";
import { PageHead, Sheet } from "../../kit/parts/layout.tsx";
import { grouped } from "../../kit/parts/list.tsx";
import { statusOf } from "../../kit/refusal-status.ts";
import type { Routes } from "../../kit/routes.ts";
import { type ModeVisit, modePath } from "../../kit/visit.ts";
import { VisitForm } from "../../kit/visit-form.tsx";
import { seeEndpoints } from "./endpoint-view.tsx";
import type { WebhookPageServices } from "./webhook-services.ts";

interface Typed {
  readonly date: string;
  readonly time: string;
  readonly endpoint: string;
}

/** Sends everything again that failed since a time, as after an outage of the receiver. */
export function recoverPages(routes: Routes<ModeVisit>, services: WebhookPageServices): void {
  routes.page("/webhooks/recover", { capability: "develop", show: (visit) => show(services, visit, emptyForm, null) });
  routes.form("/webhooks/recover", {
    capability: "develop",
    doneAt: (visit) => modePath(visit, "webhooks/deliveries"),
    refused: (visit, form, refusal) => show(services, visit, form, refusal),
    send: (visit, form) => recover(services, visit, form),
  });
}

async function recover(services: WebhookPageServices, visit: ModeVisit, form: Form): Promise<Answer> {
  const { database, wallTime, webhooks } = services;
  const since = sinceIn(typedIn(form), wallTime);
  if (since === null) throw refuseField("INVALID_DATE", "date", "Choose a day, and a time such as 14:30.");
  const name = form.text("endpoint");
  const endpoint = name === "" ? null : await endpointNamed(database, visit.wallet, name);
  webhooks.limitRecovery(visit.wallet);
  const wanted = { since, endpointNumber: endpoint?.endpointNumber ?? null };
  const { recovered, nextSince } = await recoverSince(database, visit.wallet, wanted);
  webhooks.wake();
  const said =
    recovered === 1 ? "1 delivery is sent again now." : `${grouped(recovered)} deliveries are sent again now.`;
  if (nextSince === null) return goTo(modePath(visit, "webhooks/deliveries"), said);
  const { date, time } = partsOf(nextSince, wallTime);
  const next = new URLSearchParams({ date, time, endpoint: name });
  return goTo(
    `${modePath(visit, "webhooks/recover")}?${next}`,
    `${said} There are more: once these are through, go on from the time below.`,
  );
}

async function show(
  services: WebhookPageServices,
  visit: ModeVisit,
  form: Form,
  refusal: Refusal | null,
): Promise<PageAnswer> {
  const endpoints = await listSetEndpoints(services.database, visit.wallet);
  const seen = await seeEndpoints(services, visit.wallet, endpoints);
  const asked = visit.query.get("endpoint") ?? "";
  const failing = seen
    .filter(({ id }) => asked === "" || asked === id)
    .flatMap(({ state }) => state.failingSince ?? [])
    .sort((left, right) => left - right);
  const fallback = partsOf(failing[0] ?? services.clock.now() - dayMs, services.wallTime);
  const typed: Typed =
    form.fields.size > 0
      ? typedIn(form)
      : { ...fallback, endpoint: asked, ...definedIn(visit.query, ["date", "time"] as const) };
  const error = (name: string) => refusal?.detail.errors?.[name]?.join(" ");
  return page(
    "Recover what failed",
    <>
      <PageHead title="Recover what failed">{`Of ${visit.mode} mode. Examples are left out.`}</PageHead>
      <Sheet>
        {refusal === null || refusal.detail.errors !== undefined ? null : <Flash kind="bad">{refusal.message}</Flash>}
        <p>
          Every event that happened since then and was never delivered is sent once more, with the same id and body, to
          the present URL: what failed for good, what was dropped while the endpoint was off, and what waits for its
          next attempt. Your receiver must know an id that it has seen before.
        </p>
        <VisitForm
          visit={visit}
          action={modePath(visit, "webhooks/recover")}
          submit="Send all of it again"
          cancelHref={modePath(visit, "webhooks")}
        >
          <TextField name="date" label="Since the day" type="date" value={typed.date} error={error("date")} />
          <TextField
            name="time"
            label="At"
            hint={`On this service's clock, ${services.timeZone}.`}
            value={typed.time}
            pattern="[0-2]\d:[0-5]\d(:[0-5]\d)?"
            placeholder="14:30"
          />
          <SelectField
            name="endpoint"
            label="To"
            isRequired={false}
            placeholder="all endpoints"
            choices={seen.map(({ id, url }) => ({ value: id, label: url }))}
            value={typed.endpoint}
          />
        </VisitForm>
      </Sheet>
    </>,
    { status: statusOf(refusal) },
  );
}

const dayMs = 86_400_000;

function typedIn(form: Form): Typed {
  return { date: form.text("date"), time: form.text("time"), endpoint: form.text("endpoint") };
}

function definedIn<Name extends string>(query: ReadonlyMap<string, string>, names: readonly Name[]) {
  const found = names.flatMap((name) => (query.has(name) ? [[name, query.get(name) ?? ""] as const] : []));
  return Object.fromEntries(found) as Partial<Record<Name, string>>;
}

/** The instant that day and time name on the deployment's clock; null where they name none. */
function sinceIn({ date, time }: Pick<Typed, "date" | "time">, wallTime: WallTime): Instant | null {
  const start = wallTime.startOfDay(date);
  const [, hours, minutes] = /^(\d{2}):(\d{2})(?::\d{2})?$/.exec(time) ?? [];
  if (start === null || hours === undefined) return null;
  // The offset is the one near that time: on a day of a change of clocks it is not that of midnight.
  const near = wallTime.format(start + (Number(hours) * 60 + Number(minutes)) * 60_000);
  return parseInstant(`${date}T${time}${near.slice("2026-11-20T14:03:09".length)}`, wallTime, "start");
}

function partsOf(instant: Instant, wallTime: WallTime): Pick<Typed, "date" | "time"> {
  const text = wallTime.format(instant);
  return { date: text.slice(0, 10), time: text.slice(11, 19) };
}
