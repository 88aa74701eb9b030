import { listNewestEntries } from "../../../domain/audit/audit-queries.ts";
import { invariants } from "../../../domain/wallet/invariants.ts";
import { checkLedger, type InvariantCheck } from "../../../domain/wallet/reconcile.ts";
import { goBack, goTo, page } from "../../kit/answer.tsx";
import { Form, Live } from "../../kit/parts/form.tsx";
import { Empty } from "../../kit/parts/layout.tsx";
import { TableSheet } from "../../kit/parts/list.tsx";
import { Moment, Status } from "../../kit/parts/text.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { detailsText, personName } from "../audit/audit-words.ts";
import { enter } from "../audited.ts";
import type { OperatorServices } from "../services.ts";

const here = "/operator/ledger";
const command = "console ledger check";
const rowsShown = 5;

/** Do the books agree? Every promise of the ledger is proved; the audit log keeps what came of it. */
export function ledgerPages(routes: StaffRoutes, services: OperatorServices): void {
  // It reads the whole ledger, for minutes: one at a time in this process.
  let step: string | null = null;
  let checks: readonly InvariantCheck[] = [];
  async function check(visit: StaffVisit): Promise<void> {
    const steps = invariants.length;
    let done = 0;
    try {
      checks = await checkLedger(services.database, (promise) => {
        done += 1;
        step = `${done} of ${steps}: ${promise}`;
      });
      const broken = checks.filter((each) => each.broken.length > 0).map(({ invariant }) => invariant);
      await enter(services, visit, command, { checked: checks.length, broken });
    } catch (error) {
      services.log.error({ event: "ledger.check_failed", error });
      await enter(services, visit, command, { failed: step }).catch(() => {});
    } finally {
      step = null;
    }
  }
  const show = (visit: StaffVisit) => ledgerPage(services, visit, { step, checks });
  routes.page(here, { capability: "see_reports", show });
  routes.form(here, {
    ...{ capability: "reconcile", doneAt: () => here, show },
    send(visit) {
      if (step !== null) return goBack(here, "A check is running.");
      step = "starting";
      void check(visit);
      return goTo(here);
    },
  });
}

interface Seen {
  /** Null while none is running. */
  readonly step: string | null;
  /** Of the last check of this process. */
  readonly checks: readonly InvariantCheck[];
}

async function ledgerPage({ reads }: OperatorServices, visit: StaffVisit, { step, checks }: Seen) {
  const past = await listNewestEntries(reads, { who: null, text: command, before: null, limit: 10 });
  const may = visit.may("reconcile") && step === null;
  return page(
    {
      title: "Ledger check",
      note: step === null ? "Proves every promise of the books" : `Checking ${step}`,
      actions: (
        <Live tableId="checks" everySeconds={2} isOn={step !== null}>
          {may ? <Form action={here} submit="Check ledger" isInline /> : null}
        </Live>
      ),
    },
    <div id="checks">
      {step === null ? null : <Status kind="waiting">{`Checking ${step}`}</Status>}
      {step !== null || checks.length === 0 ? null : (
        <TableSheet
          caption="Promises of the books"
          rows={checks}
          columns={[
            { title: "Promise", cell: ({ invariant }) => invariant, place: "lead" },
            { title: "Result", cell: Result, place: "state" },
            { title: "Rows", cell: ({ broken }) => broken.slice(0, rowsShown).map(rowText), place: "sub" },
          ]}
        />
      )}
      <TableSheet
        title="Checks"
        caption="Checks, the newest first"
        rows={past}
        columns={[
          { title: "When", cell: ({ at }) => <Moment at={at} />, place: "lead" },
          { title: "By", cell: ({ who }) => personName(who), place: "sub" },
          { title: "Result", cell: ({ details }) => detailsText(details), place: "sub" },
        ]}
        empty={<Empty title="No check yet">Closing a day checks the books too.</Empty>}
      />
    </div>,
  );
}

function Result({ broken }: InvariantCheck) {
  return broken.length === 0 ? <Status kind="good">holds</Status> : <Status kind="bad">broken</Status>;
}

function rowText(row: Readonly<Record<string, unknown>>) {
  return <code>{JSON.stringify(row, (_name, value) => (typeof value === "bigint" ? String(value) : value))}</code>;
}
