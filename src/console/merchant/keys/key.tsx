import { keyChanged } from "../../../domain/identity/emails/email-texts.ts";
import { auditName } from "../../../domain/identity/people/person.ts";
import {
  activeKeysMax,
  type CreatedKey,
  createKey,
  type KeyServices,
  keyStateOf,
  type RotationGrace,
  revokeOwnKey,
  rotateOwnKey,
  rotationGraces,
} from "../../../domain/merchants/api-keys.ts";
import { keyHint } from "../../../domain/merchants/key-format.ts";
import { listApiKeys, type UsedApiKeyRow } from "../../../domain/merchants/key-queries.ts";
import { formatApiKeyId, parseApiKeyId } from "../../../domain/merchants/merchant.ts";
import { refuse, refuseField } from "../../../kernel/problems.ts";
import { goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import { askFirst } from "../../kit/ask-first.tsx";
import type { Form as SentForm, Typed } from "../../kit/form.ts";
import { CodeBlock, Facts, Secret } from "../../kit/parts/data.tsx";
import { RadioField } from "../../kit/parts/fields.tsx";
import { Flash, Form } from "../../kit/parts/form.tsx";
import { ButtonLink, Buttons, Columns, Sheet } from "../../kit/parts/layout.tsx";
import { useSurroundings } from "../../kit/parts/surroundings.ts";
import { Moment, momentText, Status } from "../../kit/parts/text.tsx";
import type { ModeRoutes, ModeVisit } from "../access.ts";
import { changing, requestCurl } from "../exports.ts";
import type { MerchantServices } from "../services.ts";

/** A key, and whether it works now. */
export interface SeenKey {
  readonly key: UsedApiKeyRow;
  readonly state: ReturnType<typeof keyStateOf>;
}

/** The holder of a live key can spend the wallet's money: a change asks for a fresh factor. */
export const capability = { live: "hold_live_keys", test: "develop" } as const;

/** The keys of the visit's mode. */
export async function keysOf({ database, clock }: MerchantServices, { member, mode }: ModeVisit): Promise<SeenKey[]> {
  const now = clock.now();
  const keys = await listApiKeys(database, member.merchantId);
  return keys.filter((key) => key.mode === mode).map((key) => ({ key, state: keyStateOf(key, now) }));
}

/** One key: what is known of it, another in its place, its end. */
export function keyPages(routes: ModeRoutes, services: MerchantServices): void {
  const seenIn = async (visit: ModeVisit) => {
    const id = parseApiKeyId(visit.param("key"));
    return (await keysOf(services, visit)).find(({ key }) => key.id === id) ?? null;
  };
  const show = async (visit: ModeVisit, typed: Typed) => {
    const seen = await seenIn(visit);
    return seen === null ? null : keyPage(visit, seen, typed);
  };
  const doneAt = (visit: ModeVisit) => visit.to("keys");

  routes.page("/keys/:key", { capability, show });
  routes.form("/keys/:key/rotate", {
    ...{ capability, doneAt, show },
    async send(visit, form) {
      const grace = graceIn(form);
      const { changed, key } = changeOf(services, visit, "rotate", { grace });
      const made = { ...key, grace, createdBy: auditName(visit.session.person) };
      return madeKeyPage(visit, await rotateOwnKey(changed, made), grace);
    },
  });
  routes.both(
    "/keys/:key/revoke",
    askFirst({
      ...{ capability, doneAt },
      async ask(visit) {
        const seen = await seenIn(visit);
        return seen === null ? null : revokeQuestion(visit, seen.key);
      },
      async send(visit) {
        const { changed, key } = changeOf(services, visit, "revoke");
        await revokeOwnKey(changed, key);
        return goTo(visit.to("keys"), `Key ${formatApiKeyId(key.keyId)} revoked. Requests with it fail from now on.`);
      },
    }),
  );
}

/** A key more for the visit's mode. @throws Refusal KEY_LIMIT_REACHED, API_ACCESS_NOT_APPROVED */
export function makeKey(services: MerchantServices, visit: ModeVisit, label: string) {
  const { mode, member, session } = visit;
  const what = `made the ${mode} key “${label}”`;
  const change = { command: "console key create", details: { mode, label }, what };
  const made = { merchantId: member.merchantId, mode, label, createdBy: auditName(session.person) };
  return createKey(changingKeys(services, visit, change), made);
}

interface KeyChange {
  readonly command: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** As the email says it: `made the test key “Till”`. */
  readonly what: string;
}

/** What a change of keys is made with: it ends with an email to the owners and its entry in the audit log. */
export function changingKeys(services: MerchantServices, visit: ModeVisit, { what, ...entry }: KeyChange): KeyServices {
  const shown = { merchant: visit.member.name, what, by: visit.session.person.email };
  return {
    ...services,
    database: changing(services, visit, { ...entry, email: (frame) => keyChanged(frame, shown) }),
  };
}

/** What the key of the path is changed with. @throws Refusal NOT_FOUND */
function changeOf(services: MerchantServices, visit: ModeVisit, verb: "rotate" | "revoke", more: object = {}) {
  const { mode, member, param } = visit;
  const keyId = parseApiKeyId(param("key"));
  if (keyId === null) throw refuse("NOT_FOUND", { message: `There is no key ${param("key")}.` });
  const id = formatApiKeyId(keyId);
  const change = { command: `console key ${verb}`, details: { key_id: id, ...more } };
  const changed = changingKeys(services, visit, { ...change, what: `${verb}d the ${mode} key ${id}` });
  return { changed, key: { merchantId: member.merchantId, mode, keyId } };
}

function graceIn(form: SentForm): RotationGrace {
  const grace = Object.keys(rotationGraces).find((each) => each === form.text("grace"));
  if (grace === undefined) throw refuseField("VALIDATION_ERROR", "grace", "Choose when the old key stops.");
  return grace as RotationGrace;
}

/** How long the old key still works, in the order in which it is chosen from. */
const graces: readonly { readonly value: RotationGrace; readonly label: string; readonly hint: string }[] = [
  { value: "7d", label: "After 7 days", hint: "If many machines have it." },
  { value: "24h", label: "After 24 hours", hint: "Time to give the new key to your programs." },
  { value: "1h", label: "After 1 hour", hint: "If everything is prepared." },
  { value: "0", label: "Now", hint: "Stop the old key now. Choose this if it leaked." },
];

const oldKeyWords = {
  "0": "The old key is revoked.",
  "1h": "The old key works for 1 more hour.",
  "24h": "The old key works for 24 more hours.",
  "7d": "The old key works for 7 more days.",
} as const;

function keyPage(visit: ModeVisit, seen: SeenKey, typed: Typed): PageAnswer {
  const { key, state } = seen;
  const id = formatApiKeyId(key.id);
  const isActive = state === "active";
  return page(
    {
      title: keyName(key),
      crumbs: [["API keys", visit.to("keys")]],
      state: <KeyState seen={seen} />,
      note: <code>{hintOf(key)}</code>,
    },
    <Columns>
      <Sheet title="Replace this key">
        {isActive ? (
          <Form action={visit.to(`keys/${id}/rotate`)} submit="Replace key" error={explained(typed)}>
            <RadioField
              {...typed.field("grace")}
              value="24h"
              label="When the old key stops"
              hint={`Until then it counts as one of your ${activeKeysMax} keys.`}
              choices={graces}
            />
          </Form>
        ) : (
          <p>
            This key is {state}. <a href={visit.to("keys")}>Create a key</a>
          </p>
        )}
      </Sheet>
      <Sheet title="This key">
        <Facts
          facts={{
            ID: <code>{id}</code>,
            Created: <Moment at={key.created_at} style="full" />,
            "Created by": makerOf(key.created_by),
            "Last used": <LastUse used={key} />,
            Expires: key.expires_at && <Moment at={key.expires_at} style="full" />,
            Revoked: key.revoked_at && <Moment at={key.revoked_at} style="full" />,
          }}
        />
        <Buttons>
          {visit.may("read_requests") ? (
            <ButtonLink href={visit.to(`requests?key=${id}`)}>See requests</ButtonLink>
          ) : null}
          {isActive ? (
            <ButtonLink kind="danger" href={visit.to(`keys/${id}/revoke`)}>
              Revoke key
            </ButtonLink>
          ) : null}
        </Buttons>
      </Sheet>
    </Columns>,
  );
}

function revokeQuestion(visit: ModeVisit, key: UsedApiKeyRow) {
  return {
    title: `Revoke “${keyName(key)}”`,
    note: <code>{hintOf(key)}</code>,
    text: (
      <p>
        Requests with this key fail at once, and it can’t be brought back. Last used: <LastUse used={key} />.
      </p>
    ),
    submit: "Revoke key",
    cancelHref: visit.to(`keys/${formatApiKeyId(key.id)}`),
  };
}

/** The key, this once; a reload asks to send the form again, which is not carried out. */
export function madeKeyPage(visit: ModeVisit, made: CreatedKey, oldWorks: RotationGrace | null): PageAnswer {
  const { mode, place } = visit;
  const balance = { method: "GET", path: "/api/v1/merchant/wallet/balance", body: null };
  return page(
    { title: `Your new ${mode} key`, note: formatApiKeyId(made.id), crumbs: [["API keys", visit.to("keys")]] },
    <Sheet>
      {oldWorks === null ? null : <Flash kind="note">{oldKeyWords[oldWorks]}</Flash>}
      <Secret
        label={`The ${mode} key`}
        value={made.text}
        note="Copy it now; you won’t see it again. Keep it on your server, never in an app or a repository."
      />
      <p>Try it: this request answers with your {mode === "live" ? "live" : "sandbox"} balance.</p>
      <CodeBlock label="curl" code={requestCurl(balance, place.origin, made.text)} />
      {mode === "test" ? (
        <p>
          <a href="/test/sandbox">See sandbox numbers</a> that make each result happen.
        </p>
      ) : null}
    </Sheet>,
  );
}

/** What a refusal of a form as a whole means here, and what to do. */
export function explained({ refusal, whole }: Typed): string | null {
  if (refusal?.code === "KEY_LIMIT_REACHED") {
    return `All ${activeKeysMax} keys are in use, also those that still work for a while. Revoke one first.`;
  }
  if (refusal?.code === "API_ACCESS_NOT_APPROVED") return "Live selling isn’t approved yet. Ask for it under Business.";
  return whole;
}

/** Stored names may be empty: keys of operators and of the first start. */
export function keyName({ label, id }: UsedApiKeyRow): string {
  return label === "" ? formatApiKeyId(id) : label;
}

export function hintOf(key: UsedApiKeyRow): string {
  return keyHint(key);
}

/** The member by address; operators have no name here. */
export function makerOf(createdBy: string): string {
  if (createdBy.startsWith("member:")) return createdBy.slice("member:".length);
  return createdBy === "first start" ? "First start" : "Support";
}

export function LastUse({ used: { used_at, used_from } }: { readonly used: UsedApiKeyRow }) {
  if (used_at === null) return <>never</>;
  return (
    <>
      <Moment at={used_at} style="list" /> from <code>{used_from ?? "an unknown address"}</code>
    </>
  );
}

export function KeyState({ seen: { key, state } }: { readonly seen: SeenKey }) {
  const { format } = useSurroundings();
  if (state !== "active") return <Status kind="quiet">{state}</Status>;
  if (key.expires_at === null) return <Status kind="good">active</Status>;
  return <Status kind="waiting">{`Until ${momentText(format, key.expires_at)}`}</Status>;
}
