import { type Membership, membershipsOf, principalOf } from "../../domain/members/membership.ts";
import { formatMerchantId } from "../../domain/merchants/merchant.ts";
import { type FrameAnswer, type PageAnswer, page } from "../kit/answer.tsx";
import { type Form, isSecretField, onceField } from "../kit/form.ts";
import type { GateServices } from "../kit/gate.ts";
import { Facts } from "../kit/parts/data.tsx";
import { Empty, Sheet } from "../kit/parts/layout.tsx";
import type { Realm } from "../kit/realm.ts";
import { readCookie } from "../kit/session-cookies.ts";
import type { Visit } from "../kit/visit.ts";
import {
  type Capability,
  type MemberVisit,
  type ModeVisit,
  may,
  needsFreshFactor,
  openUnconfirmed,
  VisitContext,
} from "./access.ts";
import { logInPage } from "./entrance/log-in.tsx";
import { isInBothModes, navigationOf } from "./navigation.ts";

/** The field that says which merchant a form's page was about: after a change to another one in another tab it is refused. */
const merchantField = "merchant";

/** The merchants' console: who works for a merchant is let in, and sees what the role may. */
export function merchantRealm({ people }: Pick<GateServices, "people">): Realm<MemberVisit, Capability> {
  return {
    name: "merchant",
    home: "/live/overview",
    logInPage,
    async enter(visit) {
      const memberships = await membershipsOf(people.database, visit.session.person.id);
      const member = chosenOf(memberships, readCookie(visit.request, visit.place, "chosen"));
      if (member === null) return { turnedAway: noMerchantPage(visit.session.person.email) };
      return { visit: memberVisit(visit, member, memberships) };
    },
    may: (visit, capability) => visit.may(capability),
    notAllowedPage,
    needsFreshFactor,
    stopForm(visit, form) {
      if (form.text(merchantField) !== formatMerchantId(visit.member.merchantId)) return otherMerchantPage(visit, form);
      const isConfirmed = visit.session.person.emailVerifiedAt !== null;
      if (!isConfirmed && !openUnconfirmed.includes(visit.mode)) return unconfirmedPage();
      return visit.member.status === "suspended" && visit.mode !== null ? suspendedPage(visit) : null;
    },
    formFields: ({ member }) => ({ [merchantField]: formatMerchantId(member.merchantId) }),
    shell(visit, path) {
      const { member, memberships, mode, session } = visit;
      const { name, email } = session.person;
      return {
        merchantName: member.name,
        homeHref: `/${mode ?? "live"}/overview`,
        ...modeHrefs(path, mode),
        navigation: navigationOf(visit, path),
        person: { name, email, role: member.role },
        searchHref: `/${mode ?? "live"}/search`,
        memberships: memberships.map(({ merchantId, name: merchantName }) => ({
          id: formatMerchantId(merchantId),
          name: merchantName,
          isCurrent: merchantId === member.merchantId,
        })),
      };
    },
    surround: (visit, body) => <VisitContext.Provider value={visit}>{body}</VisitContext.Provider>,
  };
}

/** The merchant that the browser chose, where the person belongs to it, else the first; null where there is none. */
function chosenOf(memberships: readonly Membership[], chosen: string | null): Membership | null {
  return memberships.find(({ merchantId }) => formatMerchantId(merchantId) === chosen) ?? memberships[0] ?? null;
}

function memberVisit(
  visit: Visit,
  member: Membership,
  memberships: readonly Membership[],
): MemberVisit | (MemberVisit & ModeVisit) {
  const { mode } = visit;
  const ofMember = { ...visit, member, memberships, may: (capability: Capability) => may(member.role, capability) };
  if (mode === null) return ofMember;
  const { merchantId } = member;
  const wallet = { merchantId, mode };
  return { ...ofMember, mode, wallet, buyer: principalOf(member, mode), to: (path: string) => `/${mode}/${path}` };
}

/** The same list in the other mode, as one thing of it has no twin there; from a page of the account to the overviews. */
function modeHrefs(path: string, mode: Visit["mode"]) {
  const [, , name = "overview"] = path.split("/");
  const target = mode !== null && isInBothModes(name) ? name : "overview";
  return { liveHref: `/live/${target}`, testHref: `/test/${target}` };
}

/** For a person who belongs to no merchant, or no longer. */
function noMerchantPage(email: string): FrameAnswer {
  return {
    title: "No business yet",
    status: 403,
    body: (
      <>
        <p>
          {email} belongs to no business here. Ask its owner for an invitation to this address, or sign up with a
          business of your own.
        </p>
        <form class="form" method="post" action="/log-out">
          <div class="buttons">
            <button class="button" type="submit">
              Log out
            </button>
          </div>
        </form>
      </>
    ),
  };
}

/** For a page or a change that the person's role does not have. */
function notAllowedPage(visit: MemberVisit): PageAnswer {
  return page(
    { title: "Not for your role", status: 403 },
    <Sheet>
      <Empty title={`As ${visit.member.role} you can't do this.`}>
        {visit.may("change_members")
          ? "Nobody here can."
          : `An owner of ${visit.member.name} can, and can change your role under Members.`}
      </Empty>
    </Sheet>,
  );
}

/** For a form of a tab that is about another merchant than the one chosen since: nothing that was typed is lost. */
function otherMerchantPage({ member }: MemberVisit, form: Form): PageAnswer {
  const typed = [...form.fields].filter(
    ([name]) => name !== onceField && name !== merchantField && !isSecretField(name),
  );
  return page(
    { title: "That form was for another business", status: 409 },
    <Sheet>
      <p>
        In another tab you went on to {member.name}, so nothing was done. Choose the other business again in the menu
        and send the form anew.
      </p>
      <Facts facts={typed.map(([name, values]) => [name, values.join(", ")] as const)} />
    </Sheet>,
  );
}

/** For a person whose address may be somebody else's: nothing of theirs sells live. */
function unconfirmedPage(): PageAnswer {
  return page(
    { title: "Confirm your email first", status: 403 },
    <Sheet>
      <Empty title="Live needs a confirmed email.">
        Follow the link we emailed you, or get a new one under <a href="/account/security">Security</a>. The sandbox is
        open.
      </Empty>
    </Sheet>,
  );
}

/** For a suspended merchant, which reads and changes nothing. */
function suspendedPage({ member }: MemberVisit): PageAnswer {
  return page(
    { title: "The account is suspended", status: 403 },
    <Sheet>
      <Empty title={`${member.name} is suspended.`}>
        You can read everything, but nothing is bought or changed until the operator of this service resumes the
        account.
      </Empty>
    </Sheet>,
  );
}
