import { findImportRequest, importingRoutes } from "../../../domain/history/suppliers/stopping.ts";
import {
  countsOf,
  importRoutes,
  planImport,
  readGivenList,
} from "../../../domain/suppliers/route-lists/import-list.ts";
import { readSuppliers } from "../../../domain/suppliers/routing/route-table.ts";
import { type Answer, goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import { fileOrLinesIn } from "../../kit/file-or-lines.tsx";
import { bulkFormBytesMax, type Form as SentForm, type Typed, typedForm, wrong } from "../../kit/form.ts";
import { Form } from "../../kit/parts/form.tsx";
import { ButtonLink, Sheet } from "../../kit/parts/layout.tsx";
import { countText } from "../../kit/parts/text.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { askForTwo, type TwoPeople } from "../approvals/two-people.ts";
import { changing } from "../audited.ts";
import type { OperatorServices } from "../services.ts";
import { SupplierField, supplierIn } from "../suppliers/supplier-fields.tsx";
import { refuseFalling } from "./cost-approval.ts";
import { ListFields, previewPage } from "./preview.tsx";
import { routesPath } from "./words.tsx";

const here = `${routesPath}/import`;
/** A list goes with its preview and comes back with the button. */
const listLengthMax = 1_000_000;

export const routeImport: TwoPeople = { ...importingRoutes.rules, by: () => importingRoutes };

/** A supplier's list of routes: upload, look at what it changes, then all of it or nothing. */
export function importPages(routes: StaffRoutes, services: OperatorServices): void {
  const change = { capability: "change_suppliers", bytesMax: bulkFormBytesMax } as const;
  const doneAt = (visit: StaffVisit) =>
    `${routesPath}?${new URLSearchParams({ supplier: visit.query.get("supplier") ?? "" })}`;
  routes.both(here, {
    ...{ ...change, doneAt },
    isHarmless: true,
    show: (visit, typed) => importPage(services, visit, typed),
    send: (_visit, form) => preview(services, typedForm(form, null)),
  });
  routes.form(`${here}/apply`, {
    ...{ ...change, doneAt },
    // Refused, as the routes were changed meanwhile: the preview as it is now, with the same list.
    show: (visit, typed) => preview(services, typed).catch(() => importPage(services, visit, typed)),
    send: (visit, form) => apply(services, visit, form),
  });
}

/** @throws Refusal VALIDATION_ERROR at the fields, for what is no list */
async function listIn({ database }: OperatorServices, form: SentForm) {
  const { name: supplier } = await supplierIn(database, form);
  const text = fileOrLinesIn(form, "list");
  if (text.trim() === "") throw wrong("list", "Paste the list, or choose its file.");
  if (text.length > listLengthMax) throw wrong("list", "Longer than 1 MB. Split it.");
  return readGivenList(database, { supplier, text, isWhole: form.has("whole") });
}

async function preview(services: OperatorServices, typed: Typed): Promise<PageAnswer> {
  const list = await listIn(services, typed.form);
  const plan = await planImport(services.database, list);
  return previewPage(services, { list, plan, text: fileOrLinesIn(typed.form, "list"), typed });
}

async function apply(services: OperatorServices, visit: StaffVisit, form: SentForm): Promise<Answer> {
  const list = await listIn(services, form);
  const plan = await planImport(services.database, list);
  const { planned } = plan;
  await refuseFalling(
    services,
    visit,
    planned.flatMap(({ after }) => (after === null ? [] : [{ ...after, supplier: list.supplier }])),
  );
  const { supplier } = list;
  const details = { supplier, ...countsOf(planned) };
  const seen = form.text("seen");
  const doneAt = `${routesPath}?${new URLSearchParams({ supplier })}`;
  const asking = { database: services.reads, clock: services.people.clock };
  const text = async () => fileOrLinesIn(form, "list");
  const request = plan.version === seen ? await findImportRequest(asking, list, plan, text) : null;
  if (request !== null) return askForTwo(services, visit, routeImport, { ...request, doneAt });
  const database = changing(services, visit, "console routes import", details);
  const imported = await importRoutes(database, { ...list, seen });
  return goTo(doneAt, `Imported: ${countText(imported.planned.length, "route")} changed.`);
}

async function importPage({ reads }: OperatorServices, visit: StaffVisit, typed: Typed): Promise<PageAnswer> {
  const suppliers = await readSuppliers(reads);
  const supplier = typed.value("supplier", visit.query.get("supplier") ?? "");
  return page(
    {
      title: "Import routes",
      note: "A supplier’s list of products, codes and costs. Nothing changes before you have seen what does",
      crumbs: [["Routes", routesPath]],
      actions: suppliers.some(({ name }) => name === supplier) ? (
        <ButtonLink href={`${routesPath}/routes.csv?supplier=${supplier}`} icon="download" isDownload>
          Download its routes
        </ButtonLink>
      ) : null,
    },
    <Sheet>
      <Form action={here} submit="Preview changes" cancelHref={routesPath} isUpload>
        <SupplierField {...{ typed, suppliers }} chosen={supplier} />
        <ListFields typed={typed} />
      </Form>
    </Sheet>,
  );
}
