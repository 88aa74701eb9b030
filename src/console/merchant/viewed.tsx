import type { PeopleServices } from "../../domain/identity/people/send-notice.ts";
import type { Membership } from "../../domain/members/membership.ts";
import { enterPage, findView } from "../../domain/members/views/views.ts";
import { type FrameAnswer, type PageAnswer, page } from "../kit/answer.tsx";
import { ButtonLink, Sheet } from "../kit/parts/layout.tsx";
import type { Onlookers } from "../kit/realm.ts";
import { readCookie } from "../kit/session-cookies.ts";
import type { Viewing } from "../kit/shell.ts";
import { lastDigits, type Visit } from "../kit/visit.ts";
import { inMode, type MemberVisit, mayView } from "./access.ts";

// The company's people see these pages as the merchant's owner does: by a view that the domain issued and a cookie of its
// own. No form of theirs is read, no secret and no file is shown, and every page is in the audit log before it is shown.

/** How people of the company come to these pages. */
export function onlookersOf(people: PeopleServices): Onlookers {
  return {
    async find(request, place) {
      const token = readCookie(request, place, "viewing");
      return token === null ? null : ((await findView(people, token))?.session ?? "ended");
    },
    endedPage: () => ({
      title: "This view has ended",
      status: 403,
      body: (
        <>
          <p>Views end after 15 minutes, and when you log out. Open a new one on the merchant’s page.</p>
          <WayBack />
        </>
      ),
    }),
    readOnlyPage: () => ({
      title: "This view is read only",
      status: 403,
      body: (
        <>
          <p>Nothing was changed. Go back to the page, or stop viewing to use your own account.</p>
          <WayBack />
        </>
      ),
    }),
  };
}

function WayBack() {
  return (
    <div class="buttons">
      <ButtonLink href="/operator/merchants" kind="main">
        Go to merchants
      </ButtonLink>
    </div>
  );
}

/** People of the company are of no merchant. */
export function isViewed({ session }: Visit): boolean {
  return session.person.realm === "staff";
}

/** Lets a view in, and enters the page in the audit log before. */
export async function enterView(
  people: PeopleServices,
  visit: Visit,
  { isFile }: { readonly isFile: boolean },
): Promise<{ readonly visit: MemberVisit } | { readonly turnedAway: FrameAnswer }> {
  const ended = { turnedAway: onlookersOf(people).endedPage() };
  const token = readCookie(visit.request, visit.place, "viewing");
  const view = token === null ? null : await findView(people, token);
  if (view === null) return ended;
  if (isFile) return { turnedAway: notInViewFrame() };
  if (!(await enterPage(people, view, seenAt(visit)))) return ended;
  const { membership: member, endsAt } = view;
  return { visit: inMode({ ...visit, member, memberships: [member], viewedUntil: endsAt, may: mayView }) };
}

/** A page as the log has it: with what was searched and opened on it, of long numbers the last four digits. */
function seenAt({ path, query }: Visit): string {
  const shown = [...query].map(([name, text]) => `${name}=${lastDigits(text)}`).join("&");
  return shown === "" ? path : `${path}?${shown}`;
}

/** The frame around each page: whose it is, until when, and the way back. */
export function viewingOf({ name }: Membership, endsAt: number): Viewing {
  return { merchantName: name, endHref: "/operator/views/end", endsAt };
}

const notInView = { title: "Only the merchant’s people see this", status: 403 } as const;
const notInViewText = "Secrets, files and personal settings stay with them. Your own console has the statement.";

/** For what the company's people don't see of a merchant. */
export function notInViewPage(): PageAnswer {
  return page(
    notInView,
    <Sheet>
      <p>{notInViewText}</p>
    </Sheet>,
  );
}

/** The same for a file, which no page stands around. */
function notInViewFrame(): FrameAnswer {
  return { ...notInView, body: <p>{notInViewText}</p> };
}
