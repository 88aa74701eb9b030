import { type Endpoint, isOn, splitUrl } from "../../../domain/webhooks/endpoints/endpoint.ts";
import {
  changeEndpoint,
  createEndpoint,
  endpointKeyFor,
  endpointNamed,
  removeEndpoint,
} from "../../../domain/webhooks/endpoints/endpoints.ts";
import { disableTimeOf, nextAttemptAt } from "../../../domain/webhooks/endpoints/failing/failing-endpoints.ts";
import {
  overlapHoursMax,
  overlapHoursUsual,
  previousSecretEnd,
  type SettingsChange,
  type SettingsServices,
} from "../../../domain/webhooks/endpoints/settings.ts";
import type { Instant } from "../../../kernel/clock.ts";
import { refuse, refuseField } from "../../../kernel/problems.ts";
import { type Answer, goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import { askFirst } from "../../kit/ask-first.tsx";
import { type Form as SentForm, type Typed, untouched } from "../../kit/form.ts";
import { modeNames } from "../../kit/page.tsx";
import { Facts, Secret } from "../../kit/parts/data.tsx";
import { TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { ButtonLink, Buttons, Columns, Sheet } from "../../kit/parts/layout.tsx";
import { Moment } from "../../kit/parts/text.tsx";
import { refuseStale, seen as shown } from "../../kit/stale.ts";
import { type ModeRoutes, type ModeVisit, useVisit } from "../access.ts";
import { changing } from "../exports.ts";
import type { MerchantServices } from "../services.ts";
import {
  changeIn,
  EndpointFields,
  EndpointStatus,
  noChange,
  type SeenEndpoint,
  seeEndpoints,
  settingsText,
  usualSettings,
  waitingText,
  whyOff,
} from "./endpoint-fields.tsx";

const capability = "develop";
const pathOf = (visit: ModeVisit) => visit.to(`webhooks/endpoints/${encodeURIComponent(visit.param("id"))}`);
const all = (visit: ModeVisit) => visit.to("webhooks");

/** One endpoint: its settings, its switch, its secret, its end. */
export function endpointPages(routes: ModeRoutes, services: MerchantServices): void {
  routes.both("/webhooks/endpoints/new", {
    capability,
    doneAt: all,
    show: newPage,
    async send(visit, form) {
      const change = changeIn(form);
      const details = { url: splitUrl(change.url).url };
      const saving = savingAs(services, visit, "console webhook add", details);
      const { secret } = await createEndpoint(saving, visit.wallet, change);
      return secretPage(visit, { title: "Endpoint added", secret: secret ?? "" });
    },
  });

  const one = "/webhooks/endpoints/:id";
  const change = {
    capability,
    doneAt: pathOf,
    show: async (visit: ModeVisit, typed: Typed) =>
      endpointPage(visit, await seenIn(services, visit), typed, services.clock.now()),
  } as const;
  const turn = (enabled: boolean) => (visit: ModeVisit) => save(services, visit, { ...noChange, enabled });
  routes.both(one, { ...change, send: (visit, form) => saveSettings(services, visit, form) });
  routes.form(`${one}/on`, { ...change, send: turn(true) });
  routes.form(`${one}/off`, { ...change, send: turn(false) });
  routes.form(`${one}/rotate`, { ...change, send: (visit, form) => rotate(services, visit, form) });

  routes.both(
    `${one}/remove`,
    askFirst({
      ...{ capability, doneAt: all },
      ask: async (visit) => ({
        title: "Remove this endpoint",
        note: <code>{(await seenIn(services, visit)).url}</code>,
        text: (
          <p>
            Events that are waiting for it, live and test, are dropped, and its secret stops working. Its deliveries
            stay in the log. To stop for a while, turn it off instead.
          </p>
        ),
        submit: "Remove endpoint",
        cancelHref: pathOf(visit),
      }),
      async send(visit) {
        const id = visit.param("id");
        const key = endpointKeyFor(visit.wallet, id);
        await removeEndpoint(savingAs(services, visit, "console webhook remove", { id }), key);
        return goTo(all(visit), "Endpoint removed. Its deliveries stay in the log.");
      },
    }),
  );
}

/** For a change of an endpoint by the visit's person, with its entry in the audit log. */
function savingAs(
  services: MerchantServices,
  visit: ModeVisit,
  command: string,
  details: Readonly<Record<string, unknown>>,
): SettingsServices {
  const { webhooks, clock } = services;
  return { ...webhooks, clock, database: changing(services, visit, { command, details }) };
}

/** @throws Refusal ENDPOINT_NOT_FOUND */
async function seenIn(services: MerchantServices, visit: ModeVisit): Promise<SeenEndpoint> {
  const endpoint = await endpointNamed(services.database, visit.wallet, visit.param("id"));
  const [seen] = await seeEndpoints(services, visit, [endpoint]);
  if (seen === undefined) throw refuse("ENDPOINT_NOT_FOUND");
  return seen;
}

async function saveSettings(services: MerchantServices, visit: ModeVisit, form: SentForm): Promise<Answer> {
  const change = changeIn(form);
  refuseStale(form, settingsText(await seenIn(services, visit)));
  return save(services, visit, change);
}

/** Carries a change of an endpoint out; what it did is said on its page. */
async function save(services: MerchantServices, visit: ModeVisit, change: SettingsChange): Promise<Answer> {
  const { events, notify, mode, enabled } = change;
  const id = visit.param("id");
  const url = typeof change.url === "string" ? splitUrl(change.url).url : undefined;
  const saving = savingAs(services, visit, "console webhook change", { id, url, events, notify, mode, enabled });
  await changeEndpoint(saving, endpointKeyFor(visit.wallet, id), change);
  const here = pathOf(visit);
  if (enabled === undefined) return goTo(here, "Saved. The settings apply to events from now on.");
  if (!enabled) return goTo(here, "Endpoint turned off. Events are not sent or kept while it’s off.");
  services.webhooks.wake();
  return goTo(here, "Endpoint turned on. Waiting events are sent now.");
}

async function rotate(services: MerchantServices, visit: ModeVisit, form: SentForm): Promise<Answer> {
  const overlapHours = Number(form.text("overlap") || "NaN");
  if (!Number.isInteger(overlapHours) || overlapHours < 0 || overlapHours > overlapHoursMax) {
    throw refuseField("VALIDATION_ERROR", "overlap", `Enter whole hours from 0 to ${overlapHoursMax}.`);
  }
  const id = visit.param("id");
  const saving = savingAs(services, visit, "console webhook rotate", { id, overlapHours });
  const change = { ...noChange, rotateSecret: true, overlapHours };
  const { secret } = await changeEndpoint(saving, endpointKeyFor(visit.wallet, id), change);
  const note =
    overlapHours === 0
      ? "Copy it now; you won’t see it again. The old secret has stopped: put this one on your server now."
      : `Copy it now; you won’t see it again. We also sign with the old secret for ${overlapHours} more hours.`;
  return secretPage(visit, { title: "Secret replaced", secret: secret ?? "", note });
}

function newPage(visit: ModeVisit, typed: Typed): PageAnswer {
  return page(
    {
      title: "Add an endpoint",
      crumbs: [["Webhooks", all(visit)]],
      note: "Choose which events to send here.",
    },
    <Sheet>
      <Form action={visit.to("webhooks/endpoints/new")} submit="Add endpoint" cancelHref={all(visit)}>
        <EndpointFields stored={usualSettings} typed={typed} />
      </Form>
    </Sheet>,
  );
}

/** The only page that shows a secret: the answer to the form itself, so that no reload shows it again. */
function secretPage(
  visit: ModeVisit,
  { title, secret, note }: { readonly title: string; readonly secret: string; readonly note?: string },
): PageAnswer {
  return page(
    { title, crumbs: [["Webhooks", all(visit)]], note: "We sign every event for this endpoint with its secret." },
    <Sheet>
      <Secret label="Signing secret" value={secret} {...(note === undefined ? {} : { note })} />
      <p>
        Give it to your Standard Webhooks library as it is, with <code>whsec_</code>. If a signature fails, the
        signature tester says why.
      </p>
      <Buttons>
        <ButtonLink href={visit.to("webhooks/examples")} kind="main">
          Send example
        </ButtonLink>
        <ButtonLink href={visit.to("webhooks/tester")}>Signature tester</ButtonLink>
      </Buttons>
    </Sheet>,
  );
}

/** An endpoint's state, settings and secret. */
function endpointPage(visit: ModeVisit, seen: SeenEndpoint, typed: Typed, now: Instant): PageAnswer {
  const here = visit.to(`webhooks/endpoints/${seen.id}`);
  const settings = typed.form.has("url") ? typed : untouched;
  return page(
    {
      title: "Webhook endpoint",
      crumbs: [["Webhooks", all(visit)]],
      state: <EndpointStatus seen={seen} mode={visit.mode} />,
      note: <code>{seen.url}</code>,
    },
    <>
      <StateSheet seen={seen} here={here} />
      <Columns>
        <Sheet title="Settings">
          <Form action={here} submit="Save settings" hidden={shown(settingsText(seen))}>
            <EndpointFields stored={{ ...seen.endpoint, url: seen.url }} typed={settings} />
          </Form>
        </Sheet>
        <SecretSheet {...{ ...seen, typed, now, here }} />
      </Columns>
    </>,
  );
}

function StateSheet({ seen, here }: { readonly seen: SeenEndpoint; readonly here: string }) {
  const visit = useVisit();
  const { endpoint, state, id } = seen;
  const why = whyOff(seen, visit.mode);
  const moment = (at: Instant | null) => at && <Moment at={at} style="full" />;
  const disableAt = disableTimeOf(state);
  const isPaused = state.pausedUntil !== null;
  return (
    <Sheet title="Sending" note={`${modeNames[visit.mode]} events`}>
      <Facts
        facts={{
          Waiting: waitingText(state),
          "Next try": moment(nextAttemptAt(state)),
          "Failing since": moment(state.failingSince),
          "Paused until": moment(state.pausedUntil),
          "Turned off": moment(disableAt),
          ID: <code>{id}</code>,
          Changed: moment(endpoint.updatedAt),
        }}
      />
      {why === null ? null : <p>{why}</p>}
      {isPaused ? (
        <p>Many tries failed, so we wait until then and try once. An example that is delivered ends the pause too.</p>
      ) : null}
      {disableAt === null ? null : <p>We turn the endpoint off then, unless a try succeeds before.</p>}
      {isPaused && isOn(endpoint) ? <Form action={`${here}/on`} submit="End pause now" /> : null}
      {isOn(endpoint) ? (
        <Form action={`${here}/off`} submit="Turn off" kind="plain" />
      ) : (
        <Form action={`${here}/on`} submit="Turn on" />
      )}
      <Buttons>
        <ButtonLink href={visit.to(`webhooks/deliveries?endpoint=${id}`)}>See deliveries</ButtonLink>
        <ButtonLink href={visit.to(`webhooks/examples?endpoint=${id}`)}>Send example</ButtonLink>
        <ButtonLink href={visit.to(`webhooks/recover?endpoint=${id}`)}>Resend failed events</ButtonLink>
      </Buttons>
    </Sheet>
  );
}

function SecretSheet(props: { readonly endpoint: Endpoint; typed: Typed; now: Instant; here: string }) {
  const { endpoint, typed, now, here } = props;
  const end = previousSecretEnd(endpoint, now);
  return (
    <Sheet title="Secret">
      <Facts
        facts={{
          "Ends in": endpoint.secretHint && <code>{endpoint.secretHint}</code>,
          "Old secret until": end && <Moment at={end} style="full" />,
        }}
      />
      {end === null ? null : <p>Until then we sign with both secrets.</p>}
      <Form action={`${here}/rotate`} submit="Replace secret" kind="plain">
        <TextField
          {...typed.field("overlap", String(overlapHoursUsual))}
          label="Hours to sign with both secrets"
          hint="0 stops the old secret now. Choose this if it leaked."
          type="number"
          least={0}
          most={overlapHoursMax}
        />
      </Form>
      <p>
        <ButtonLink href={`${here}/remove`} kind="danger">
          Remove endpoint
        </ButtonLink>
      </p>
    </Sheet>
  );
}
