import { addressesChanged } from "../../../domain/identity/emails/email-texts.ts";
import { allowlistMax, readAllowlist, setAllowlist } from "../../../domain/merchants/administration.ts";
import { listAllowlist } from "../../../domain/merchants/queries.ts";
import { type DryRun, dryRunDays, isLetIn, tryAllowlist } from "../../../domain/request-log/dry-run.ts";
import { modes } from "../../../kernel/mode.ts";
import { type AddressRange, clearedRange } from "../../../platform/address.ts";
import { goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import { type Form as SentForm, type Typed, typedForm } from "../../kit/form.ts";
import { modeNames } from "../../kit/page.tsx";
import { TextAreaField } from "../../kit/parts/fields.tsx";
import { Flash, Form } from "../../kit/parts/form.tsx";
import { Sheet } from "../../kit/parts/layout.tsx";
import { Table } from "../../kit/parts/list.tsx";
import { useSurroundings } from "../../kit/parts/surroundings.ts";
import { grouped, Moment, momentText } from "../../kit/parts/text.tsx";
import { refuseStale, seen } from "../../kit/stale.ts";
import { type ModeRoutes, type ModeVisit, useVisit } from "../access.ts";
import { changing } from "../exports.ts";
import type { MerchantServices } from "../services.ts";

const capability = "hold_live_keys";
const here = (visit: ModeVisit) => visit.to("keys/addresses");

/** Where requests may come from: one list for both modes, tried against the last days before it is saved. */
export function addressPages(routes: ModeRoutes, services: MerchantServices): void {
  const show = (visit: ModeVisit, typed: Typed) => addressesPage(services, visit, typed, null);

  routes.form("/keys/addresses/try", {
    ...{ capability, doneAt: here, show },
    isHarmless: true,
    async send(visit, form) {
      const ranges = readAllowlist(rangesIn(form));
      await refuseStaleList(services, visit, form);
      const dryRun = await tryAllowlist(services.reads, visit.member, ranges, services.clock.now());
      return addressesPage(services, visit, typedForm(form, null), { ranges, dryRun });
    },
  });

  routes.both("/keys/addresses", {
    ...{ capability, doneAt: here, show },
    async send(visit, form) {
      const { merchantId, name: merchant } = visit.member;
      const texts = readAllowlist(rangesIn(form)).map(({ text }) => text);
      await refuseStaleList(services, visit, form);
      const addresses = texts.join(", ") || "everywhere";
      const shown = { merchant, addresses, by: visit.session.person.email };
      const database = changing(services, visit, {
        ...{ command: "console addresses set", details: { addresses: texts } },
        email: (frame) => addressesChanged(frame, shown),
      });
      await setAllowlist({ ...services.people, database }, merchantId, texts);
      return goTo(
        here(visit),
        texts.length === 0
          ? "Saved. Requests may come from any address."
          : `Saved. Only ${addresses} may send requests.`,
      );
    },
  });
}

async function refuseStaleList({ database }: MerchantServices, { member }: ModeVisit, form: SentForm): Promise<void> {
  refuseStale(form, (await listAllowlist(database, member.merchantId)).join(", "));
}

/** One a line; commas and spaces part them too. */
function rangesIn(form: SentForm): string[] {
  return form
    .raw("ranges")
    .split(/[\s,;]+/)
    .filter((text) => text !== "");
}

const refusedShown = 100;

interface Tried {
  readonly ranges: readonly AddressRange[];
  readonly dryRun: DryRun;
}

async function addressesPage(
  { database }: MerchantServices,
  visit: ModeVisit,
  typed: Typed,
  tried: Tried | null,
): Promise<PageAnswer> {
  const stored = await listAllowlist(database, visit.member.merchantId);
  return page(
    {
      title: "Allowed addresses",
      note: "Where requests may come from, with live and test keys",
      crumbs: [["API keys", visit.to("keys")]],
    },
    <>
      <Sheet title="Now">
        {stored.length === 0 ? (
          <p>
            Requests may come from <strong>any address</strong>. List your servers’ addresses, and a stolen key is
            useless anywhere else.
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
      {tried === null ? null : <TriedList tried={tried} form={typed.form} stored={stored} />}
      <Sheet title="Change the list">
        <Form
          action={`${here(visit)}/try`}
          submit={`Check against the last ${dryRunDays} days`}
          kind={tried === null ? "main" : "plain"}
          hidden={seen(stored.join(", "))}
        >
          <TextAreaField
            {...typed.field("ranges", stored.join("\n"))}
            label="IP addresses, one per line"
            hint={`Up to ${allowlistMax}, such as 192.0.2.7, 192.0.2.0/24 or 2001:db8::/32. Leave empty for any address. Nothing is saved yet.`}
            rows={8}
            isRequired={false}
            isCode
          />
        </Form>
      </Sheet>
    </>,
  );
}

interface TriedListProps {
  readonly tried: Tried;
  readonly form: SentForm;
  readonly stored: readonly string[];
}

function TriedList({ tried: { ranges, dryRun }, form, stored }: TriedListProps) {
  const visit = useVisit();
  const { format } = useSurroundings();
  const { refused, callers } = dryRun;
  const cleared = rangesIn(form).flatMap((text) => {
    const range = clearedRange(text);
    return range === null ? [] : [`We read ${text} as ${range}.`];
  });
  const isHarmless = refused.length === 0;
  // Of very many requests, those of a part of the time alone.
  const lookedThrough = modes.flatMap((mode) => {
    const at = dryRun.until[mode];
    return at === null ? [] : [`${mode} requests since ${momentText(format, at, "second")}`];
  });
  const called = `addresses that called in the last ${dryRunDays} days`;
  return (
    <Sheet title="If you save this list">
      {ranges.length === 0 ? <Flash kind="waiting">Requests may then come from any address.</Flash> : null}
      {isLetIn(visit.address, ranges) ? null : (
        <Flash kind="waiting">
          Your own address, {visit.address || "which we can’t read"}, isn’t on the list. You can still use the console;
          a program on this computer couldn’t call.
        </Flash>
      )}
      {cleared.length === 0 ? null : <Flash kind="note">{cleared.join(" ")}</Flash>}
      <p>
        {isHarmless
          ? `None of the ${grouped(callers)} ${called} would be refused.`
          : `${grouped(refused.length)} of ${grouped(callers)} ${called} would be refused:`}
      </p>
      <Table
        caption="Addresses that would be refused"
        rows={refused.slice(0, refusedShown)}
        href={({ address, mode }) => address && `/${mode}/requests?${new URLSearchParams({ address })}`}
        columns={[
          { title: "Address", cell: ({ address }) => <code>{address ?? "Unknown"}</code>, place: "lead" },
          { title: "Requests", cell: ({ requests }) => grouped(requests), place: "amount" },
          { title: "Keys", cell: ({ mode }) => modeNames[mode], place: "sub" },
          { title: "Last call", cell: ({ lastAt }) => <Moment at={lastAt} style="list" />, place: "state" },
        ]}
      />
      {refused.length > refusedShown ? (
        <p class="hint">{`And ${grouped(refused.length - refusedShown)} more.`}</p>
      ) : null}
      {lookedThrough.length === 0 ? null : (
        <p class="hint">{`We checked ${lookedThrough.join(" and ")}; there were too many for more.`}</p>
      )}
      <Form
        action={here(visit)}
        submit={isHarmless ? "Save list" : "Save list anyway"}
        kind={isHarmless ? "main" : "danger"}
        hidden={{ ranges: ranges.map(({ text }) => text).join("\n"), ...seen(stored.join(", ")) }}
        cancelHref={here(visit)}
      />
    </Sheet>
  );
}
