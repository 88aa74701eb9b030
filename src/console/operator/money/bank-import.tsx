import { addBankAccount, keepLayout } from "../../../domain/funding/statements/accounts-and-layouts.ts";
import { importStatement } from "../../../domain/funding/statements/import-statement.ts";
import {
  neededRoles,
  type StatementRole,
  statementBanks,
  statementRoles,
} from "../../../domain/funding/statements/layouts.ts";
import {
  findStatementImport,
  listBankAccounts,
  listStatementImports,
  type StatementImport,
} from "../../../domain/funding/statements/statement-queries.ts";
import { auditName } from "../../../domain/identity/people/person.ts";
import { wholeNumber } from "../../../kernel/typed-text.ts";
import { type Answer, goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import { columnsOf } from "../../kit/columns.tsx";
import { detail } from "../../kit/detail.ts";
import { refused, type Form as SentForm, type Typed, wrong } from "../../kit/form.ts";
import { Facts } from "../../kit/parts/data.tsx";
import { SelectField, TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { ButtonLink, Columns, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { TableSheet } from "../../kit/parts/list.tsx";
import { countText, grouped, Moment } from "../../kit/parts/text.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { personName } from "../audit/audit-words.ts";
import { changing } from "../audited.ts";
import type { OperatorServices } from "../services.ts";
import { transfersPath } from "./bank-rows.tsx";

const here = `${transfersPath}/import`;
const layoutPath = `${transfersPath}/layout`;
const crumbs = [["Bank transfers", transfersPath]] as const;
/** Some 100,000 lines. */
const bytesMax = 16 * 1_048_576;
const importsShown = 20;

/** A bank's statement is read: its account, its file, and where nobody knows its headings, what they mean. */
export function bankImportPages(routes: StaffRoutes, services: OperatorServices): void {
  const may = { capability: "import_statements", doneAt: () => here } as const;
  const show = (_visit: StaffVisit, typed: Typed) => importPage(services, typed);
  // Each holds its file, and what was read of it, in memory.
  let isReading = false;
  routes.page(here, { ...may, show });
  routes.form(here, {
    ...{ ...may, bytesMax, show },
    async send(visit, form) {
      if (isReading) throw refused("Another statement is being read. Send yours again in a moment.");
      isReading = true;
      try {
        return await importSent(services, visit, form);
      } finally {
        isReading = false;
      }
    },
  });
  routes.form(`${here}/account`, { ...{ ...may, show }, send: (visit, form) => addAccount(services, visit, form) });
  routes.both(layoutPath, {
    ...may,
    show: (visit, typed) => layoutPage(headingsIn(typed.form.raw("headings") || visit.query.get("headings")), typed),
    send: (visit, form) => keep(services, visit, form),
  });
  detail(routes, {
    at: `${transfersPath}/imports/:id`,
    may: "see_money",
    find: ({ param }) => findStatementImport(services.reads, wholeNumber(param("id")) ?? 0),
    show: (_visit, one) => importedPage(one),
  });
}

async function importSent(services: OperatorServices, visit: StaffVisit, form: SentForm): Promise<Answer> {
  const { people, wallTime } = services;
  const accountNumber = form.text("account");
  const fileName = (form.text("file-name") || "statement").slice(0, 200);
  const bytes = form.bytes("file") ?? Buffer.from(form.raw("file"));
  if (bytes.length === 0) throw wrong("file", "Choose the statement’s file.");
  const order = (["day", "month"] as const).find((each) => each === form.text("dates")) ?? null;
  const database = changing(services, visit, "console statement import", { account: accountNumber, file: fileName });
  const importedBy = auditName(visit.session.person);
  const done = await importStatement(
    { database, clock: people.clock, wallTime },
    { accountNumber, fileName, bytes, order, importedBy },
  );
  if ("unknown" in done) {
    const headings = JSON.stringify(done.unknown.map((name) => name.slice(0, 60)));
    return goTo(`${layoutPath}?headings=${encodeURIComponent(headings)}`);
  }
  return goTo(`${transfersPath}/imports/${done.id}`);
}

async function addAccount(services: OperatorServices, visit: StaffVisit, form: SentForm): Promise<Answer> {
  const account = { accountNumber: form.text("account_number"), bank: form.text("bank") };
  const database = changing(services, visit, "console bank account add", account);
  await addBankAccount(database, account, auditName(visit.session.person));
  return goTo(here, `Statements of ${account.accountNumber} can be imported.`);
}

async function importPage({ reads }: OperatorServices, typed: Typed): Promise<PageAnswer> {
  const [accounts, imports] = await Promise.all([listBankAccounts(reads), listStatementImports(reads, importsShown)]);
  const choices = accounts.map(({ accountNumber: value, bank }) => ({ value, label: `${bank} ${value}` }));
  return page(
    { title: "Import statement", crumbs, note: "A file that overlaps another one is fine: each line counts once" },
    <>
      <Columns kind="even">
        {accounts.length === 0 ? null : (
          <Sheet title="Statement">
            <Form action={here} submit="Import statement" isUpload>
              <SelectField {...typed.field("account", choices[0]?.value)} label="Account" choices={choices} />
              <TextField
                {...typed.field("file")}
                label="File"
                type="file"
                accept=".csv,.xlsx,text/csv"
                hint="CSV or XLSX, as your bank exports it. Up to 16 MB."
              />
              <SelectField
                {...typed.field("dates")}
                label="Dates such as 05/11/2026"
                placeholder="Find out by the file"
                choices={[
                  { value: "day", label: "begin with the day" },
                  { value: "month", label: "begin with the month" },
                ]}
                isRequired={false}
              />
            </Form>
          </Sheet>
        )}
        <Sheet title="Add one of our accounts">
          <Form action={`${here}/account`} submit="Add account" kind="plain">
            <TextField {...typed.field("account_number")} label="Account number" keys="numeric" />
            <TextField
              {...typed.field("bank")}
              label="Bank"
              lengthMax={60}
              hint={`We know the statements of ${statementBanks.join(", ")}. You map any other bank’s once.`}
            />
          </Form>
        </Sheet>
      </Columns>
      <Imports imports={imports} />
    </>,
  );
}

const column = columnsOf<StatementImport>();

function Imports({ imports }: { readonly imports: readonly StatementImport[] }) {
  return (
    <TableSheet
      title="Latest imports"
      rows={imports}
      href={({ id }) => `${transfersPath}/imports/${id}`}
      columns={[
        column.lead("File", ({ fileName }) => fileName),
        column.sub("Account", ({ bank, accountNumber }) => `${bank} ${accountNumber}`),
        column.when("When", ({ importedAt }) => importedAt),
        column.sub("By", ({ importedBy }) => personName(importedBy)),
        column.count("New", ({ fresh }) => fresh),
        column.count("Known", ({ known }) => known),
        column.count("Wrong", ({ wrong: lines }) => lines),
      ]}
      empty={<Empty title="No statements yet">A statement that you import appears here.</Empty>}
    />
  );
}

function importedPage(one: StatementImport): PageAnswer {
  const { fileName, bank, accountNumber, layout, importedAt, importedBy, fresh, known, debits, faults } = one;
  return page(
    {
      title: fileName,
      crumbs: [...crumbs, ["Import statement", here]],
      note: `${countText(fresh, "new transfer")} from ${bank} ${accountNumber}`,
      actions: (
        <ButtonLink href={transfersPath} kind="main">
          See open transfers
        </ButtonLink>
      ),
    },
    <>
      <Sheet title="What’s in the file">
        <Facts
          facts={{
            "New transfers": grouped(fresh),
            "Known from other files": grouped(known),
            "Money that left, skipped": grouped(debits),
            "Lines that can’t be used": grouped(one.wrong),
            Headings: layout,
            Imported: <Moment at={importedAt} style="full" />,
            By: personName(importedBy),
          }}
        />
      </Sheet>
      {faults.length === 0 ? null : (
        <TableSheet
          title="Lines that can’t be used"
          note={one.wrong > faults.length ? `The first ${grouped(faults.length)} of ${grouped(one.wrong)}` : undefined}
          rows={faults}
          isPlain
          columns={[
            { title: "Line", cell: ({ line }) => grouped(line), place: "lead" },
            { title: "What’s wrong", cell: ({ sentence }) => sentence, place: "sub" },
          ]}
        />
      )}
    </>,
  );
}

/** The headings as the address or the form has them. */
function headingsIn(text: string | undefined): readonly string[] {
  try {
    const headings: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(headings) ? headings.slice(0, 200).map((name) => String(name).slice(0, 60)) : [];
  } catch {
    return [];
  }
}

const roleLabels: Readonly<Record<StatementRole, string>> = {
  date: "Date",
  narration: "Narration",
  credit: "Money in",
  debit: "Money out",
  reference: "The bank’s reference",
  balance: "Balance",
};

function layoutPage(headings: readonly string[], typed: Typed): PageAnswer {
  const choices = headings.filter((name) => name !== "").map((name) => ({ value: name, label: name }));
  return page(
    { title: "Map columns", crumbs: [...crumbs, ["Import statement", here]], note: "Once for each kind of statement" },
    choices.length === 0 ? (
      <Sheet>
        <Empty title="No headings yet" action={<ButtonLink href={here}>Import statement</ButtonLink>}>
          Import a statement: if we don’t know its headings, you say here what they mean.
        </Empty>
      </Sheet>
    ) : (
      <Sheet title="What do its columns mean?">
        <Form action={layoutPath} submit="Keep and go on" hidden={{ headings: JSON.stringify(headings) }}>
          {statementRoles.map((role) => (
            <SelectField
              key={role}
              {...typed.field(role)}
              label={roleLabels[role]}
              placeholder="No column"
              choices={choices}
              isRequired={neededRoles.includes(role)}
            />
          ))}
        </Form>
      </Sheet>
    ),
  );
}

async function keep(services: OperatorServices, visit: StaffVisit, form: SentForm): Promise<Answer> {
  const headings = headingsIn(form.raw("headings"));
  const columns = Object.fromEntries(statementRoles.map((role) => [role, form.text(role)]));
  const database = changing(services, visit, "console statement layout", { headings, columns });
  await keepLayout(database, headings, columns, auditName(visit.session.person));
  return goTo(here, "The columns are kept. Choose the file again.");
}
