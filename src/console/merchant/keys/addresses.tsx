import { addressesChanged } from "../../../domain/letters/letter-texts.ts";
import { memberDatabase } from "../../../domain/memberships/owners.ts";
import { allowlistMax, readAllowlist, setAllowlist } from "../../../domain/merchants/administration.ts";
import { listAllowlist } from "../../../domain/merchants/queries.ts";
import { type DryRun, dryRunDays, isLetIn, tryAllowlist } from "../../../domain/request-log/dry-run.ts";
import { problems } from "../../../kernel/problem-catalogue.ts";
import type { Refusal } from "../../../kernel/problems.ts";
import { type AddressRange, clearedRange } from "../../../platform/address.ts";
import { type Database, forReaders } from "../../../platform/database/database.ts";
import { goTo, type PageAnswer, page } from "../../answer.ts";
import { emptyForm, type Form } from "../../form.ts";
import type { GateServices } from "../../gate.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { Empty } from "../../parts/empty.tsx";
import { TextAreaField } from "../../parts/field.tsx";
import { Flash } from "../../parts/flash.tsx";
import { Moment, type MomentFormat, momentFormat, momentText } from "../../parts/moment.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { grouped } from "../../parts/pager.tsx";
import { Sheet } from "../../parts/sheet.tsx";
import { Table } from "../../parts/table.tsx";
import type { ModeRoutes } from "../../routes.ts";
import { type ModeVisit, modePath } from "../../visit.ts";
import { VisitForm } from "../../visit-form.tsx";

export type AddressPageServices = GateServices & { readonly database: Database; readonly timeZone: string };

const capability = "hold_live_keys";
const here = (visit: ModeVisit) => modePath(visit, "keys/addresses");

/** Where requests may come from: one list for both modes, tried against the last days before it is saved. */
export function addressPages(routes: ModeRoutes, services: AddressPageServices): void {
  const { people } = services;
  const format = momentFormat(services.timeZone);
  const show = (visit: ModeVisit, form: Form, refusal: Refusal | null) =>
    addressesPage(services, visit, { form, refusal, tried: null, format });

  routes.page("/keys/addresses", { capability, show: (visit) => show(visit, emptyForm, null) });

  routes.form("/keys/addresses/try", {
    capability,
    isHarmless: true,
    doneAt: here,
    refused: show,
    async send(visit, form) {
      const ranges = readAllowlist(rangesIn(form));
      const dryRun = await tryAllowlist(forReaders(services.database), visit.member, ranges, people.clock.now());
      return addressesPage(services, visit, { form, refusal: null, tried: { ranges, dryRun }, format });
    },
  });

  routes.form("/keys/addresses", {
    capability,
    doneAt: here,
    refused: show,
    async send(visit, form) {
      const { merchantId, name: merchant } = visit.member;
      const by = visit.session.person;
      const texts = readAllowlist(rangesIn(form)).map(({ text }) => text);
      const addresses = texts.join(", ") || "everywhere";
      const database = memberDatabase(people, {
        ...{ by, merchantId, command: "console addresses set", details: { addresses: texts } },
        letter: (frame) => addressesChanged(frame, { merchant, addresses, by: by.email }),
      });
      await setAllowlist({ ...people, database }, merchantId, texts);
      return goTo(here(visit), `Requests may come from ${addresses}; it holds within a second.`);
    },
  });
}

/** One a line; commas and spaces part them too. */
function rangesIn(form: Form): string[] {
  return form
    .raw("ranges")
    .split(/[\s,;]+/)
    .filter((text) => text !== "");
}

interface Tried {
  readonly ranges: readonly AddressRange[];
  readonly dryRun: DryRun;
}

interface AddressesShown {
  readonly form: Form;
  readonly refusal: Refusal | null;
  readonly tried: Tried | null;
  readonly format: MomentFormat;
}

async function addressesPage(
  { people }: AddressPageServices,
  visit: ModeVisit,
  shown: AddressesShown,
): Promise<PageAnswer> {
  const { form, refusal, tried, format } = shown;
  const stored = await listAllowlist(people.database, visit.member.merchantId);
  const fault = refusal?.detail.errors?.ranges?.join(" ") ?? null;
  return page(
    "Addresses",
    <>
      <PageHead title="Addresses" actions={<ButtonLink href={modePath(visit, "keys")}>API keys</ButtonLink>}>
        Where requests may come from, with live and test keys
      </PageHead>
      <Sheet title="Now">
        {stored.length === 0 ? (
          <p>
            Requests may come from <strong>everywhere</strong>: whoever has a key can use it from any machine. Name your
            servers' addresses, and a stolen key is worth nothing elsewhere.
          </p>
        ) : (
          <ul>
            {stored.map((range) => (
              <li key={range}>
                <code>{range}</code>
              </li>
            ))}
          </ul>
        )}
      </Sheet>
      {tried === null ? null : <TriedList visit={visit} tried={tried} form={form} format={format} />}
      <Sheet title="Change">
        <VisitForm
          visit={visit}
          action={`${here(visit)}/try`}
          submit={`Try it on the last ${dryRunDays} days`}
          kind={tried === null ? "main" : "plain"}
          error={refusal !== null && fault === null ? refusal.message : null}
        >
          <TextAreaField
            name="ranges"
            label="Addresses, one a line"
            hint={`Up to ${allowlistMax} such as 192.0.2.7, 192.0.2.0/24 or 2001:db8::/32. Empty means everywhere. You see who would be refused before anything is saved.`}
            value={form.has("ranges") ? form.raw("ranges") : stored.join("\n")}
            error={fault}
            rows={8}
            isRequired={false}
            isCode
          />
        </VisitForm>
      </Sheet>
    </>,
    { status: refusal === null ? 200 : problems[refusal.code].status },
  );
}

function TriedList(props: { visit: ModeVisit; tried: Tried; form: Form; format: MomentFormat }) {
  const { visit, tried, form, format } = props;
  const { ranges, dryRun } = tried;
  const { refused, callers } = dryRun;
  const texts = ranges.map(({ text }) => text);
  const cleared = rangesIn(form).flatMap((text) => {
    const range = clearedRange(text);
    return range === null ? [] : [`${text} is taken as ${range}.`];
  });
  return (
    <Sheet title="If you save this list">
      {ranges.length === 0 ? <Flash kind="waiting">Requests may then come from everywhere.</Flash> : null}
      {isLetIn(visit.address, ranges) ? null : (
        <Flash kind="waiting">
          Your own address, {visit.address || "which is unreadable"}, is not on the list. You can still use these pages;
          a program on this machine can't call.
        </Flash>
      )}
      {cleared.length === 0 ? null : <Flash kind="note">{cleared.join(" ")}</Flash>}
      <p>
        {refused.length === 0
          ? `None of the ${grouped(callers)} addresses that called in the last ${dryRunDays} days would be refused.`
          : `${grouped(refused.length)} of ${grouped(callers)} addresses that called in the last ${dryRunDays} days would be refused:`}
      </p>
      {refused.length === 0 ? null : <RefusedTable visit={visit} dryRun={dryRun} format={format} />}
      <HowFar dryRun={dryRun} format={format} />
      <VisitForm
        visit={visit}
        action={here(visit)}
        submit={refused.length === 0 ? "Save the list" : "Save it all the same"}
        kind={refused.length === 0 ? "main" : "danger"}
        hidden={{ ranges: texts.join("\n") }}
        cancelHref={here(visit)}
      />
    </Sheet>
  );
}

const refusedShown = 100;

function RefusedTable(props: { visit: ModeVisit; dryRun: DryRun; format: MomentFormat }) {
  const { dryRun, format } = props;
  const { refused } = dryRun;
  return (
    <>
      <Table
        caption="Addresses that would be refused"
        rows={refused.slice(0, refusedShown)}
        href={({ address, mode }) =>
          address === null ? null : `/${mode}/requests?${new URLSearchParams({ address })}`
        }
        columns={[
          { title: "Address", cell: ({ address }) => <code>{address ?? "unreadable"}</code>, place: "lead" },
          { title: "Requests", cell: ({ requests }) => grouped(requests), align: "end", place: "amount" },
          { title: "Keys", cell: ({ mode }) => mode, place: "under" },
          {
            title: "Last",
            cell: ({ lastAt }) => <Moment at={lastAt} format={format} />,
            isQuiet: true,
            place: "state",
          },
        ]}
        empty={<Empty title="Nobody">Every caller is on the list.</Empty>}
      />
      {refused.length > refusedShown ? (
        <p class="hint">{`And ${grouped(refused.length - refusedShown)} more.`}</p>
      ) : null}
    </>
  );
}

/** A merchant of very many requests is told how far back they were looked through. */
function HowFar({ dryRun, format }: { readonly dryRun: DryRun; readonly format: MomentFormat }) {
  const told = (["live", "test"] as const).flatMap((mode) => {
    const at = dryRun.until[mode];
    return at === null ? [] : [`${mode} requests since ${momentText({ at, format, style: "second" })}`];
  });
  return told.length === 0 ? null : <p class="hint">{`There were too many to look at all: ${told.join(" and ")}.`}</p>;
}
