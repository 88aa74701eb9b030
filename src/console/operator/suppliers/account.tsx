import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { openAtAccount } from "../../../domain/history/suppliers/open-at-account.ts";
import { ofSupplier, servesMuch } from "../../../domain/history/suppliers/stopping.ts";
import type { Request } from "../../../domain/staff/change-kinds.ts";
import { type EnteredSupplier, openCredentials, putSupplier } from "../../../domain/suppliers/administration.ts";
import { checkEntered } from "../../../domain/suppliers/asking.ts";
import type { Supplier } from "../../../domain/suppliers/routing/route.ts";
import { findSupplierNamed } from "../../../domain/suppliers/routing/route-table.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import { parseObject } from "../../../kernel/json.ts";
import { refuse } from "../../../kernel/problems.ts";
import type { EnteredFields } from "../../../providers/connector-kind.ts";
import { enteredKinds } from "../../../providers/registry.ts";
import { type Answer, goBack, goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import { refused, type Form as SentForm, type Typed, wrong } from "../../kit/form.ts";
import { CheckField, TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { ButtonLink, Sheet } from "../../kit/parts/layout.tsx";
import { refuseStale, seen } from "../../kit/stale.ts";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { changeOrAsk, type TwoPeople } from "../approvals/two-people.ts";
import { changing } from "../audited.ts";
import type { OperatorServices } from "../services.ts";
import { type Account, AccountFields, accountIn } from "./account-fields.tsx";
import { askingOf, atSupplier, supplierOf, supplierPath, suppliersPath } from "./found-supplier.ts";

const connectorsPath = "/operator/connectors";
/** What a person may say once a form was refused for want of it. */
const consents = { same_account: "It’s the same account", unchecked: "Save it all the same" } as const;

/** Another address or other keys of a supplier that serves much: all that is sold goes there. The keys are frozen sealed. */
export const accountChange: TwoPeople = {
  kind: "change supplier account",
  ...ofSupplier,
  by: ({ secretBox }) => ({
    async carryOut(database, { fields, secret }) {
      const name = String(fields.supplier);
      const present = await findSupplierNamed(database, name);
      if (present === null || stateOf(present) !== fields.from) {
        throw refused("It was changed meanwhile. Refuse this, and make a new request.");
      }
      const settings = JSON.parse(String(fields.settings)) as JsonObject;
      const credentials = secret === null ? null : parseObject(secret);
      await putSupplier({ database, secretBox }, { name, connector: present.connector, settings, credentials });
      return `Saved. New sales at ${name} use this account.`;
    },
  }),
};

/** What is asked for: other settings, and other keys unless they stay. */
export function accountRequest(
  supplier: Supplier,
  { settings, credentials }: Pick<EnteredSupplier, "settings" | "credentials">,
): Request {
  return {
    summary: `Change the ${credentials === null ? "settings" : "keys"} of ${supplier.name}`,
    fields: { supplier: supplier.name, from: stateOf(supplier), settings: JSON.stringify(settings) },
    secret: credentials === null ? null : JSON.stringify(credentials),
  };
}

interface Found {
  readonly kind: EnteredFields;
  /** Null for one that is new. */
  readonly supplier: Supplier | null;
}

/** A supplier is entered by what its connector declares, and asked with it before it is stored; later its account is changed. */
export function accountPages(routes: StaffRoutes, services: OperatorServices): void {
  const add = (path: string, doneAt: (visit: StaffVisit) => string, find: (visit: StaffVisit) => Promise<Found>) =>
    routes.both(path, {
      ...{ capability: "change_suppliers", doneAt },
      show: async (visit, typed) => accountPage(await find(visit), typed),
      send: async (visit, form) => save(services, visit, { ...(await find(visit)), form }),
    });
  const newOne = async (visit: StaffVisit) => ({ kind: kindOf(visit.param("connector")), supplier: null });
  add(`${connectorsPath}/:connector`, () => suppliersPath, newOne);
  add(`${suppliersPath}/:supplier/account`, atSupplier, async (visit) => {
    const supplier = await supplierOf(services, visit);
    return { kind: kindOf(supplier.connector), supplier };
  });
}

/** @throws Refusal NOT_FOUND */
function kindOf(connector: string): EnteredFields {
  const kind = enteredKinds.find((each) => each.connector === connector);
  if (kind === undefined) throw refuse("NOT_FOUND");
  return kind;
}

/** Equal texts mean the same account. */
function stateOf({ settings, credentials }: Supplier): string {
  return createHash("sha256")
    .update(JSON.stringify([settings, credentials]))
    .digest("hex");
}

async function save(
  services: OperatorServices,
  visit: StaffVisit,
  { kind: { connector }, kind, supplier, form }: Found & { readonly form: SentForm },
): Promise<Answer> {
  const { secretBox, reads } = services;
  const name = supplier?.name ?? form.text("name");
  if (supplier === null && (await findSupplierNamed(reads, name)) !== null) {
    throw wrong("name", "There’s a supplier of this name. Change it on its own page.");
  }
  if (supplier !== null) refuseStale(form, stateOf(supplier), JSON.stringify(supplier.settings));
  const kept = supplier === null ? {} : (openCredentials(secretBox, supplier) ?? {});
  const isName = supplier !== null || /^[a-z0-9-]{1,40}$/.test(name);
  const account = accountIn(form, kind, kept, isName ? {} : { name: ["Lower-case letters, digits and dashes."] });
  const credentials = isDeepStrictEqual(account.credentials, kept) ? null : account.credentials;
  if (credentials === null && isDeepStrictEqual(account.settings, supplier?.settings)) {
    return goBack(supplierPath(name), "Nothing was changed.");
  }
  const open = await openAtAccount(reads, { name, settings: account.settings, credentials });
  if (open !== null && !form.has("same_account")) throw wrong("same_account", open);
  const said = await ask(services, { name, connector, ...account }, form);
  if (supplier === null) {
    const database = changing(services, visit, "console supplier add", { supplier: name, connector, ...account });
    await putSupplier({ secretBox, database }, { name, connector, ...account });
    return goTo(supplierPath(name), `${name} is added. ${said}It gets sales once routes lead to it.`);
  }
  return changeOrAsk(services, visit, accountChange, {
    mayAlone: !(await servesMuch({ database: reads, clock: services.people.clock }, name)),
    command: "console supplier account",
    ...{ ...accountRequest(supplier, { settings: account.settings, credentials }), doneAt: supplierPath(name) },
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
    const why = failed.map(({ found, advice }) => `${found}.${advice === null ? "" : ` ${advice}`}`).join(" ");
    throw wrong("unchecked", `Nothing was saved. We asked it: ${why}`);
  }
  const answer = checks.find(({ subject, verdict }) => subject === "credentials" && verdict === "ok");
  return answer === undefined ? "" : `We asked it: ${answer.found}. `;
}

/** The ways to add a supplier, by who it is. */
export function AddSupplier() {
  return (
    <Sheet title="Add a supplier" note="Who sells to you?">
      <p class="buttons">
        {enteredKinds.map(({ connector, title }) => (
          <ButtonLink key={connector} href={`${connectorsPath}/${connector}`}>
            {title}
          </ButtonLink>
        ))}
      </p>
    </Sheet>
  );
}

function accountPage({ kind, supplier }: Found, typed: Typed): PageAnswer {
  const back = supplier === null ? suppliersPath : supplierPath(supplier.name);
  const isChecked = "base_url" in kind.settings.properties;
  return page(
    {
      title: supplier === null ? `Add ${kind.title}` : `Account at ${supplier.name}`,
      crumbs: [["Suppliers", suppliersPath], ...(supplier === null ? [] : [[supplier.name, back] as const])],
      note: isChecked ? "We ask it for its balance with what you type, then save. Nothing is bought." : undefined,
    },
    <Sheet>
      <Form
        action={supplier === null ? `${connectorsPath}/${kind.connector}` : `${back}/account`}
        submit={isChecked ? "Check and save" : "Save"}
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
        {Object.entries(consents).map(([name, label]) =>
          typed.error(name) === null && !typed.form.has(name) ? null : (
            <CheckField key={name} {...{ ...typed.box(name), label }} />
          ),
        )}
      </Form>
    </Sheet>,
  );
}
