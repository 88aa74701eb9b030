import { setTimeout as delay } from "node:timers/promises";
import { addressOf, askStored } from "../../../domain/suppliers/asking.ts";
import { acceptChosen } from "../../../domain/suppliers/price-lists/accept-chosen.ts";
import { askDifferences, hasCatalogue } from "../../../domain/suppliers/price-lists/ask-differences.ts";
import type { DifferenceRow } from "../../../domain/suppliers/price-lists/difference-row.ts";
import { markedFile } from "../../../domain/suppliers/price-lists/marked-file.ts";
import { findStoredList } from "../../../domain/suppliers/price-lists/queries.ts";
import type { Supplier } from "../../../domain/suppliers/routing/route.ts";
import { type Answer, csvAnswer, goBack, goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import { detail } from "../../kit/detail.ts";
import { deedIn, refused, type Form as SentForm, type Typed } from "../../kit/form.ts";
import { Form } from "../../kit/parts/form.tsx";
import { ButtonLink, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { countText, Moment } from "../../kit/parts/text.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { changing } from "../audited.ts";

import type { OperatorServices } from "../services.ts";
import { doneAnswer } from "./accepted.ts";
import { chosenLines } from "./difference-lines.tsx";
import { Differences, shownOf } from "./differences.tsx";
import { askingOf, supplierOf, supplierPath, suppliersPath } from "./found-supplier.ts";
import { UploadForm, uploadMarked } from "./price-upload.tsx";

/** A supplier of thousands of products takes longer: then the list comes when it comes, and the page shows it. */
const waitMs = 20_000;
const fileBytesMax = 8 * 1_048_576;
const auditedMax = 20;

/** What a supplier's price list changes, accepted line by line, all or none of what was chosen. */
export function priceListPages(routes: StaffRoutes, services: OperatorServices): void {
  const here = `${suppliersPath}/:supplier/prices`;
  const change = "change_suppliers";
  detail(routes, {
    at: here,
    may: "see_suppliers",
    find: (visit) => supplierOf(services, visit),
    show: (visit, supplier, typed) => pricesPage(services, visit, supplier, typed),
    actions: {
      ask: [change, (_, supplier) => ask(services, supplier)],
      accept: [change, (visit, supplier, form) => accept(services, visit, supplier, form)],
      upload: [
        change,
        (visit, supplier, form) => uploadMarked(services, visit, supplier, form),
        { bytesMax: fileBytesMax },
      ],
    },
  });
  routes.file(`${here}.csv`, { capability: "see_suppliers", show: (visit) => differencesFile(services, visit) });
}

async function pricesPage(
  services: OperatorServices,
  visit: StaffVisit,
  { name }: Supplier,
  typed: Typed,
): Promise<PageAnswer> {
  const kept = await findStoredList(services.reads, name);
  const mayChange = visit.may("change_suppliers");
  const at = `${supplierPath(name)}/prices`;
  return page(
    {
      title: `Price list of ${name}`,
      crumbs: [
        ["Suppliers", suppliersPath],
        [name, supplierPath(name)],
      ],
      note:
        kept === null ? (
          "No price list received yet"
        ) : (
          <>
            Received <Moment at={kept.reportedAt} style="full" />. We ask once a day
          </>
        ),
      actions: (
        <>
          {mayChange ? <Form action={`${at}/ask`} submit="Ask for the list" kind="plain" isInline /> : null}
          {kept?.differences?.length ? (
            <ButtonLink href={`${at}.csv`} isDownload>
              Download CSV
            </ButtonLink>
          ) : null}
        </>
      ),
    },
    <>
      {kept?.differences === null || kept === null ? (
        <Sheet>
          <Empty title="No price list yet">
            Ask for the list, or upload a marked file. Differences from our routes appear here.
          </Empty>
        </Sheet>
      ) : (
        <Differences
          {...shownOf({ ...kept, differences: kept.differences }, visit.query)}
          {...{ at, mayChange, typed }}
        />
      )}
      {mayChange ? <UploadForm at={at} error={typed.error("file")} /> : null}
    </>,
  );
}

async function differencesFile({ reads }: OperatorServices, visit: StaffVisit): Promise<Answer> {
  const { name } = await supplierOf({ reads }, visit);
  const kept = await findStoredList(reads, name);
  const content = markedFile(name, kept?.differences ?? []);
  return csvAnswer(`price-list-${name}.csv`, content);
}

/** Asks for the list, and waits for it for a while. No route changes. */
async function ask(services: OperatorServices, supplier: Supplier): Promise<Answer> {
  const { name, connector, settings } = supplier;
  const at = `${supplierPath(name)}/prices`;
  const none = `${name} has no list that we can ask for: it’s spoken to by ${connector}.`;
  if (addressOf(settings) === null) return goBack(at, none);
  const answer = askStored(askingOf(services), supplier, async ({ connector: opened }) =>
    hasCatalogue(opened) ? askDifferences(services.database, opened) : null,
  );
  // After that it goes on by itself; the page's time tells whether it came.
  const result = await Promise.race([answer, delay(waitMs, "late" as const, { ref: false })]);
  if (result === "late") {
    return goTo(at, `${name} is still sending its list. Open this page again in a minute.`);
  }
  if (result === null) return goBack(at, none);
  if (result.kind === "untold") {
    return goBack(at, `${name} sent an incomplete list, so nothing changed here: ${result.evidence}`);
  }
  const { differences, listed } = result.comparison;
  return goTo(at, `${countText(listed, "product")} listed, ${countText(differences.length, "difference")}.`);
}

async function accept(services: OperatorServices, visit: StaffVisit, { name }: Supplier, form: SentForm) {
  const kept = await findStoredList(services.reads, name);
  const rows = kept?.differences ?? [];
  const all = rows.flatMap((row, place) => (row.change === form.text("all") ? place + 1 : []));
  const numbers = form.has("all") ? all : chosenLines.in(form).map(Number);
  if (numbers.length === 0) throw refused("Choose a line first.");
  const chosen = numbers.map((line) => ({ line, product: form.text(`product-${line}`) }));
  const details = { supplier: name, lines: chosen.length, ...auditedLines(numbers.map((line) => rows[line - 1])) };
  const accepted = await acceptChosen(changing(services, visit, "console supplier prices", details), {
    ...{ supplier: name, chosen, shown: form.text("shown") },
    verdict: form.has("all") && !form.has("do") ? "yes" : deedIn(form, ["yes", "off"]),
    mayShrink: form.has("many_gone"),
  });
  return doneAnswer(services, name, accepted);
}

function auditedLines(rows: readonly (DifferenceRow | undefined)[]) {
  const texts = rows.flatMap((row) =>
    row === undefined
      ? []
      : [[row.change, row.category, row.supplier_code, row.cost_old ?? "–", row.cost_new ?? "–"].join(" ")],
  );
  return { chosen: texts.slice(0, auditedMax) };
}
