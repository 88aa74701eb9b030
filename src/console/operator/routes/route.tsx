import type { Product } from "../../../categories/product/product.ts";
import { priceText } from "../../../domain/suppliers/price-lists/difference-row.ts";
import type { RouteRow } from "../../../domain/suppliers/queries.ts";
import { impliedCode } from "../../../domain/suppliers/route-lists/import-list.ts";
import {
  addRoute,
  changeRoute,
  checkIsNew,
  readProductRoutes,
  removeRoute,
} from "../../../domain/suppliers/routing/arrange-routes.ts";
import { notACost, readCost } from "../../../domain/suppliers/routing/cost-text.ts";
import { costOf, readSuppliers } from "../../../domain/suppliers/routing/route-table.ts";
import { refuse } from "../../../kernel/problems.ts";
import { type Answer, goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import { askFirst } from "../../kit/ask-first.tsx";
import type { Form as SentForm, Typed } from "../../kit/form.ts";
import { CheckField, TextField } from "../../kit/parts/fields.tsx";
import { Flash, Form } from "../../kit/parts/form.tsx";
import { ButtonLink, Empty, Sheet } from "../../kit/parts/layout.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { askForTwo } from "../approvals/two-people.ts";
import { changing } from "../audited.ts";
import type { OperatorServices } from "../services.ts";
import { SupplierField, supplierIn } from "../suppliers/supplier-fields.tsx";
import { costChange, mayLowerAlone } from "./cost-approval.ts";
import { productAt, productRoutesPath, routesPath } from "./words.tsx";

const here = `${routesPath}/:product`;
const one = `${here}/suppliers/:supplier`;

/** A new route of a product, and one that is there: its code, its cost, whether it is on; and its end. */
export function routePages(routes: StaffRoutes, services: OperatorServices): void {
  const doneAt = (visit: StaffVisit) => `${routesPath}/${visit.param("product")}`;
  const change = { capability: "change_suppliers", doneAt } as const;
  routes.both(`${here}/add`, {
    ...change,
    show: (visit, typed) => addPage(services, visit, typed),
    send: (visit, form) => add(services, visit, form),
  });
  routes.both(one, {
    ...change,
    show: (visit, typed) => changePage(services, visit, typed),
    send: (visit, form) => save(services, visit, form),
  });
  const removal = askFirst<StaffVisit, "change_suppliers">({
    ...change,
    async ask(visit) {
      const { product, row } = await routeAt(services, visit);
      return {
        title: `Remove ${row.supplier} from ${product.name}`,
        text: <p>New sales of it no longer go to {row.supplier}. We still requery sales already sent to it.</p>,
        submit: "Remove route",
        cancelHref: productRoutesPath(product),
      };
    },
    async send(visit) {
      const { product, row } = await routeAt(services, visit);
      await removeRoute(
        changing(services, visit, "console routes remove", detailsOf(product, row)),
        product.id,
        row.supplier,
      );
      return goTo(productRoutesPath(product), `Route to ${row.supplier} removed.`);
    },
  });
  routes.both(`${one}/remove`, removal);
}

function detailsOf({ id }: Product, { supplier, supplierCode, enabled, ...row }: RouteRow) {
  return { product: id, supplier, code: supplierCode, cost: priceText(costOf(row)), enabled };
}

/** @throws Refusal NOT_FOUND */
async function routeAt(services: OperatorServices, visit: StaffVisit) {
  const product = await productAt(services, visit);
  const { rows, version } = await readProductRoutes(services.database, product.id);
  const row = rows.find(({ supplier }) => supplier === visit.param("supplier"));
  if (row === undefined) throw refuse("NOT_FOUND");
  return { product, row, version };
}

async function add(services: OperatorServices, visit: StaffVisit, form: SentForm): Promise<Answer> {
  const product = await productAt(services, visit);
  const { name: supplier } = await supplierIn(services.database, form);
  const route = { productId: product.id, supplier, ...(await fieldsIn(services, supplier, form)) };
  checkIsNew((await readProductRoutes(services.database, product.id)).rows, supplier);
  const { enabled } = route;
  const fields = { product: product.id, supplier, code: route.supplierCode, cost: priceText(route.cost), enabled };
  if (!(await mayLowerAlone(services, visit, route, null))) {
    const summary = `Add ${supplier} to ${product.name} for ${fields.cost}, far below its other routes`;
    return askForTwo(services, visit, costChange, { summary, fields, doneAt: productRoutesPath(product) });
  }
  await addRoute(changing(services, visit, "console routes add", fields), route);
  return goTo(productRoutesPath(product), `${supplier} is the last route of this product. Move it where it belongs.`);
}

async function save(services: OperatorServices, visit: StaffVisit, form: SentForm): Promise<Answer> {
  const { product, row } = await routeAt(services, visit);
  const fields = await fieldsIn(services, row.supplier, form);
  const after = { code: fields.supplierCode, cost: priceText(fields.cost), enabled: fields.enabled };
  const details = { ...detailsOf(product, row), after };
  const route = { productId: product.id, supplier: row.supplier, ...fields, seen: form.text("seen") };
  if (!(await mayLowerAlone(services, visit, route, costOf(row)))) {
    const summary = `Lower the cost of ${product.name} at ${row.supplier} from ${priceText(costOf(row))} to ${after.cost}`;
    const requested = { product: product.id, supplier: row.supplier, ...after, seen: route.seen };
    return askForTwo(services, visit, costChange, { summary, fields: requested, doneAt: productRoutesPath(product) });
  }
  await changeRoute(changing(services, visit, "console routes change", details), route);
  return goTo(productRoutesPath(product), `Saved. ${row.supplier} takes ${after.cost} for one.`);
}

/** @throws Refusal VALIDATION_ERROR with all that is wrong, at the fields */
async function fieldsIn({ database }: OperatorServices, supplier: string, form: SentForm) {
  const typed = form.text("code");
  const supplierCode = typed === "" ? await impliedCode(database, supplier) : typed;
  const cost = readCost(form.text("cost"));
  const errors: Record<string, string[]> = {};
  if (supplierCode === null) errors.code = [`${supplier} calls products by codes: type what it calls this one.`];
  if (cost === null) errors.cost = [notACost(form.text("cost"))];
  if (supplierCode === null || cost === null) throw refuse("VALIDATION_ERROR", { errors });
  return { supplierCode, cost, enabled: form.has("on") };
}

async function addPage(services: OperatorServices, visit: StaffVisit, typed: Typed): Promise<PageAnswer> {
  const product = await productAt(services, visit);
  const { rows } = await readProductRoutes(services.database, product.id);
  const suppliers = await readSuppliers(services.reads);
  const free = suppliers.filter(({ name }) => !rows.some(({ supplier }) => supplier === name));
  const back = productRoutesPath(product);
  const head = {
    title: "Add route",
    note: product.name,
    crumbs: [["Routes", routesPath] as const, [product.name, back] as const],
    typed,
  };
  if (free.length === 0) {
    return page(
      head,
      <Sheet>
        <Empty
          title="Every supplier has a route to this product"
          action={<ButtonLink href={back}>Back to its routes</ButtonLink>}
        >
          Add a supplier first, or change one of its routes.
        </Empty>
      </Sheet>,
    );
  }
  return page(
    head,
    <Sheet>
      <Form action={`${back}/add`} submit="Add route" cancelHref={back}>
        <SupplierField typed={typed} suppliers={free} chosen={visit.query.get("supplier") ?? null} />
        <RouteFields typed={typed} row={null} />
      </Form>
    </Sheet>,
  );
}

async function changePage(services: OperatorServices, visit: StaffVisit, typed: Typed): Promise<PageAnswer> {
  const { product, row, version } = await routeAt(services, visit);
  const back = productRoutesPath(product);
  const isStale = typed.form.has("seen") && typed.value("seen") !== version;
  const path = `${back}/suppliers/${row.supplier}`;
  return page(
    {
      title: row.supplier,
      note: `Route of ${product.name}`,
      crumbs: [["Routes", routesPath] as const, [product.name, back] as const],
      actions: <ButtonLink href={`${path}/remove`}>Remove route</ButtonLink>,
    },
    <>
      {isStale ? (
        <Flash kind="waiting">
          {`Stored now: code ${row.supplierCode}, cost ${priceText(costOf(row))}, ${row.enabled ? "on" : "stopped"}.`}
        </Flash>
      ) : null}
      <Sheet>
        <Form action={path} submit="Save route" cancelHref={back} hidden={{ seen: version }}>
          <RouteFields typed={typed} row={row} />
        </Form>
      </Sheet>
    </>,
  );
}

function RouteFields({ typed, row }: { readonly typed: Typed; readonly row: RouteRow | null }) {
  const isTyped = typed.form.has("cost");
  return (
    <>
      <TextField
        {...typed.field("code", row?.supplierCode ?? null)}
        label="The supplier’s code"
        hint="What it calls this product. Leave empty where it has no codes."
        lengthMax={200}
        isRequired={false}
        isOptional={false}
        isCode
      />
      <TextField
        {...typed.field("cost", row === null ? null : priceText(costOf(row)))}
        label="Cost of one"
        hint="Naira such as 612.00, another currency such as 4.50 USD, or a share of the face value such as 97.5%."
        lengthMax={40}
      />
      <CheckField
        name="on"
        label="New sales may take this route"
        isChecked={isTyped ? typed.form.has("on") : (row?.enabled ?? true)}
      />
    </>
  );
}
