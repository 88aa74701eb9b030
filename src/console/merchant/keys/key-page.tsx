import { type CreatedKey, keyStateOf, type RotationGrace } from "../../../domain/merchants/api-keys.ts";
import type { UsedApiKeyRow } from "../../../domain/merchants/key-queries.ts";
import { formatApiKeyId } from "../../../domain/merchants/merchant.ts";
import type { Instant } from "../../../kernel/clock.ts";
import { problems } from "../../../kernel/problem-catalogue.ts";
import type { Refusal } from "../../../kernel/problems.ts";
import { type PageAnswer, page } from "../../kit/answer.ts";
import { CodeBlock, Facts, Secret } from "../../kit/parts/data.tsx";
import { RadioField } from "../../kit/parts/fields.tsx";
import { Flash } from "../../kit/parts/form.tsx";
import { ButtonLink, Buttons, Columns, PageHead, Sheet } from "../../kit/parts/layout.tsx";
import { Moment, type MomentFormat } from "../../kit/parts/text.tsx";
import { type ModeVisit, modePath } from "../../kit/visit.ts";
import { VisitForm } from "../../kit/visit-form.tsx";
import { may } from "../access.ts";
import { explained, hintOf, KeyState, keyName, LastUse, makerOf } from "./key-list.tsx";

interface KeyShown {
  readonly key: UsedApiKeyRow;
  readonly refusal: Refusal | null;
  readonly now: Instant;
  readonly format: MomentFormat;
}

/** How long the old key still works, in the order in which it is chosen from. */
const graces: readonly { readonly value: RotationGrace; readonly label: string; readonly hint: string }[] = [
  { value: "7d", label: "Seven days", hint: "For keys that many machines hold." },
  { value: "24h", label: "A day", hint: "Bring the new key to your programs meanwhile." },
  { value: "1h", label: "An hour", hint: "When the change is prepared." },
  { value: "0", label: "Not at all", hint: "The old key may be in wrong hands: what uses it fails at once." },
];

const worksFor = { "0": "no longer", "1h": "for an hour", "24h": "for a day", "7d": "for seven days" } as const;

/** One key: what is known of it, another in its place, its end. */
export function keyPage(visit: ModeVisit, shown: KeyShown): PageAnswer {
  const { key, refusal, now, format } = shown;
  const name = keyName(key);
  return page(
    name,
    <>
      <PageHead title={name} actions={<ButtonLink href={modePath(visit, "keys")}>All keys</ButtonLink>}>
        <code>{hintOf(key)}</code>
      </PageHead>
      <Columns>
        <Sheet title="Rotate">
          {keyStateOf(key, now) === "active" ? (
            <RotateForm visit={visit} of={key} refusal={refusal} />
          ) : (
            <p>This key works no longer. Make another under All keys.</p>
          )}
        </Sheet>
        <Sheet title="This key">
          <Facts
            facts={[
              { name: "Id", value: <code>{formatApiKeyId(key.id)}</code> },
              { name: "State", value: <KeyState of={key} now={now} format={format} /> },
              { name: "Made", value: <Moment at={key.created_at} format={format} style="full" /> },
              { name: "Made by", value: makerOf(key.created_by) },
              { name: "Last use", value: <LastUse used={key} format={format} /> },
              ...(key.expires_at === null
                ? []
                : [{ name: "Ends", value: <Moment at={key.expires_at} format={format} style="full" /> }]),
              ...(key.revoked_at === null
                ? []
                : [{ name: "Ended", value: <Moment at={key.revoked_at} format={format} style="full" /> }]),
            ]}
          />
          <Buttons>
            {may(visit.member.role, "read_requests") ? (
              <ButtonLink href={`${modePath(visit, "requests")}?key=${formatApiKeyId(key.id)}`}>
                Its requests
              </ButtonLink>
            ) : null}
            {keyStateOf(key, now) === "active" ? (
              <ButtonLink kind="danger" href={modePath(visit, `keys/${formatApiKeyId(key.id)}/revoke`)}>
                Revoke
              </ButtonLink>
            ) : null}
          </Buttons>
        </Sheet>
      </Columns>
    </>,
    { status: statusOf(refusal) },
  );
}

function RotateForm(props: {
  readonly visit: ModeVisit;
  readonly of: UsedApiKeyRow;
  readonly refusal: Refusal | null;
}) {
  const { visit, of: key, refusal } = props;
  const fault = refusal?.detail.errors?.grace?.join(" ") ?? null;
  return (
    <VisitForm
      visit={visit}
      action={modePath(visit, `keys/${formatApiKeyId(key.id)}/rotate`)}
      submit="Make a key in its place"
      error={refusal !== null && fault === null ? explained(refusal) : null}
    >
      <RadioField
        name="grace"
        label="How long the old key still works"
        hint="Until it ends it counts as one of the five."
        value="24h"
        error={fault}
        choices={graces}
      />
    </VisitForm>
  );
}

/** Asks before a key is ended. */
export function revokePage(visit: ModeVisit, { key, refusal, format }: KeyShown): PageAnswer {
  const name = keyName(key);
  const itself = `keys/${formatApiKeyId(key.id)}`;
  return page(
    `Revoke ${name}`,
    <>
      <PageHead title={`Revoke ${name}?`}>
        <code>{hintOf(key)}</code>
      </PageHead>
      <Sheet>
        <p>
          Whatever uses this key is refused within a second, and it can't be brought back. Last use:{" "}
          <LastUse used={key} format={format} />.
        </p>
        <VisitForm
          visit={visit}
          action={modePath(visit, `${itself}/revoke`)}
          submit="Revoke the key"
          kind="danger"
          cancelHref={modePath(visit, itself)}
          error={refusal === null ? null : explained(refusal)}
        />
      </Sheet>
    </>,
    { status: statusOf(refusal) },
  );
}

/** The key, this once; a reload asks to send the form again, which is not carried out. */
export function madeKeyPage(visit: ModeVisit, made: CreatedKey, oldWorks: RotationGrace | null): PageAnswer {
  const title = `Your new ${visit.mode} key`;
  return page(
    title,
    <>
      <PageHead title={title} actions={<ButtonLink href={modePath(visit, "keys")}>All keys</ButtonLink>}>
        {formatApiKeyId(made.id)}
      </PageHead>
      <Sheet>
        {oldWorks === null ? null : <Flash kind="note">The old key works {worksFor[oldWorks]}.</Flash>}
        <Secret
          label={`The ${visit.mode} key`}
          value={made.text}
          note="It is shown this once. Keep it where only your server reads it: never in a browser, an app or a repository."
        />
        <p>Try it: this asks for the balance of the {visit.mode === "live" ? "live" : "sandbox"} wallet.</p>
        <CodeBlock label="The request as curl" code={balanceCurl(visit.place.origin, made.text)} />
        {visit.mode === "test" ? (
          <p>
            <a href="/test/sandbox">The sandbox</a> has numbers for every outcome, and lines to buy with.
          </p>
        ) : null}
      </Sheet>
    </>,
  );
}

function balanceCurl(origin: string, key: string): string {
  return `curl "${origin}/api/v1/merchant/wallet/balance" \\\n  -H "Authorization: Bearer ${key}"`;
}

function statusOf(refusal: Refusal | null): number {
  return refusal === null ? 200 : problems[refusal.code].status;
}
