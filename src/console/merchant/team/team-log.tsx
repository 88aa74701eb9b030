import { listMerchantEntries } from "../../../domain/audit/audit-queries.ts";
import { auditName, parseEmail } from "../../../domain/identity/people/person.ts";
import { listMembers } from "../../../domain/members/queries.ts";
import { formatMerchantId } from "../../../domain/merchants/merchant.ts";
import { modes } from "../../../kernel/mode.ts";
import { list } from "../../kit/list.tsx";
import { choiceFilter } from "../../kit/list-page.tsx";
import { Empty } from "../../kit/parts/layout.tsx";
import type { AccountRoutes, MemberVisit } from "../access.ts";
import type { MerchantServices } from "../services.ts";
import { actWords, valuesIn } from "./log-words.ts";

/** What the audit log has of the business's people: which of them did what to which thing, and when. */
export function teamLogPages(routes: AccountRoutes, { reads, catalogue }: MerchantServices): void {
  const membersOf = ({ member }: MemberVisit) => listMembers(reads, member.merchantId);
  list(routes, {
    at: "/account/log",
    may: "run_business",
    title: "Team log",
    async filters(visit) {
      const people = (await membersOf(visit)).map(({ email, name }) => ({ value: email, label: name }));
      return { person: choiceFilter("Person", people, parseEmail) };
    },
    async read({ visit, values: { person }, before, limit }) {
      const { merchantId, name } = visit.member;
      const who = person === null ? null : auditName({ realm: "merchant", email: person });
      const [entries, members, products] = await Promise.all([
        listMerchantEntries(reads, { merchant: formatMerchantId(merchantId), who, before, limit }),
        membersOf(visit),
        catalogue.current(),
      ]);
      const rows = entries.map((entry) => {
        const email = entry.who.replace(/^member:/, "");
        const by = members.find((member) => member.email === email)?.name ?? email;
        return { ...entry, by, words: actWords(entry, products) };
      });
      return { rows, note: `What people did at ${name}. Entries are never changed.` };
    },
    place: ({ number }) => number,
    href: ({ details }) => saleIn(details),
    caption: "What the team did, newest first",
    columns: ({ lead, when }) => [
      lead("Who did what", ({ by, words }) => (
        <>
          <b>{by}</b> {words}
        </>
      )),
      when("Time", ({ at }) => at, { style: "second" }),
    ],
    empty: (
      <Empty title="Nothing in the log yet">
        Logins, keys, sales by hand, tokens viewed and changes of the team appear here at once.
      </Empty>
    ),
    noneFits: { title: "Nothing by this person", text: "Clear the filter to see what others did." },
  });
}

/** Where the sale is that an entry is about; null where it is about none. */
function saleIn(details: string): string | null {
  const { mode, reference, lines } = valuesIn(details);
  const place = modes.find((each) => each === mode);
  if (typeof reference !== "string" || place === undefined) return null;
  return `/${place}/${lines === undefined ? "transactions" : "bulk"}/${encodeURIComponent(reference)}`;
}
