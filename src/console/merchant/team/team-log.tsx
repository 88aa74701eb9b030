import { listMerchantEntries, type StoredEntry } from "../../../domain/audit/audit-queries.ts";
import { auditName, parseEmail } from "../../../domain/identity/people/person.ts";
import { listMembers } from "../../../domain/members/queries.ts";
import { formatMerchantId } from "../../../domain/merchants/merchant.ts";
import { modes } from "../../../kernel/mode.ts";
import type { PageAnswer } from "../../kit/answer.tsx";
import { choiceFilter, listPage, pageOf, readList } from "../../kit/list-page.tsx";
import { Empty } from "../../kit/parts/layout.tsx";
import { Moment } from "../../kit/parts/text.tsx";
import { numberIn } from "../../kit/visit.ts";
import type { AccountRoutes, MemberVisit } from "../access.ts";
import type { MerchantServices } from "../services.ts";
import { actWords, valuesIn } from "./log-words.ts";

const here = "/account/log";
const perPage = 50;

/** What the audit log has of the business's people: which of them did what to which thing, and when. */
export function teamLogPages(routes: AccountRoutes, services: MerchantServices): void {
  routes.page(here, { capability: "run_business", show: (visit) => teamLogPage(services, visit) });
}

async function teamLogPage({ reads, catalogue }: MerchantServices, visit: MemberVisit): Promise<PageAnswer> {
  const { merchantId, name } = visit.member;
  const members = await listMembers(reads, merchantId);
  const people = members.map((member) => ({ value: member.email, label: member.name }));
  const query = readList(visit, here, { person: choiceFilter("Person", people, parseEmail) });
  const { person } = query.values;
  const before = numberIn(visit, "before");
  const [entries, products] = await Promise.all([
    listMerchantEntries(reads, {
      merchant: formatMerchantId(merchantId),
      who: person === null ? null : auditName({ realm: "merchant", email: person }),
      before,
      limit: perPage + 1,
    }),
    catalogue.current(),
  ]);
  const { rows, older } = pageOf(entries, perPage, ({ number }) => number);
  const nameOf = ({ who }: StoredEntry) => {
    const email = who.replace(/^member:/, "");
    return members.find((member) => member.email === email)?.name ?? email;
  };
  return listPage(query, {
    title: "Team log",
    note: `What people did at ${name}. Entries are never changed.`,
    caption: "What the team did, newest first",
    rows,
    columns: [
      {
        title: "Who did what",
        cell: (entry) => (
          <>
            <b>{nameOf(entry)}</b> {actWords(entry, products)}
          </>
        ),
        place: "lead",
      },
      { title: "Time", cell: ({ at }) => <Moment at={at} style="second" />, place: "sub" },
    ],
    href: ({ details }) => saleIn(details),
    empty: (
      <Empty title="Nothing in the log yet">
        Logins, keys, sales by hand, tokens viewed and changes of the team appear here at once.
      </Empty>
    ),
    noneFits: { title: "Nothing by this person", text: "Clear the filter to see what others did." },
    older,
  });
}

/** Where the sale is that an entry is about; null where it is about none. */
function saleIn(details: string): string | null {
  const { mode, reference, lines } = valuesIn(details);
  const place = modes.find((each) => each === mode);
  if (typeof reference !== "string" || place === undefined) return null;
  return `/${place}/${lines === undefined ? "transactions" : "bulk"}/${encodeURIComponent(reference)}`;
}
