import { findCategory } from "../../../categories/category-slugs.ts";
import { categories } from "../../../categories/registry.ts";
import { listBeneficiaryPage, streamBeneficiaries } from "../../../domain/purchases/beneficiaries/beneficiaries.ts";
import { type Beneficiary, beneficiariesMax } from "../../../domain/purchases/beneficiaries/beneficiary.ts";
import { wordsIn } from "../../../domain/purchases/beneficiaries/queries.ts";
import type { PageAnswer } from "../../kit/answer.tsx";
import { choiceFilter, findFilter, listPage, readList, refuseUnread } from "../../kit/list-page.tsx";
import { ButtonLink, Empty } from "../../kit/parts/layout.tsx";
import type { Column } from "../../kit/parts/list.tsx";
import { grouped } from "../../kit/parts/text.tsx";
import type { ModeRoutes, ModeVisit } from "../access.ts";
import { type CsvColumns, csvPieces } from "../exports.ts";
import type { MerchantServices } from "../services.ts";
import { beneficiaryPages, buyForHref } from "./beneficiary.tsx";

const rowsPerPage = 50;
const wordsMax = 20;

/** Customers' numbers that are kept by name, to buy for again. */
export function beneficiaryListPages(routes: ModeRoutes, services: MerchantServices): void {
  routes.page("/beneficiaries", {
    capability: "keep_beneficiaries",
    show: (visit) => beneficiariesPage(services, visit),
  });
  routes.page("/beneficiaries.csv", {
    capability: "see_money",
    show(visit) {
      const { query, filter } = readFilter(visit);
      refuseUnread(query);
      const rows = () => streamBeneficiaries(services.reads, visit.buyer, filter);
      const pieces = () => csvPieces(csvColumns(services), rows());
      return services.exportFile(visit, { what: "beneficiaries", format: "csv", pieces });
    },
  });
  beneficiaryPages(routes, services);
}

/** What the list's address asks for. */
function readFilter(visit: ModeVisit) {
  const filters = {
    q: findFilter("Name, number, biller"),
    category: choiceFilter(
      "Category",
      categories.map(({ slug, title }) => ({ value: slug, label: title })),
      (text) => findCategory(text)?.slug ?? null,
    ),
  };
  const query = readList(visit, visit.to("beneficiaries"), filters, beneficiariesMax);
  const { q, category } = query.values;
  return { query, filter: { category, words: wordsIn(q ?? "").slice(0, wordsMax) } };
}

function csvColumns({ wallTime }: MerchantServices): CsvColumns<Beneficiary> {
  return [
    ["id", ({ id }) => id],
    ["label", ({ label }) => label],
    ["category", ({ category }) => category],
    ["customer_ref", ({ customerRef }) => customerRef],
    ["biller", ({ billerSlug }) => billerSlug],
    ["network", ({ network }) => network],
    ["meter_type", ({ meterType }) => meterType],
    ["customer_name", ({ customerName }) => customerName],
    ["phone", ({ phone }) => phone],
    ["created_at", ({ createdAt }) => wallTime.format(createdAt)],
    ["updated_at", ({ updatedAt }) => wallTime.format(updatedAt)],
  ];
}

/** The kept numbers that the address asks for, newest first. */
async function beneficiariesPage({ reads }: MerchantServices, visit: ModeVisit): Promise<PageAnswer> {
  const { query, filter } = readFilter(visit);
  const requested = { page: query.page, perPage: rowsPerPage };
  const { beneficiaries, meta } = await listBeneficiaryPage(reads, visit.buyer, filter, requested);
  const { total } = meta;
  return listPage(query, {
    title: "Beneficiaries",
    note: `${grouped(total)} ${query.isFiltered ? "that fit" : "kept"}, the same in live and test`,
    csv: total > 0 ? { path: visit.to("beneficiaries.csv"), count: total } : null,
    actions: (
      <ButtonLink href={visit.to("beneficiaries/add")} kind="main">
        Add one
      </ButtonLink>
    ),
    caption: "Beneficiaries, newest first",
    rows: beneficiaries,
    href: ({ id }) => visit.to(`beneficiaries/${id}`),
    columns: columnsFor(visit),
    empty: (
      <Empty title="No numbers kept yet" action={<ButtonLink href={visit.to("beneficiaries/add")}>Add one</ButtonLink>}>
        Keep the numbers of regular customers, and buy for them by name: here, and in the API by their id.
      </Empty>
    ),
    noneFits: { text: "Every word must stand in the name, the number, the customer's name or the biller." },
    pages: { perPage: rowsPerPage, total, lastShown: meta.last_page },
  });
}

function columnsFor(visit: ModeVisit): readonly Column<Beneficiary>[] {
  const buying: Column<Beneficiary> = {
    title: "Buy",
    isTitleHidden: true,
    cell: (kept) => (
      <a class="button small" href={buyForHref(visit, kept)}>
        Buy<span class="unseen"> for {kept.label}</span>
      </a>
    ),
    align: "end",
    place: "state",
  };
  return [
    { title: "Name", cell: ({ label }) => label, place: "lead" },
    { title: "Number", cell: ({ customerRef }) => <code>{customerRef}</code>, place: "sub" },
    { title: "Category", cell: ({ category }) => findCategory(category)?.title ?? category },
    { title: "Biller", cell: ({ billerSlug, network }) => billerSlug ?? network ?? "any" },
    { title: "Customer", cell: ({ customerName }) => customerName ?? "" },
    ...(visit.may("buy") ? [buying] : []),
  ];
}
