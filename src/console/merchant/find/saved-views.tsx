import {
  deleteSavedView,
  insertSavedView,
  listSavedViews,
  type SavedView,
  savedViewsMax,
  type ViewOwner,
  viewNameMax,
  viewQueryMax,
} from "../../../domain/history/views/view-queries.ts";
import { refuseField } from "../../../kernel/problems.ts";
import { hasUnseenLetters } from "../../../kernel/typed-text.ts";
import { goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import type { Typed } from "../../kit/form.ts";
import type { AnyQuery } from "../../kit/list-page.tsx";
import { TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { Empty, Sheet } from "../../kit/parts/layout.tsx";
import { TableSheet } from "../../kit/parts/list.tsx";
import type { Capability, ModeRoutes, ModeVisit } from "../access.ts";
import type { MerchantServices } from "../services.ts";

/** The lists that can be kept with their filters, by their page below the mode. */
const lists: Readonly<Record<string, { readonly title: string; readonly capability: Capability }>> = {
  transactions: { title: "Transactions", capability: "look" },
  prices: { title: "Prices", capability: "look" },
  beneficiaries: { title: "Customers", capability: "keep_beneficiaries" },
  requests: { title: "Request log", capability: "read_requests" },
  "webhooks/deliveries": { title: "Delivery log", capability: "develop" },
};

/** Lists with their filters, kept by name: each person's own. */
export function savedViewPages(routes: ModeRoutes, services: MerchantServices): void {
  const { database } = services;
  const doneAt = (visit: ModeVisit) => visit.to("views");
  routes.page("/views", { capability: "look", show: (visit) => viewsPage(services, visit) });
  routes.both("/views/new", {
    ...{ capability: "look", doneAt },
    show: newViewPage,
    async send(visit, form) {
      const view = readView(visit, { list: form.text("list"), name: form.text("name"), query: form.text("query") });
      if (!(await insertSavedView(database, ownerOf(visit), view))) {
        throw refuseField("VALIDATION_ERROR", "name", `You have ${savedViewsMax} views. Remove one first.`);
      }
      return goTo(hrefOf(visit, view), `Saved as “${view.name}”.`);
    },
  });
  routes.form("/views/remove", {
    ...{ capability: "look", doneAt, show: () => null },
    async send(visit, form) {
      await deleteSavedView(database, ownerOf(visit), { list: form.text("list"), name: form.text("name") });
      return goTo(doneAt(visit), "View removed.");
    },
  });
}

function ownerOf({ member }: ModeVisit): ViewOwner {
  return { merchantId: member.merchantId, personId: member.personId };
}

/** The person's own, of lists that the role may see. */
export async function viewsOf({ database }: Pick<MerchantServices, "database">, visit: ModeVisit) {
  const views = await listSavedViews(database, ownerOf(visit));
  return views.filter((view) => mayList(visit, view.list));
}

function mayList(visit: ModeVisit, list: string): boolean {
  const known = Object.hasOwn(lists, list) ? lists[list] : undefined;
  return known !== undefined && visit.may(known.capability);
}

export function hrefOf(visit: ModeVisit, { list, query }: SavedView): string {
  return visit.to(`${list}?${query}`);
}

/** The same filters are the same view, in whichever order an address has them. */
function inOneSpelling(query: string): string {
  const parameters = new URLSearchParams(query);
  parameters.sort();
  return parameters.toString();
}

/** @throws Refusal VALIDATION_ERROR */
function readView(visit: ModeVisit, { list, name, query }: SavedView): SavedView {
  const spelled = inOneSpelling(query);
  if (!mayList(visit, list) || spelled === "" || spelled.length > viewQueryMax) {
    throw refuseField("VALIDATION_ERROR", "list", "Go to the list, set its filters and save it from there.");
  }
  if (name === "" || name.length > viewNameMax || hasUnseenLetters(name)) {
    throw refuseField("VALIDATION_ERROR", "name", `Enter a name of 1 to ${viewNameMax} characters.`);
  }
  return { list, name, query: spelled };
}

function newViewPage(visit: ModeVisit, typed: Typed): PageAnswer {
  const given = (name: string) => typed.form.text(name) || (visit.query.get(name) ?? "");
  return page(
    {
      title: "Save this view",
      crumbs: [["Saved views", visit.to("views")]],
    },
    <Sheet>
      <Form
        action={visit.to("views/new")}
        submit="Save view"
        cancelHref={visit.to(mayList(visit, given("list")) ? given("list") : "views")}
        hidden={{ list: given("list"), query: given("query") }}
      >
        <TextField
          {...typed.field("name")}
          label="Name"
          hint="For example: Failed DStv this week. Only you see it."
          lengthMax={viewNameMax}
        />
      </Form>
    </Sheet>,
  );
}

async function viewsPage(services: MerchantServices, visit: ModeVisit): Promise<PageAnswer> {
  const remove = { action: visit.to("views/remove"), submit: "Remove", kind: "plain", isInline: true } as const;
  return page(
    { title: "Saved views", note: "Lists with their filters. Only you see them." },
    <TableSheet
      caption="Saved views"
      rows={await viewsOf(services, visit)}
      href={(view) => hrefOf(visit, view)}
      columns={[
        { title: "Name", cell: ({ name }) => name, place: "lead" },
        { title: "List", cell: ({ list }) => lists[list]?.title ?? list, place: "sub" },
        {
          title: "Remove",
          isTitleHidden: true,
          place: "act",
          cell: ({ list, name }) => <Form {...remove} hidden={{ list, name }} />,
        },
      ]}
      empty={<Empty title="No saved views">Set filters in a list, then save it under a name.</Empty>}
    />,
  );
}

/** Under a list's filters: the views that were kept of it, and the way to keep what stands there now. */
export async function savedViews(
  services: Pick<MerchantServices, "database">,
  visit: ModeVisit,
  query: Pick<AnyQuery, "href" | "isFiltered" | "path">,
) {
  const list = query.path.slice(visit.to("").length);
  const own = (await viewsOf(services, visit)).filter((view) => view.list === list);
  const present = inOneSpelling(query.href().slice(query.path.length + 1));
  const isSaved = own.some((view) => view.query === present);
  if (own.length === 0 && !query.isFiltered) return null;
  return (
    <nav class="views" aria-label="Saved views">
      {own.map((view) => (
        <a
          key={view.name}
          class="tag"
          href={hrefOf(visit, view)}
          aria-current={view.query === present ? "true" : undefined}
        >
          {view.name}
        </a>
      ))}
      {query.isFiltered && !isSaved ? (
        <a href={visit.to(`views/new?${new URLSearchParams({ list, query: present })}`)}>Save this view</a>
      ) : null}
      {own.length === 0 ? null : <a href={visit.to("views")}>Edit views</a>}
    </nav>
  );
}
