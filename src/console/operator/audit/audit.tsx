import {
  findEntryHash,
  listBrokenEntries,
  listNewestEntries,
  type StoredEntry,
  walkedEntriesMax,
} from "../../../domain/audit/audit-queries.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { list } from "../../kit/list.tsx";
import { findFilter, pageOf, textFilter } from "../../kit/list-page.tsx";
import { CodeBlock, Facts } from "../../kit/parts/data.tsx";
import { Flash, Form } from "../../kit/parts/form.tsx";
import { ButtonLink, Buttons, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { grouped, Moment } from "../../kit/parts/text.tsx";
import type { StaffRoutes } from "../access.ts";
import type { OperatorServices } from "../services.ts";
import { detailsText } from "./audit-words.ts";

const here = "/operator/audit";

/** The audit log shows who did what, the newest first, and whether all of it stands as it was written. */
export function auditPages(routes: StaffRoutes, services: OperatorServices): void {
  const { reads } = services;
  list(routes, {
    at: here,
    may: "see_audit",
    title: "Audit log",
    filters: { q: findFilter("Command, merchant, reference"), who: textFilter("Person", "ada@company.example") },
    async read({ values: { q, who }, before, limit }) {
      const head = await findEntryHash(reads, null);
      const top = before ?? (head?.number ?? 0n) + 1n;
      const found = await listNewestEntries(reads, { who, text: q, before: top, limit });
      const { rows, older } = pageOf(found, limit - 1, ({ number }) => number);
      const walkedTo = top - BigInt(walkedEntriesMax);
      return {
        rows,
        note: `${grouped(Number(head?.number ?? 0n))} entries. They are never changed or removed.`,
        // What was searched may end before as many as fit were found.
        older: older ?? (walkedTo > 1n ? walkedTo : null),
      };
    },
    place: ({ number }) => number,
    caption: "Audit log, newest first",
    columns: ({ lead, sub, when, end, more }) => [
      lead("Command", ({ command }) => <code>{command}</code>),
      sub("Who", ({ who: name }) => name),
      when("When", ({ at }) => at),
      { ...end("Number", ({ number }) => String(number)), isExtra: true },
      more("Details", (entry) => <Details entry={entry} />),
    ],
    actions: () => <ButtonLink href={`${here}/check`}>Check the chain</ButtonLink>,
    empty: <Empty title="No entries yet">Every change by a command or in a console appears here.</Empty>,
    noneFits: {
      title: "No entries match",
      text: `We searched the newest ${grouped(walkedEntriesMax)} from here. Go on with Next, or clear a filter.`,
    },
  });

  // The check reads every entry: one at a time in this process, and only where somebody asks for it.
  let underWay: Promise<PageAnswer> | null = null;
  const checked = () => {
    underWay ??= checkPage(services).finally(() => {
      underWay = null;
    });
    return underWay;
  };
  routes.page(`${here}/check`, { capability: "see_audit", show: () => askPage() });
  routes.form(`${here}/check`, {
    capability: "see_audit",
    isHarmless: true,
    doneAt: () => here,
    show: () => askPage(),
    send: checked,
  });
}

function Details({ entry: { details } }: { readonly entry: StoredEntry }) {
  const text = detailsText(details);
  if (text.length <= 80) return <>{text}</>;
  return (
    <details>
      <summary>{`${text.slice(0, 60)}…`}</summary>
      {text}
    </details>
  );
}

const crumbs = [["Audit log", here]] as const;

function askPage(): PageAnswer {
  return page(
    { title: "Check the chain", crumbs },
    <Sheet>
      <p>Reads every entry and proves that none was changed, removed or put in. A long log takes some minutes.</p>
      <Form action={`${here}/check`} submit="Check the chain" isInline />
    </Sheet>,
  );
}

/** As `audit check` proves it. */
async function checkPage({ reads, people }: OperatorServices): Promise<PageAnswer> {
  const startedAt = people.clock.now();
  const broken = await listBrokenEntries(reads);
  const head = await findEntryHash(reads, null);
  const endedAt = people.clock.now();
  const isWhole = broken.length === 0;
  return page(
    { title: "Check the chain", crumbs },
    <>
      <Flash kind={isWhole ? "good" : "bad"}>
        {isWhole
          ? `The chain is whole: ${grouped(Number(head?.number ?? 0n))} entries, none changed or missing.`
          : `The chain is broken. Entries that don’t follow from the one before: ${broken.join(", ")}.`}
      </Flash>
      <Sheet title="Result">
        <Facts
          facts={{
            Checked: <Moment at={endedAt} style="full" />,
            Took: `${((endedAt - startedAt) / 1_000).toFixed(1)} s`,
            "First broken entry": isWhole ? null : String(broken[0]),
          }}
        />
        {head === null ? null : (
          <>
            <p>Save this line elsewhere to prove later that nothing before it changed.</p>
            <CodeBlock label="The last entry" code={`audit check --expect ${head.number}:${head.hash}`} />
          </>
        )}
        <Buttons>
          <ButtonLink href={here}>Back to the audit log</ButtonLink>
        </Buttons>
      </Sheet>
    </>,
  );
}
