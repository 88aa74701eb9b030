import type { Change } from "../../../domain/staff/change-queries.ts";
import { findChangeAbout } from "../../../domain/staff/change-subject-queries.ts";
import {
  findImport,
  type ImportFaults,
  type ImportId,
  type VoucherImport,
} from "../../../domain/suppliers/vouchers/import-queries.ts";
import {
  cancelImport,
  hasStopped,
  hasWrongLines,
  isLeftOut,
  putOnSale,
} from "../../../domain/suppliers/vouchers/uploaded-import.ts";
import { wholeNumber } from "../../../kernel/typed-text.ts";
import { type Answer, goBack, goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import { detail } from "../../kit/detail.ts";
import { Facts } from "../../kit/parts/data.tsx";
import { Flash, Form, Live } from "../../kit/parts/form.tsx";
import { ButtonLink, Buttons, Sheet } from "../../kit/parts/layout.tsx";
import { TableSheet } from "../../kit/parts/list.tsx";
import { countText, grouped, Moment, spoken } from "../../kit/parts/text.tsx";
import { matrix, type StaffRoutes, type StaffVisit } from "../access.ts";
import { changeOrAsk, type TwoPeople } from "../approvals/two-people.ts";
import { changing } from "../audited.ts";
import type { OperatorServices } from "../services.ts";
import { ImportState, importPath, importStates, productPath, vouchersPath } from "./vouchers.tsx";

/** What catalogue people import, somebody else approves: nobody can buy it before. */
export const voucherImport: TwoPeople = {
  kind: "import vouchers",
  subjects: (fields) => [subjectOf(Number(fields.import))],
  ask: matrix.import_vouchers.roles,
  approve: ["admin", "catalogue"],
  by: ({ secretBox, wallTime, people: { clock, randomness } }) => ({
    async readFacts(db, fields) {
      const one = await findImport(db, Number(fields.import) as ImportId);
      if (one === null) return { State: "deleted" };
      return { State: importStates.wordOf(one.state), "New vouchers": String(one.vouchers), "Uploaded by": one.madeBy };
    },
    async carryOut(database, { fields }) {
      const given = { database, secretBox, wallTime, clock, randomness };
      const { vouchers, product } = await putOnSale(given, Number(fields.import) as ImportId);
      return `${countText(vouchers, "voucher")} of ${product} ${vouchers === 1 ? "is" : "are"} on sale.`;
    },
  }),
};

function subjectOf(id: number): string {
  return `voucher import ${id}`;
}

/** One import: how far it is, then what is wrong with it, and the way to put all of it on sale. */
export function voucherImportedPages(routes: StaffRoutes, services: OperatorServices): void {
  detail(routes, {
    at: `${vouchersPath}/imports/:id`,
    may: "see_suppliers",
    find: ({ param }) => findImport(services.reads, (wholeNumber(param("id")) ?? 0) as ImportId),
    show: (visit, one) => importedPage(services, visit, one),
    actions: {
      sell: ["import_vouchers", (visit, one) => putOrPropose(services, visit, one)],
      cancel: ["upload_vouchers", (visit, { id }) => cancel(services, visit, id)],
    },
  });
}

async function cancel(services: OperatorServices, visit: StaffVisit, id: ImportId): Promise<Answer> {
  const database = changing(services, visit, "console vouchers cancel", { import: id });
  const isOver = await cancelImport({ database, clock: services.people.clock }, id);
  return isOver
    ? goTo(vouchersPath, "Import cancelled. Its vouchers are deleted.")
    : goBack(importPath(id), "This import has already finished.");
}

function putOrPropose(services: OperatorServices, visit: StaffVisit, one: VoucherImport): Promise<Answer> {
  const { id, productId, product, batch, vouchers } = one;
  const mayAlone = visit.staff.role === "admin";
  return changeOrAsk(services, visit, voucherImport, {
    ...{ mayAlone, command: "console vouchers import", doneAt: mayAlone ? productPath(productId) : importPath(id) },
    summary: `Put ${countText(vouchers, "voucher")} of ${product} on sale, from ${batch}`,
    fields: { import: id, product: productId, batch, vouchers },
  });
}

async function importedPage(
  { reads, people }: OperatorServices,
  visit: StaffVisit,
  one: VoucherImport,
): Promise<PageAnswer> {
  const now = people.clock.now();
  const approval = await findChangeAbout(reads, [subjectOf(one.id)], now);
  const isReading = one.state === "reading" && !hasStopped(one, now);
  return page(
    {
      title: one.batch,
      crumbs: [["Vouchers", vouchersPath]],
      state: <ImportState one={one} now={now} />,
      note: `${one.product}, uploaded by ${one.madeBy}`,
      actions: <Live tableId="import" everySeconds={2} isOn={isReading} />,
    },
    <div id="import">
      <Progress {...{ one, now, isReading }} />
      {isReading ? null : (
        <>
          <Sheet title="What’s in the file">
            <Facts
              facts={{
                Product: <a href={productPath(one.productId)}>{one.product}</a>,
                Uploaded: <Moment at={one.startedAt} style="full" />,
                "New vouchers": grouped(one.vouchers),
                ...Object.fromEntries(
                  one.faults.counts.map((fault) => [faultName(fault), countText(fault.lines, "line")]),
                ),
              }}
            />
            <Next {...{ visit, one, approval }} />
          </Sheet>
          {one.faults.lines.length === 0 ? null : <Faults {...one.faults} />}
        </>
      )}
    </div>,
  );
}

const faultNames: Readonly<Record<string, string>> = {
  duplicate: "In the stock already",
  "repeated in the file": "Repeats in the file",
  "of another product": "In the stock of another product",
  "spoilt by a spreadsheet": "Rounded by a spreadsheet",
};

function faultName({ because }: { readonly because: string }): string {
  return faultNames[because] ?? spoken(because);
}

/** How far it is, read anew every two seconds; without JavaScript the page is loaded again by its link. */
function Progress({ one, now, isReading }: { one: VoucherImport; now: number; isReading: boolean }) {
  const { linesRead, linesTotal, fault, id } = one;
  if (isReading) {
    const done = `${grouped(linesRead)} of about ${countText(linesTotal, "line")} read`;
    return (
      <Flash kind="waiting">
        {done}. Nothing is on sale yet. You can close this page, or <a href={importPath(id)}>look again</a>.
        <progress value={linesRead} max={linesTotal} aria-label={done} />
      </Flash>
    );
  }
  if (hasStopped(one, now)) {
    return <Flash kind="bad">The service stopped while it read this file. Nothing is on sale: upload it again.</Flash>;
  }
  return fault === null ? null : <Flash kind="bad">{fault}</Flash>;
}

interface NextProps {
  readonly visit: StaffVisit;
  readonly one: VoucherImport;
  readonly approval: Change | null;
}

function Next({ visit, one, approval }: NextProps) {
  const { id, state, vouchers } = one;
  const path = importPath(id);
  if (state !== "ready" && state !== "reading") return null;
  const isWrong = hasWrongLines(one);
  const mayAsk = visit.may("import_vouchers") && state === "ready" && approval === null;
  return (
    <>
      {approval === null ? null : (
        <p>
          Waiting for approval by a second person, asked for by {approval.requesterName}.{" "}
          {visit.may("approve") ? <a href={`/operator/approvals/${approval.id}`}>Open request</a> : null}
        </p>
      )}
      {isWrong ? <p>Some lines are wrong, so none goes on sale. Fix the file and upload it again.</p> : null}
      {!isWrong && vouchers === 0 ? <p>No line of this file is a new voucher.</p> : null}
      <Buttons>
        {mayAsk && !isWrong && vouchers > 0 ? (
          <Form action={`${path}/sell`} submit={`Put ${countText(vouchers, "voucher")} on sale`} isInline />
        ) : null}
        {visit.may("upload_vouchers") ? (
          <>
            {isWrong || state === "reading" ? (
              <ButtonLink href={`${vouchersPath}/import?product=${one.productId}`}>Upload another file</ButtonLink>
            ) : null}
            <Form action={`${path}/cancel`} submit="Cancel import" kind="danger" isInline />
          </>
        ) : null}
      </Buttons>
    </>
  );
}

function Faults({ lines: faults, counts }: ImportFaults) {
  const all = counts.reduce((sum, { lines }) => sum + lines, 0);
  const note = all > faults.length ? `The first ${grouped(faults.length)} of ${grouped(all)}` : undefined;
  return (
    <TableSheet
      title="Lines that are left out"
      note={note}
      rows={faults}
      mark={(fault) => (isLeftOut(fault) ? undefined : "wrong")}
      isPlain
      columns={[
        { title: "Line", cell: ({ line }) => grouped(line), place: "lead" },
        { title: "Why", cell: faultName, place: "sub" },
      ]}
    />
  );
}
