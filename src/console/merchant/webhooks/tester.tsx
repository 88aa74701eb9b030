import { bodyBytesMax, parseDeliveryId } from "../../../domain/webhooks/events/event.ts";
import { findDeliveryBody } from "../../../domain/webhooks/log/delivery-queries.ts";
import { listLog } from "../../../domain/webhooks/log/log.ts";
import {
  diagnoseSignature,
  listKnownSecrets,
  readPastedHeaders,
  type SignatureFault,
  signExample,
} from "../../../domain/webhooks/signature-diagnosis.ts";
import { refuse } from "../../../kernel/problems.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { emptyForm, formOf, type Form as SentForm, type Typed, typedForm } from "../../kit/form.ts";
import { PasswordField, TextAreaField, TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { ButtonLink, Sheet } from "../../kit/parts/layout.tsx";
import type { ModeRoutes, ModeVisit } from "../access.ts";
import type { MerchantServices } from "../services.ts";
import { type FaultText, faultText, ownRefusalText } from "./fault-texts.ts";

const headersMax = 8_000;
const anyAttempt = {
  ...{ successful: null, event: null, reference: null, deliveryId: null, endpointNumber: null, maxId: null },
};

/**
 * Says why a signature fails. The secret that is pasted is used for the one answer: it is not kept, not logged, not in an
 * address, and not in the page that answers.
 */
export function testerPages(routes: ModeRoutes, services: MerchantServices): void {
  routes.both("/webhooks/tester", {
    capability: "test_signatures",
    isHarmless: true,
    doneAt: (visit) => visit.to("webhooks/tester"),
    async show(visit, typed) {
      const isTyped = typed.form.fields.size > 0;
      return testerPage(services, visit, isTyped ? typed : typedForm(await exampleForm(services, visit), null), null);
    },
    send: async (visit, form) =>
      testerPage(services, visit, typedForm(form, null), await diagnose(services, visit, form)),
  });
}

interface Results {
  /** Of the signature in the headers. */
  readonly received: readonly SignatureFault[];
  /** Of the one that the receiver's code made; null where none was pasted. */
  readonly computed: readonly SignatureFault[] | null;
}

async function diagnose(services: MerchantServices, visit: ModeVisit, form: SentForm): Promise<Results> {
  const { database, webhooks, clock } = services;
  const [pasted, body] = [form.raw("headers"), form.raw("body")];
  const [secret, computed] = [form.text("secret"), form.text("computed")];
  const errors: Record<string, string[]> = {};
  if (secret === "") errors.secret = ["Paste the secret. We don’t keep it between tests."];
  if (body === "") errors.body = ["Paste the body as your server got it."];
  if (Buffer.byteLength(body) > bodyBytesMax) errors.body = ["This is longer than any body we send."];
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

/** The delivery of the merchant's own that the address names, as it would come in now. */
async function exampleForm({ database, webhooks, clock }: MerchantServices, visit: ModeVisit): Promise<SentForm> {
  const id = parseDeliveryId(visit.query.get("delivery") ?? "");
  const sealed = { database, secretBox: webhooks.secretBox };
  const example = id === null ? null : await signExample(sealed, visit.wallet, id, clock.now());
  if (example === null) return emptyForm;
  const lines = Object.entries(example.headers).map(([name, value]) => `${name}: ${value}`);
  return formOf([
    ["headers", lines.join("\n")],
    ["body", example.body],
  ]);
}

async function testerPage(
  { database }: MerchantServices,
  visit: ModeVisit,
  typed: Typed,
  results: Results | null,
): Promise<PageAnswer> {
  const here = visit.to("webhooks/tester");
  const { attempts } = await listLog(database, visit.wallet, anyAttempt, { page: 1, perPage: 1 });
  const latest = attempts[0]?.deliveryId;
  return page(
    {
      title: "Signature tester",
      crumbs: [["Webhooks", visit.to("webhooks")]],
      note: "Paste what your server got, and see why the signature fails.",
      actions: latest && <ButtonLink href={`${here}?delivery=${latest}`}>Fill in last delivery</ButtonLink>,
    },
    <>
      {results === null ? null : (
        <ResultSheet title="Signature in the headers" texts={results.received.map(faultText)} />
      )}
      {!results?.computed ? null : (
        <ResultSheet title="Your code’s signature" texts={results.computed.map(ownRefusalText)} />
      )}
      <Sheet>
        <Form action={here} submit="Test signature">
          <PasswordField
            name="secret"
            label="Secret"
            hint="As your server has it. We use it for this test only."
            error={typed.error("secret")}
          />
          <TextAreaField
            {...typed.field("headers")}
            label="Headers"
            hint="With webhook-id, webhook-timestamp and webhook-signature"
            rows={4}
            isCode
          />
          <TextAreaField {...typed.field("body")} label="Body, byte for byte" rows={8} isCode />
          <TextField {...typed.field("computed")} label="Your code’s signature" isRequired={false} isCode />
        </Form>
      </Sheet>
    </>,
  );
}

/** How the faults of one signature are told; none: it is right. */
function ResultSheet({ title, texts }: { readonly title: string; readonly texts: readonly FaultText[] }) {
  const right: FaultText = ["The signature is right", "Secret, headers and body match."];
  return (
    <Sheet title={title}>
      <div role="status" class="stack">
        {(texts.length === 0 ? [right] : texts).map(([what, text]) => (
          <p key={what}>
            <strong>{what}.</strong> {text}
          </p>
        ))}
      </div>
    </Sheet>
  );
}
