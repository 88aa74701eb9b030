import { endpointKeyFor, endpointNamed } from "../../../domain/webhooks/endpoints/endpoint-key.ts";
import { splitUrl } from "../../../domain/webhooks/endpoints/endpoint-url.ts";
import { changeEndpoint, createEndpoint, removeEndpoint } from "../../../domain/webhooks/endpoints/endpoints.ts";
import { overlapHoursMax, type SettingsChange } from "../../../domain/webhooks/endpoints/settings.ts";
import { Refusal, refuseField } from "../../../kernel/problems.ts";
import { type Answer, goTo, type PageAnswer, page } from "../../kit/answer.ts";
import { emptyForm, type Form } from "../../kit/form.ts";
import { notFoundPage } from "../../kit/gate-pages.tsx";
import { Secret } from "../../kit/parts/data.tsx";
import { ButtonLink, PageHead, Sheet } from "../../kit/parts/layout.tsx";
import { momentFormat } from "../../kit/parts/text.tsx";
import { statusOf } from "../../kit/refusal-status.ts";
import type { Routes } from "../../kit/routes.ts";
import { type ModeVisit, modePath } from "../../kit/visit.ts";
import { VisitForm } from "../../kit/visit-form.tsx";
import { changeIn, EndpointFields, newEndpointValues, noChange, typedValues } from "./endpoint-fields.tsx";
import { EndpointPage } from "./endpoint-page.tsx";
import { seeEndpoints } from "./endpoint-view.tsx";
import { savingAs, type WebhookPageServices } from "./webhook-services.ts";

/** One endpoint: its settings, its switch, its secret, its end. */
export function endpointPages(routes: Routes<ModeVisit>, services: WebhookPageServices): void {
  const format = momentFormat(services.timeZone);

  routes.page("/webhooks/endpoints/new", {
    capability: "develop",
    show: (visit) => newPage(visit, emptyForm, null),
  });
  routes.form("/webhooks/endpoints/new", {
    capability: "develop",
    doneAt: (visit) => modePath(visit, "webhooks"),
    refused: newPage,
    async send(visit, form) {
      const change = changeIn(form);
      const details = { url: splitUrl(change.url).url };
      const saving = savingAs(services, visit, { command: "console webhook add", details });
      const { secret } = await createEndpoint(saving, visit.wallet, change);
      return secretPage(visit, { title: "The endpoint is added", secret: secret ?? "" });
    },
  });

  const show = async (visit: ModeVisit, form: Form, refusal: Refusal | null): Promise<PageAnswer> => {
    try {
      const endpoint = await endpointNamed(services.database, visit.wallet, idIn(visit));
      const [seen] = await seeEndpoints(services, visit.wallet, [endpoint]);
      if (seen === undefined) return notFoundPage();
      const shown = { visit, seen, form, refusal, format, now: services.clock.now() };
      return page("Webhook endpoint", <EndpointPage {...shown} />, { status: statusOf(refusal) });
    } catch (error) {
      if (error instanceof Refusal && error.code === "ENDPOINT_NOT_FOUND") return notFoundPage();
      throw error;
    }
  };
  const one = "/webhooks/endpoints/:id";
  routes.page(one, { capability: "develop", show: (visit) => show(visit, emptyForm, null) });
  const form = { capability: "develop", doneAt: placeOf, refused: show } as const;
  routes.form(one, { ...form, send: (visit, sent) => save(services, visit, changeIn(sent)) });
  routes.form(`${one}/on`, { ...form, send: (visit) => save(services, visit, { ...noChange, enabled: true }) });
  routes.form(`${one}/off`, { ...form, send: (visit) => save(services, visit, { ...noChange, enabled: false }) });
  routes.form(`${one}/rotate`, { ...form, send: (visit, sent) => rotate(services, visit, sent) });

  routes.page(`${one}/remove`, { capability: "develop", show: (visit) => removePage(services, visit) });
  routes.form(`${one}/remove`, {
    ...form,
    doneAt: (visit) => modePath(visit, "webhooks"),
    async send(visit) {
      const key = endpointKeyFor(visit.wallet, idIn(visit));
      const saving = savingAs(services, visit, { command: "console webhook remove", details: { id: idIn(visit) } });
      await removeEndpoint(saving, key);
      return goTo(modePath(visit, "webhooks"), "The endpoint is removed. Its deliveries stay in the log.");
    },
  });
}

/** Carries a change of an endpoint out; what it did is said on its page. */
async function save(services: WebhookPageServices, visit: ModeVisit, change: SettingsChange): Promise<Answer> {
  const { events, notify, mode, enabled } = change;
  const url = typeof change.url === "string" ? splitUrl(change.url).url : undefined;
  const details = { id: idIn(visit), url, events, notify, mode, enabled };
  const saving = savingAs(services, visit, { command: "console webhook change", details });
  await changeEndpoint(saving, endpointKeyFor(visit.wallet, idIn(visit)), change);
  if (enabled === undefined)
    return goTo(placeOf(visit), "The settings are saved, and hold for what happens from now on.");
  if (!enabled) return goTo(placeOf(visit), "The endpoint is switched off: nothing is sent to it.");
  services.webhooks.wake();
  return goTo(placeOf(visit), "The endpoint is on: what waits for it is sent now.");
}

async function rotate(services: WebhookPageServices, visit: ModeVisit, form: Form): Promise<Answer> {
  const overlapHours = Number(form.text("overlap") || "NaN");
  if (!Number.isInteger(overlapHours) || overlapHours < 0 || overlapHours > overlapHoursMax) {
    throw refuseField("VALIDATION_ERROR", "overlap", `Must be whole hours from 0 to ${overlapHoursMax}.`);
  }
  const details = { id: idIn(visit), overlapHours };
  const saving = savingAs(services, visit, { command: "console webhook rotate", details });
  const change = { ...noChange, rotateSecret: true, overlapHours };
  const { secret } = await changeEndpoint(saving, endpointKeyFor(visit.wallet, idIn(visit)), change);
  const note =
    overlapHours === 0
      ? "The secret before it signs no more. This one is shown this once: put it into your receiver now."
      : `The secret before it signs beside it for ${overlapHours} hours. This one is shown this once: put it into your receiver.`;
  return secretPage(visit, { title: "The secret is rotated", secret: secret ?? "", note });
}

function newPage(visit: ModeVisit, form: Form, refusal: Refusal | null): PageAnswer {
  const values = form.fields.size === 0 ? newEndpointValues : typedValues(form);
  return page(
    "Add an endpoint",
    <>
      <PageHead title="Add an endpoint">Both modes share it; what it hears of, you choose.</PageHead>
      <Sheet>
        <VisitForm
          visit={visit}
          action={modePath(visit, "webhooks/endpoints/new")}
          submit="Add, and show its secret"
          error={refusal?.detail.errors === undefined ? refusal?.message : null}
          cancelHref={modePath(visit, "webhooks")}
        >
          <EndpointFields values={values} refusal={refusal} />
        </VisitForm>
      </Sheet>
    </>,
    { status: statusOf(refusal) },
  );
}

/** The only page that shows a secret: the answer to the form itself, so that no reload shows it again. */
function secretPage(
  visit: ModeVisit,
  { title, secret, note }: { readonly title: string; readonly secret: string; readonly note?: string },
): PageAnswer {
  return page(
    title,
    <>
      <PageHead title={title}>It signs every event that is sent there.</PageHead>
      <Sheet>
        <Secret label="The signing secret" value={secret} {...(note === undefined ? {} : { note })} />
        <p>
          Give it to your Standard Webhooks library as it is, with <code>whsec_</code>. Does a signature fail? The
          signature tester says why.
        </p>
        <div class="buttons">
          <ButtonLink href={modePath(visit, "webhooks/examples")} kind="main">
            Send an example
          </ButtonLink>
          <ButtonLink href={modePath(visit, "webhooks/tester")}>Signature tester</ButtonLink>
          <ButtonLink href={modePath(visit, "webhooks")}>All endpoints</ButtonLink>
        </div>
      </Sheet>
    </>,
  );
}

async function removePage(services: WebhookPageServices, visit: ModeVisit): Promise<PageAnswer> {
  const endpoint = await endpointNamed(services.database, visit.wallet, idIn(visit)).catch(() => null);
  const [seen] = endpoint === null ? [] : await seeEndpoints(services, visit.wallet, [endpoint]);
  if (seen === undefined) return notFoundPage();
  const title = "Remove this endpoint?";
  return page(
    title,
    <>
      <PageHead title={title}>
        <code>{seen.url}</code>
      </PageHead>
      <Sheet>
        <p>
          What still waits for it, in live and test, is dropped, and its secret ends. Its deliveries stay in the log. To
          stop for a while, switch it off instead.
        </p>
        <VisitForm
          visit={visit}
          action={`${placeOf(visit)}/remove`}
          submit="Remove the endpoint"
          kind="danger"
          cancelHref={placeOf(visit)}
        />
      </Sheet>
    </>,
  );
}

function idIn({ request }: ModeVisit): string {
  return (request.params as { readonly id: string }).id;
}

function placeOf(visit: ModeVisit): string {
  return modePath(visit, `webhooks/endpoints/${encodeURIComponent(idIn(visit))}`);
}
