import { isOn } from "../../../domain/webhooks/endpoints/endpoint.ts";
import { disableTimeOf, nextAttemptAt } from "../../../domain/webhooks/endpoints/failing/failing-endpoints.ts";
import { overlapHoursMax, overlapHoursUsual, previousSecretEnd } from "../../../domain/webhooks/endpoints/settings.ts";
import type { Instant } from "../../../kernel/clock.ts";
import type { Refusal } from "../../../kernel/problems.ts";
import type { Form } from "../../kit/form.ts";
import { Facts } from "../../kit/parts/data.tsx";
import { TextField } from "../../kit/parts/fields.tsx";
import { Flash } from "../../kit/parts/form.tsx";
import { ButtonLink, Columns, PageHead, Sheet } from "../../kit/parts/layout.tsx";
import { Moment, type MomentFormat } from "../../kit/parts/text.tsx";
import { type ModeVisit, modePath } from "../../kit/visit.ts";
import { VisitForm } from "../../kit/visit-form.tsx";
import { EndpointFields, storedValues, typedValues } from "./endpoint-fields.tsx";
import { EndpointStatus, type SeenEndpoint, waitingText, whyOff } from "./endpoint-view.tsx";

interface EndpointPageProps {
  readonly visit: ModeVisit;
  readonly seen: SeenEndpoint;
  /** What was typed into the form that was refused; empty otherwise. */
  readonly form: Form;
  readonly refusal: Refusal | null;
  readonly format: MomentFormat;
  readonly now: Instant;
}

/** An endpoint's state, settings and secret. */
export function EndpointPage(props: EndpointPageProps) {
  const { visit, seen, form, refusal } = props;
  const here = modePath(visit, `webhooks/endpoints/${seen.id}`);
  const isSettings = form.has("url");
  const values = isSettings ? typedValues(form) : storedValues(seen.endpoint, seen.url);
  const whole = refusal !== null && refusal.detail.errors === undefined ? refusal.message : null;
  return (
    <>
      <PageHead
        title="Webhook endpoint"
        actions={<ButtonLink href={modePath(visit, "webhooks")}>All endpoints</ButtonLink>}
      >
        <code>{seen.url}</code>
      </PageHead>
      {whole === null ? null : <Flash kind="bad">{whole}</Flash>}
      <StateSheet {...props} here={here} />
      <Columns>
        <Sheet title="Settings">
          <VisitForm visit={visit} action={here} submit="Save">
            <EndpointFields values={values} refusal={isSettings ? refusal : null} />
          </VisitForm>
        </Sheet>
        <SecretSheet {...props} here={here} />
      </Columns>
    </>
  );
}

function StateSheet({ visit, seen, format, here }: EndpointPageProps & { readonly here: string }) {
  const { endpoint, state } = seen;
  const why = whyOff(seen, visit.mode);
  const log = modePath(visit, `webhooks/deliveries?endpoint=${seen.id}`);
  const moment = (at: Instant | null) => (at === null ? "–" : <Moment at={at} format={format} style="full" />);
  const disableAt = disableTimeOf(state);
  return (
    <Sheet title="State" note={`${visit.mode} mode`}>
      <Facts
        facts={[
          { name: "Status", value: <EndpointStatus seen={seen} mode={visit.mode} /> },
          { name: "Waiting", value: waitingText(state) },
          { name: "Next attempt", value: moment(nextAttemptAt(state)) },
          { name: "Failing since", value: moment(state.failingSince) },
          ...(state.pausedUntil === null ? [] : [{ name: "Paused until", value: moment(state.pausedUntil) }]),
          ...(disableAt === null ? [] : [{ name: "Is switched off", value: moment(disableAt) }]),
          { name: "Id", value: <code>{seen.id}</code> },
          { name: "Changed", value: moment(endpoint.updatedAt) },
        ]}
      />
      {why === null ? null : <p>{why}</p>}
      {state.pausedUntil === null ? null : (
        <p>
          After many failures nothing is sent until then; then one attempt finds out whether you are back. A test that
          succeeds ends the pause too.
        </p>
      )}
      {disableAt === null ? null : <p>It is switched off then, unless an attempt succeeds before.</p>}
      {state.pausedUntil === null || !isOn(endpoint) ? null : (
        <VisitForm visit={visit} action={`${here}/on`} submit="End the pause now" />
      )}
      {isOn(endpoint) ? (
        <VisitForm visit={visit} action={`${here}/off`} submit="Switch off" kind="plain" />
      ) : (
        <VisitForm visit={visit} action={`${here}/on`} submit="Switch on" />
      )}
      <div class="buttons">
        <ButtonLink href={log}>Its deliveries</ButtonLink>
        <ButtonLink href={modePath(visit, `webhooks/examples?endpoint=${seen.id}`)}>Send an example</ButtonLink>
        <ButtonLink href={modePath(visit, `webhooks/recover?endpoint=${seen.id}`)}>Recover what failed</ButtonLink>
      </div>
    </Sheet>
  );
}

function SecretSheet(props: EndpointPageProps & { readonly here: string }) {
  const { visit, seen, form, refusal, format, now, here } = props;
  const end = previousSecretEnd(seen.endpoint, now);
  return (
    <Sheet title="Secret">
      <Facts
        facts={[
          { name: "Ends in", value: <code>{seen.endpoint.secretHint ?? "–"}</code> },
          ...(end === null
            ? []
            : [{ name: "The one before", value: <Moment at={end} format={format} style="full" /> }]),
        ]}
      />
      {end === null ? null : <p>The secret before the last rotation signs as well until then.</p>}
      <VisitForm visit={visit} action={`${here}/rotate`} submit="Rotate the secret" kind="plain">
        <TextField
          name="overlap"
          label="Hours that both secrets sign"
          hint="0 ends the present one at once, for a secret that leaked."
          type="number"
          least={0}
          most={overlapHoursMax}
          value={form.has("overlap") ? form.text("overlap") : String(overlapHoursUsual)}
          error={refusal?.detail.errors?.overlap?.join(" ")}
        />
      </VisitForm>
      <p>
        <ButtonLink href={`${here}/remove`} kind="danger">
          Remove the endpoint
        </ButtonLink>
      </p>
    </Sheet>
  );
}
