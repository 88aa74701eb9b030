import { bodyBytesMax, type DeliveryId, parseDeliveryId } from "../../../domain/webhooks/events/event.ts";
import { listKnownSecrets, signExample } from "../../../domain/webhooks/known-secrets.ts";
import { findDeliveryBody } from "../../../domain/webhooks/log/delivery-queries.ts";
import { listLog } from "../../../domain/webhooks/log/log.ts";
import {
  diagnoseSignature,
  readPastedHeaders,
  type SignatureFault,
} from "../../../domain/webhooks/signature-diagnosis.ts";
import { type Refusal, refuse } from "../../../kernel/problems.ts";
import { type PageAnswer, page } from "../../answer.ts";
import type { Form } from "../../form.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { PasswordField, TextAreaField, TextField } from "../../parts/field.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { Sheet } from "../../parts/sheet.tsx";
import { statusOf } from "../../refusal-status.ts";
import type { Routes } from "../../routes.ts";
import { type ModeVisit, modePath } from "../../visit.ts";
import { VisitForm } from "../../visit-form.tsx";
import { type ToldFault, toldFault, toldOfOwnCode } from "./fault-words.ts";
import type { WebhookPageServices } from "./webhook-services.ts";

const headersMax = 8_000;
const anyAttempt = {
  ...{ successful: null, event: null, reference: null, deliveryId: null, endpointNumber: null, maxId: null },
};

/**
 * Says why a signature fails. The secret that is pasted is used for the one answer: it is not kept, not logged, not in an
 * address, and not in the page that answers.
 */
export function testerPages(routes: Routes<ModeVisit>, services: WebhookPageServices): void {
  routes.page("/webhooks/tester", {
    capability: "develop",
    async show(visit) {
      const id = parseDeliveryId(visit.query.get("delivery") ?? "");
      const filled = id === null ? nothingTyped : await exampleFields(services, visit, id);
      return testerPage(visit, {
        fields: filled,
        refusal: null,
        results: null,
        latest: await latestOf(services, visit),
      });
    },
  });
  routes.form("/webhooks/tester", {
    capability: "develop",
    isHarmless: true,
    doneAt: (visit) => modePath(visit, "webhooks/tester"),
    refused: async (visit, form, refusal) =>
      testerPage(visit, { fields: fieldsIn(form), refusal, results: null, latest: await latestOf(services, visit) }),
    async send(visit, form) {
      const results = await diagnose(services, visit, form);
      return testerPage(visit, {
        ...{ fields: fieldsIn(form), refusal: null, results },
        latest: await latestOf(services, visit),
      });
    },
  });
}

/** The fields of the form but for the secret, which is never shown again. */
interface Fields {
  readonly headers: string;
  readonly body: string;
  /** The signature that the receiver's own code made; "" where none was pasted. */
  readonly computed: string;
}

const nothingTyped: Fields = { headers: "", body: "", computed: "" };

function fieldsIn(form: Form): Fields {
  return { headers: form.raw("headers"), body: form.raw("body"), computed: form.text("computed") };
}

interface Results {
  /** Of the signature in the headers. */
  readonly received: readonly SignatureFault[];
  /** Of the one that the receiver's code made; null where none was pasted. */
  readonly computed: readonly SignatureFault[] | null;
}

async function diagnose(services: WebhookPageServices, visit: ModeVisit, form: Form): Promise<Results> {
  const { database, webhooks, clock } = services;
  const { headers: pasted, body, computed } = fieldsIn(form);
  const secret = form.text("secret");
  const errors: Record<string, string[]> = {};
  if (secret === "") errors.secret = ["Paste the secret: it is not kept from one test to the next."];
  if (body === "") errors.body = ["Paste the body as it came."];
  if (Buffer.byteLength(body) > bodyBytesMax) errors.body = ["Is longer than any body that is sent."];
  if (pasted.length > headersMax) errors.headers = ["Paste the three headers that begin with webhook-."];
  if (Object.keys(errors).length > 0) throw refuse("VALIDATION_ERROR", { errors });
  const headers = readPastedHeaders(pasted);
  const id = parseDeliveryId(headers.id ?? "");
  const [sent, known] = await Promise.all([
    id === null ? null : findDeliveryBody(database, visit.wallet, id),
    listKnownSecrets({ database, secretBox: webhooks.secretBox }, visit.wallet),
  ]);
  const evidence = { secret, headers, body, now: clock.now(), sent, known };
  return {
    received: diagnoseSignature(evidence),
    computed: computed === "" ? null : diagnoseSignature({ ...evidence, headers: { ...headers, signature: computed } }),
  };
}

/** A delivery of the merchant's own as it would come in now. */
async function exampleFields(services: WebhookPageServices, visit: ModeVisit, id: DeliveryId): Promise<Fields> {
  const { database, webhooks, clock } = services;
  const sealed = { database, secretBox: webhooks.secretBox };
  const example = await signExample(sealed, visit.wallet, id, clock.now());
  if (example === null) return nothingTyped;
  const lines = Object.entries(example.headers).map(([name, value]) => `${name}: ${value}`);
  return { ...nothingTyped, headers: lines.join("\n"), body: example.body };
}

/** The last delivery that was sent, to test against; null where there is none. */
async function latestOf({ database }: WebhookPageServices, { wallet }: ModeVisit): Promise<DeliveryId | null> {
  const { attempts } = await listLog(database, wallet, anyAttempt, { page: 1, perPage: 1 });
  return attempts[0]?.deliveryId ?? null;
}

interface TesterProps {
  readonly fields: Fields;
  readonly refusal: Refusal | null;
  readonly results: Results | null;
  readonly latest: DeliveryId | null;
}

function testerPage(visit: ModeVisit, { fields, refusal, results, latest }: TesterProps): PageAnswer {
  const error = (name: string) => refusal?.detail.errors?.[name]?.join(" ");
  const here = modePath(visit, "webhooks/tester");
  return page(
    "Signature tester",
    <>
      <PageHead
        title="Signature tester"
        actions={
          latest === null ? undefined : (
            <ButtonLink href={`${here}?delivery=${latest}`}>Fill in your last delivery</ButtonLink>
          )
        }
      >
        Paste what your receiver has; it says why the signature fails.
      </PageHead>
      {results === null ? null : <ResultSheets {...results} />}
      <Sheet>
        <VisitForm visit={visit} action={here} submit="Test the signature">
          <PasswordField
            name="secret"
            label="Secret"
            hint="As your receiver has it. It is used for this one test, and neither kept nor shown again."
            error={error("secret")}
          />
          <TextAreaField
            name="headers"
            label="Headers as they came"
            hint="With webhook-id, webhook-timestamp and webhook-signature among them."
            rows={4}
            value={fields.headers}
            error={error("headers")}
            isCode
          />
          <TextAreaField
            name="body"
            label="Body as it came"
            rows={8}
            value={fields.body}
            error={error("body")}
            isCode
          />
          <TextField
            name="computed"
            label="The signature that your own code makes of it"
            value={fields.computed}
            isRequired={false}
            isCode
          />
        </VisitForm>
      </Sheet>
    </>,
    { status: statusOf(refusal) },
  );
}

function ResultSheets({ received, computed }: Results) {
  return (
    <>
      <ResultSheet title="The signature that came" faults={received} told={toldFault} />
      {computed === null ? null : (
        <ResultSheet title="The signature of your own code" faults={computed} told={toldOfOwnCode} />
      )}
    </>
  );
}

interface ResultProps {
  readonly title: string;
  readonly faults: readonly SignatureFault[];
  /** How faults are told. */
  readonly told: (fault: SignatureFault) => ToldFault;
}

function ResultSheet({ title, faults, told }: ResultProps) {
  if (faults.length === 0) {
    return (
      <Sheet title={title}>
        <p role="status">
          <strong>It is right.</strong> Secret, headers and body belong together.
        </p>
      </Sheet>
    );
  }
  return (
    <Sheet title={title}>
      <div role="status" class="stack">
        {faults.map(told).map((fault) => (
          <p key={fault.title}>
            <strong>{fault.title}.</strong> {fault.text}
          </p>
        ))}
      </div>
    </Sheet>
  );
}
