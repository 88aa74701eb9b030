import { activeKeysMax, keyLabelMax, keyStateOf } from "../../../domain/merchants/api-keys.ts";
import { keyHint } from "../../../domain/merchants/key-format.ts";
import type { UsedApiKeyRow } from "../../../domain/merchants/key-queries.ts";
import { formatApiKeyId } from "../../../domain/merchants/merchant.ts";
import type { Instant } from "../../../kernel/clock.ts";
import { problems } from "../../../kernel/problem-catalogue.ts";
import type { Refusal } from "../../../kernel/problems.ts";
import { type PageAnswer, page } from "../../kit/answer.ts";
import type { Form } from "../../kit/form.ts";
import { TextField } from "../../kit/parts/fields.tsx";
import { Flash } from "../../kit/parts/form.tsx";
import { ButtonLink, Empty, PageHead, Sheet } from "../../kit/parts/layout.tsx";
import { Table } from "../../kit/parts/list.tsx";
import { Moment, type MomentFormat, momentText, Status } from "../../kit/parts/text.tsx";
import { type ModeVisit, modePath } from "../../kit/visit.ts";
import { VisitForm } from "../../kit/visit-form.tsx";
import { may } from "../access.ts";

interface ListShown {
  readonly keys: readonly UsedApiKeyRow[];
  readonly form: Form;
  readonly refusal: Refusal | null;
  readonly now: Instant;
  readonly format: MomentFormat;
}

/** Ended keys are shown to find one again in the request log; older ones than these are not. */
const endedShown = 50;

export function keyListPage(visit: ModeVisit, shown: ListShown): PageAnswer {
  const { keys, refusal, now } = shown;
  const active = keys.filter((key) => keyStateOf(key, now) === "active");
  const ended = keys.filter((key) => keyStateOf(key, now) !== "active");
  return page(
    "API keys",
    <>
      <PageHead
        title="API keys"
        actions={
          may(visit.member.role, "hold_live_keys") ? (
            <ButtonLink href={modePath(visit, "keys/addresses")}>Addresses</ButtonLink>
          ) : null
        }
      >
        {active.length} of {activeKeysMax} {visit.mode} keys are in use
      </PageHead>
      <Sheet title="Active" isPadded={false}>
        <KeyTable visit={visit} shown={shown} keys={active} caption="Active keys" />
      </Sheet>
      <MakeKey visit={visit} shown={shown} isFull={active.length >= activeKeysMax} />
      {ended.length === 0 ? null : (
        <Sheet title="Ended" note="The latest first" isPadded={false}>
          <KeyTable
            visit={visit}
            shown={shown}
            keys={ended.toReversed().slice(0, endedShown)}
            caption="Keys that work no longer"
          />
        </Sheet>
      )}
    </>,
    { status: refusal === null ? 200 : problems[refusal.code].status },
  );
}

function KeyTable(props: { visit: ModeVisit; shown: ListShown; keys: readonly UsedApiKeyRow[]; caption: string }) {
  const { visit, shown, keys, caption } = props;
  const { now, format } = shown;
  return (
    <Table
      caption={caption}
      rows={keys}
      href={(key) => modePath(visit, `keys/${formatApiKeyId(key.id)}`)}
      columns={[
        { title: "Name", cell: keyName, place: "lead" },
        { title: "Key", cell: (key) => <code>{hintOf(key)}</code>, place: "under" },
        { title: "Made by", cell: ({ created_by }) => makerOf(created_by), isQuiet: true },
        { title: "Last use", cell: (key) => <LastUse used={key} format={format} /> },
        { title: "State", cell: (key) => <KeyState of={key} now={now} format={format} />, place: "state" },
      ]}
      empty={
        <Empty title={`No ${visit.mode} key yet`}>
          A program proves with a key that it may buy for {visit.member.name}. Make one below: it is shown once.
        </Empty>
      }
    />
  );
}

function MakeKey({ visit, shown, isFull }: { visit: ModeVisit; shown: ListShown; isFull: boolean }) {
  const { form, refusal } = shown;
  if (visit.mode === "live" && !visit.member.apiApproved) return <AskFirst visit={visit} />;
  const fault = refusal?.detail.errors?.label?.join(" ") ?? null;
  return (
    <Sheet title="Make a key">
      {isFull && refusal === null ? (
        <Flash kind="note">
          All {activeKeysMax} keys of this mode are in use. Revoke one that no program needs, then make another.
        </Flash>
      ) : null}
      <VisitForm
        visit={visit}
        action={modePath(visit, "keys")}
        submit={`Make a ${visit.mode} key`}
        error={refusal !== null && fault === null ? explained(refusal) : null}
      >
        <TextField
          name="label"
          label="Name"
          hint="What will use it: the shop's server, a colleague's laptop."
          value={form.text("label")}
          error={fault}
          lengthMax={keyLabelMax}
        />
      </VisitForm>
    </Sheet>
  );
}

function AskFirst({ visit }: { readonly visit: ModeVisit }) {
  const isOwner = may(visit.member.role, "run_business");
  return (
    <Sheet title="Make a key">
      <Empty
        title="Live access is not approved yet"
        action={isOwner ? <ButtonLink href="/account/business">Ask for live access</ButtonLink> : null}
      >
        {isOwner
          ? "Enter your business details and ask for it under Business; then live keys are made here."
          : `An owner of ${visit.member.name} asks for it under Business; then live keys are made here.`}{" "}
        Until then build with <a href="/test/keys">test keys</a>: only the key changes afterwards.
      </Empty>
    </Sheet>
  );
}

/** What a refusal means here, and what to do. */
export function explained({ code, message }: Refusal): string {
  if (code === "KEY_LIMIT_REACHED") {
    return `All ${activeKeysMax} keys of this mode are in use, those that still work for a while among them: revoke one first.`;
  }
  if (code === "API_ACCESS_NOT_APPROVED") return "Live access is not approved: ask for it under Business.";
  return message;
}

/** Stored names may be empty: keys of operators and of the first start. */
export function keyName({ label, id }: UsedApiKeyRow): string {
  return label === "" ? formatApiKeyId(id) : label;
}

export function hintOf(key: UsedApiKeyRow): string {
  return keyHint({ mode: key.mode, firstCharacters: key.first_characters, lastCharacters: key.last_characters });
}

/** The member by address; operators have no name here. */
export function makerOf(createdBy: string): string {
  if (createdBy.startsWith("member:")) return createdBy.slice("member:".length);
  return createdBy === "first start" ? createdBy : "the operator";
}

export function LastUse({ used, format }: { readonly used: UsedApiKeyRow; readonly format: MomentFormat }) {
  const { used_at, used_from } = used;
  if (used_at === null) return <>never</>;
  return (
    <>
      <Moment at={used_at} format={format} /> from <code>{used_from ?? "an unreadable address"}</code>
    </>
  );
}

export function KeyState(props: { readonly of: UsedApiKeyRow; readonly now: Instant; readonly format: MomentFormat }) {
  const { of: key, now, format } = props;
  const state = keyStateOf(key, now);
  if (state !== "active") return <Status kind="quiet">{state}</Status>;
  if (key.expires_at === null) return <Status kind="good">active</Status>;
  return <Status kind="waiting">{`ends ${momentText({ at: key.expires_at, format })}`}</Status>;
}
