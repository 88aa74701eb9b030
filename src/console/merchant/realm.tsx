import type { Person } from "../../domain/identity/people/person.ts";
import { hasTwoSteps } from "../../domain/identity/people/sessions.ts";
import { type Membership, membershipsOf } from "../../domain/members/membership.ts";
import { formatMerchantId } from "../../domain/merchants/merchant.ts";
import { assert } from "../../kernel/assert.ts";
import { walletName } from "../../kernel/ids.ts";
import { type FrameAnswer, type PageAnswer, page } from "../kit/answer.tsx";
import { LogOut } from "../kit/entrance/links.tsx";
import { type Form, isSecretField, onceField } from "../kit/form.ts";
import type { GateServices } from "../kit/gate.ts";
import { Facts } from "../kit/parts/data.tsx";
import { ButtonLink, Empty, Sheet } from "../kit/parts/layout.tsx";
import type { Realm } from "../kit/realm.ts";
import { readCookie, setCookie } from "../kit/session-cookies.ts";
import type { Visit } from "../kit/visit.ts";
import {
  type Capability,
  inMode,
  type MemberVisit,
  may,
  needsFreshFactor,
  openUnconfirmed,
  VisitContext,
} from "./access.ts";
import { enterBefore } from "./exports.ts";
import { isInBothModes, menuModeOf, navigationOf } from "./navigation.ts";
import { enterView, isViewed, notInViewPage, onlookersOf, viewingOf } from "./viewed.tsx";

/** The field that says which merchant a form's page was about: after a change to another one in another tab it is refused. */
const merchantField = "merchant";

/** Which merchant a part of a page or a file is asked of, in a header or a parameter: another one's is never given instead. */
const businessName = "business";

/** The merchants' console: who works for a merchant is let in, and sees what the role may. */
export function merchantRealm({ people }: Pick<GateServices, "people">): Realm<MemberVisit, Capability> {
  return {
    name: "merchant",
    home: "/live/overview",
    base: "",
    logInFooter: () => (
      <p>
        No account? <a href="/sign-up">Sign up</a>
      </p>
    ),
    onlookers: onlookersOf(people),
    async enter(given, route) {
      const { [`x-${businessName}`]: header } = given.request.headers;
      const named = header ?? given.query.get(businessName);
      const visit = { ...given, query: new Map([...given.query].filter(([name]) => name !== businessName)) };
      keepMode(visit);
      const entered = isViewed(visit) ? await enterView(people, visit, route) : await enterOwn(people, visit);
      if ("turnedAway" in entered || named === undefined) return entered;
      const { member } = entered.visit;
      return formatMerchantId(member.merchantId) === named ? entered : { turnedAway: otherBusinessPage(member) };
    },
    may: (visit, capability) => visit.may(capability),
    enterFile(visit, { name }) {
      const { member, mode, query } = visit;
      const file = mode === null ? name : name.replace(`-${walletName({ merchantId: member.merchantId, mode })}`, "");
      const details = { file, filter: Object.fromEntries(query) };
      return enterBefore(people, visit, { command: "console export", details });
    },
    notAllowedPage: (visit) => (visit.viewedUntil === null ? notAllowedPage(visit) : notInViewPage()),
    needsFreshFactor,
    stopForm(visit, form, capability) {
      assert(visit.viewedUntil === null, "forms of onlookers are refused when they arrive");
      if (form.text(merchantField) !== formatMerchantId(visit.member.merchantId)) return otherMerchantPage(visit, form);
      const isConfirmed = visit.session.person.emailVerifiedAt !== null;
      if (!isConfirmed && !openUnconfirmed.includes(visit.mode)) return unconfirmedPage();
      const isForLiveKeys = capability === "hold_live_keys" && people.liveKeysNeedTwoStep;
      if (isForLiveKeys && !hasTwoSteps(visit.session)) return twoStepForKeysPage(visit.session.person);
      return visit.member.status === "suspended" && visit.mode !== null ? suspendedPage(visit) : null;
    },
    formFields: ({ member }) => ({ [merchantField]: formatMerchantId(member.merchantId) }),
    shell(visit, path) {
      const { member, memberships, session } = visit;
      const { name, email } = session.person;
      return {
        merchantName: member.name,
        businessId: formatMerchantId(member.merchantId),
        homeHref: `/${menuModeOf(visit)}/overview`,
        ...modeHrefs(visit, path),
        navigation: navigationOf(visit, path),
        ...(visit.viewedUntil === null
          ? { person: { name, email, role: member.role } }
          : { person: null, viewing: viewingOf(member, visit.viewedUntil) }),
        // A cashier sees own sales alone, and finds them there.
        searchHref: `/${menuModeOf(visit)}/${visit.may("look") ? "search" : "my-sales"}`,
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

async function enterOwn(
  { database }: GateServices["people"],
  visit: Visit,
): ReturnType<Realm<MemberVisit, Capability>["enter"]> {
  const memberships = await membershipsOf(database, visit.session.person.id);
  const member = chosenOf(memberships, readCookie(visit.request, visit.place, "chosen"));
  if (member === null) return { turnedAway: noMerchantPage(visit.session.person.email) };
  const isSettingUp = visit.path === setUpPath || visit.path.startsWith(`${setUpPath}/`);
  if (member.needsTwoStep && !isSettingUp && !hasTwoSteps(visit.session)) {
    return { turnedAway: twoStepFirstPage(visit.session.person, member) };
  }
  return {
    visit: inMode({
      ...{ ...visit, member, memberships, viewedUntil: null },
      may: (capability: Capability) => may(member.role, capability),
    }),
  };
}

/** Pages of the account lead back to the mode that was looked at last. A part that refreshes itself is looked at by nobody. */
function keepMode({ mode, request, reply, place }: Visit): void {
  const isSeen = mode !== null && request.headers["x-fragment"] === undefined;
  if (isSeen && readCookie(request, place, "mode") !== mode) setCookie(reply, place, "mode", mode);
}

/** The merchant that the browser chose, where the person belongs to it, else the first; null where there is none. */
function chosenOf(memberships: readonly Membership[], chosen: string | null): Membership | null {
  return memberships.find(({ merchantId }) => formatMerchantId(merchantId) === chosen) ?? memberships[0] ?? null;
}

/** The same list in the other mode, as one thing of it has no twin there; from a page of the account to the overviews. */
function modeHrefs({ mode, may }: MemberVisit, path: string) {
  const [, , name = "overview"] = path.split("/");
  // A receipt of a cashier stands under a list that cashiers don't have.
  const isList = may("look") || name === "my-sales";
  const target = mode !== null && isInBothModes(name) && isList ? name : "overview";
  return { liveHref: `/live/${target}`, testHref: `/test/${target}` };
}

const setUpPath = "/account/security";

/** For a person without two-step login, in a business that demands it: first of all they set it up. */
function twoStepFirstPage(person: Person, { name }: Membership): FrameAnswer {
  return {
    title: "Set up two-step login",
    status: 403,
    body: (
      <>
        <p>
          Everyone at {name} uses two-step login. {howToSetUp(person)}
        </p>
        <div class="buttons">
          <ButtonLink href={setUpPath} kind="main">
            Set up two-step login
          </ButtonLink>
        </div>
      </>
    ),
    footer: <LogOut base="" />,
  };
}

/** For whoever changes live keys, where the operator demands two-step login for that. */
function twoStepForKeysPage(person: Person): PageAnswer {
  return page(
    { title: "Set up two-step login first", status: 403 },
    <Sheet>
      <Empty
        title="Live keys need two-step login"
        action={
          <ButtonLink href={setUpPath} kind="main">
            Set up two-step login
          </ButtonLink>
        }
      >
        Nothing has changed yet. {howToSetUp(person)}
      </Empty>
    </Sheet>,
  );
}

/** Somebody with a passkey who typed the password has done one step. */
function howToSetUp({ hasPasskey }: Person): string {
  return hasPasskey
    ? "Log out and log in with your passkey, or add an authenticator app."
    : "You need an authenticator app on your phone, or a passkey. It takes a minute.";
}

/** For a person who belongs to no merchant, or no longer. */
function noMerchantPage(email: string): FrameAnswer {
  return {
    title: "No business yet",
    status: 403,
    body: (
      <p>{email} belongs to no business here. Ask an owner to invite this address, or sign up your own business.</p>
    ),
    footer: <LogOut base="" />,
  };
}

/** For a page or a change that the person's role does not have. */
function notAllowedPage(visit: MemberVisit): PageAnswer {
  return page(
    { title: "Not for your role", status: 403 },
    <Sheet>
      <Empty title={`Your role, ${visit.member.role}, can’t do this`}>
        {visit.may("change_members")
          ? "Nobody at your business can."
          : `An owner of ${visit.member.name} can do it, or change your role under Team.`}
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
        You switched to {member.name} in another tab, so nothing was done. Switch back in the menu and send the form
        again. This is what you typed:
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
      <Empty title="Live selling needs a confirmed email">
        Follow the link we emailed you, or send a new one under <a href="/account/security">Security</a>. The sandbox
        works without it.
      </Empty>
    </Sheet>,
  );
}

/** Instead of a part of a page or a file of another business than the one chosen since. */
function otherBusinessPage({ name }: Membership): FrameAnswer {
  return {
    title: "You switched business in another tab",
    status: 409,
    body: <p>You’re in {name} now. Switch back in the menu to see the other business.</p>,
    footer: <ButtonLink href="/live/overview">Go to {name}</ButtonLink>,
  };
}

/** For a suspended merchant, which reads and changes nothing. */
function suspendedPage({ member }: MemberVisit): PageAnswer {
  return page(
    { title: "Your account is suspended", status: 403 },
    <Sheet>
      <Empty title={`${member.name} is suspended`}>
        {member.suspendedBecause === null ? null : `The reason: “${member.suspendedBecause}”. `}
        You can read everything. Selling and changes work again once the company that runs this service resumes the
        account: contact them.
      </Empty>
    </Sheet>,
  );
}
