import { createHash } from "node:crypto";
import { openAtAccount } from "../../../domain/history/suppliers/open-at-account.ts";
import { credentialsIdentity, openCredentials, putSupplier } from "../../../domain/suppliers/administration.ts";
import { checkEntered } from "../../../domain/suppliers/asking.ts";
import type { Supplier } from "../../../domain/suppliers/routing/route.ts";
import { findSupplierNamed } from "../../../domain/suppliers/routing/route-table.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import { refuse, refuseField } from "../../../kernel/problems.ts";
import type { EnteredFields } from "../../../providers/connector-kind.ts";
import { enteredKinds } from "../../../providers/registry.ts";
import { type Answer, goBack, goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import type { Form as SentForm, Typed } from "../../kit/form.ts";
import { CheckField, TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { Sheet } from "../../kit/parts/layout.tsx";
import { TableSheet } from "../../kit/parts/list.tsx";
import { refuseStale, seen } from "../../kit/stale.ts";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { changeOrAsk, sealedName, type TwoPeople } from "../approvals/two-people.ts";
import { changing } from "../audited.ts";
import type { OperatorServices } from "../services.ts";
import { type Account, AccountFields, accountIn } from "./account-fields.tsx";
import { askingOf, atSupplier, supplierOf, supplierPath, suppliersPath } from "./found-supplier.ts";
import { servesMuch } from "./stop.ts";

const connectorsPath = "/operator/connectors";

/** Another address or other keys of a supplier that serves much: all that is sold goes there. The keys are frozen sealed. */
export const accountChange: TwoPeople = {
  kind: "change supplier account",
  roles: ["admin", "catalogue"],
  async carryOut({ secretBox }, database, payload) {
    const name = String(payload.supplier);
    const present = await findSupplierNamed(database, name);
    if (present === null || stateOf(present) !== payload.from) {
      throw refuse("VALIDATION_ERROR", { message: "It was changed meanwhile. Refuse this, and make a new request." });
    }
    const settings = JSON.parse(String(payload.settings)) as JsonObject;
    const sealed = payload[sealedName];
    const credentials = typeof sealed === "string" ? openCredentials(secretBox, { name, credentials: sealed }) : null;
    await putSupplier({ database, secretBox }, { name, connector: present.connector, settings, credentials });
    return `Saved. New sales at ${name} use this account.`;
  },
};

/** A supplier is entered by what its connector declares, and asked with it before it is stored; later its account is changed. */
export function accountPages(routes: StaffRoutes, services: OperatorServices): void {
  const capability = "change_suppliers" as const;
  routes.page(connectorsPath, { capability, show: connectorsPage });
  const kindAt = (visit: StaffVisit) => kindOf(visit.param("connector"));
  routes.both(`${connectorsPath}/:connector`, {
    ...{ capability, doneAt: () => suppliersPath },
    show(visit, typed) {
      const kind = kindAt(visit);
      return kind === null ? null : accountPage(kind, null, typed);
    },
    send(visit, form) {
      const kind = kindAt(visit);
      return kind === null ? null : add(services, visit, { kind, form });
    },
  });
  routes.both(`${suppliersPath}/:supplier/account`, {
    ...{ capability, doneAt: atSupplier },
    async show(visit, typed) {
      const supplier = await supplierOf(services, visit);
      const kind = kindOf(supplier.connector);
      return kind === null ? null : accountPage(kind, supplier, typed);
    },
    async send(visit, form) {
      const supplier = await supplierOf(services, visit);
      const kind = kindOf(supplier.connector);
      return kind === null ? null : change(services, visit, { kind, form, supplier });
    },
  });
}

function kindOf(connector: string): EnteredFields | null {
  return enteredKinds.find((kind) => kind.connector === connector) ?? null;
}

/** Equal texts mean the same account. */
function stateOf({ settings, credentials }: Supplier): string {
  return `${JSON.stringify(settings)} ${createHash("sha256")
    .update(credentials ?? "")
    .digest("hex")
    .slice(0, 12)}`;
}

interface Sent {
  readonly kind: EnteredFields;
  readonly form: SentForm;
}

async function add(services: OperatorServices, visit: StaffVisit, { kind, form }: Sent): Promise<Answer> {
  const [name, { connector }] = [form.text("name"), kind];
  if ((await findSupplierNamed(services.reads, name)) !== null) {
    throw refuseField("VALIDATION_ERROR", "name", "There’s a supplier of this name. Change it on its own page.");
  }
  const account = accountIn(form, kind, {});
  const told = await ask(services, { name, connector, ...account }, form);
  const database = changing(services, visit, "console supplier add", { supplier: name, connector, ...account });
  await putSupplier({ ...services, database }, { name, connector, ...account });
  return goTo(supplierPath(name), `${name} is added. ${told}It gets sales once routes lead to it.`);
}

async function change(
  services: OperatorServices,
  visit: StaffVisit,
  { kind, form, supplier }: Sent & { readonly supplier: Supplier },
): Promise<Answer> {
  const { secretBox, reads } = services;
  const { name, connector } = supplier;
  refuseStale(form, stateOf(supplier), JSON.stringify(supplier.settings));
  const kept = openCredentials(secretBox, supplier) ?? {};
  const account = accountIn(form, kind, kept);
  const isKept = JSON.stringify(account.credentials) === JSON.stringify(kept);
  const credentials = isKept ? null : account.credentials;
  if (isKept && JSON.stringify(account.settings) === JSON.stringify(supplier.settings)) {
    return goBack(supplierPath(name), "Nothing was changed.");
  }
  const open = await openAtAccount(reads, { name, settings: account.settings, credentials });
  if (open !== null && !form.has("same_account")) throw refuseField("VALIDATION_ERROR", "same_account", open);
  await ask(services, { name, connector, ...account }, form);
  return changeOrAsk(services, visit, accountChange, {
    mayAlone: !(await servesMuch(services, name)),
    command: "console supplier account",
    summary: `Change the ${credentials === null ? "settings" : "keys"} of ${name}`,
    payload: {
      ...{ supplier: name, from: stateOf(supplier), settings: JSON.stringify(account.settings) },
      sealed_values: credentials === null ? "as they are" : "new",
      [sealedName]:
        credentials === null ? null : secretBox.seal(JSON.stringify(credentials), credentialsIdentity(name)),
    },
    doneAt: supplierPath(name),
  });
}

/** Asks the supplier with what was typed. @returns what it told, as a sentence. @throws Refusal VALIDATION_ERROR at `unchecked` */
async function ask(
  services: OperatorServices,
  entered: Account & { readonly name: string; readonly connector: string },
  form: SentForm,
): Promise<string> {
  const checks = await checkEntered(askingOf(services), entered);
  const failed = checks.filter(({ verdict }) => verdict === "failed");
  if (failed.length > 0 && !form.has("unchecked")) {
    const said = failed.map(({ found, advice }) => `${found}.${advice === null ? "" : ` ${advice}`}`).join(" ");
    throw refuseField("VALIDATION_ERROR", "unchecked", `Nothing was saved. We asked it: ${said}`);
  }
  const answer = checks.find(({ subject, verdict }) => subject === "credentials" && verdict === "ok");
  return answer === undefined ? "" : `We asked it: ${answer.found}. `;
}

function connectorsPage(): PageAnswer {
  return page(
    { title: "Add supplier", crumbs: [["Suppliers", suppliersPath]], note: "Which of these sells to you?" },
    <TableSheet
      caption="Kinds of suppliers"
      rows={enteredKinds}
      href={({ connector }) => `${connectorsPath}/${connector}`}
      columns={[
        { title: "Supplier", cell: ({ title }) => title, place: "lead" },
        { title: "Connector", cell: ({ connector }) => <code>{connector}</code>, place: "sub" },
      ]}
    />,
  );
}

function accountPage(kind: EnteredFields, supplier: Supplier | null, typed: Typed): PageAnswer {
  const [back, title] =
    supplier === null
      ? ([connectorsPath, `Add ${kind.title}`] as const)
      : ([supplierPath(supplier.name), `Account at ${supplier.name}`] as const);
  const isAsked = "base_url" in kind.settings.properties;
  return page(
    {
      title,
      crumbs: [["Suppliers", suppliersPath], supplier === null ? ["Add supplier", back] : [supplier.name, back]],
      note: isAsked ? "We ask it for its balance with what you type, then save. Nothing is bought." : undefined,
    },
    <Sheet>
      <Form
        action={supplier === null ? `${connectorsPath}/${kind.connector}` : `${back}/account`}
        submit={isAsked ? "Check and save" : "Save"}
        cancelHref={back}
        hidden={supplier === null ? {} : seen(stateOf(supplier))}
      >
        {supplier === null ? (
          <TextField
            {...typed.field("name")}
            label="Name"
            hint="What sales and reports call it: lower-case letters, digits and dashes."
            lengthMax={40}
          />
        ) : null}
        <AccountFields {...{ kind, typed }} settings={supplier?.settings ?? null} />
        {typed.error("same_account") === null ? null : (
          <CheckField name="same_account" label="It’s the same account" error={typed.error("same_account")} />
        )}
        {typed.error("unchecked") === null ? null : (
          <CheckField name="unchecked" label="Save it all the same" error={typed.error("unchecked")} />
        )}
      </Form>
    </Sheet>,
  );
}
