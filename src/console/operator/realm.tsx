import { hasTwoSteps } from "../../domain/identity/people/sessions.ts";
import { parseMerchantId } from "../../domain/merchants/merchant.ts";
import { countToDecide } from "../../domain/staff/change-list-queries.ts";
import { findStaffMember } from "../../domain/staff/staff-queries.ts";
import { forReaders } from "../../platform/database/database.ts";
import { type FrameAnswer, type PageAnswer, page } from "../kit/answer.tsx";
import { LogOut } from "../kit/entrance/links.tsx";
import type { GateServices } from "../kit/gate.ts";
import { ButtonLink, Empty, Sheet } from "../kit/parts/layout.tsx";
import type { Realm } from "../kit/realm.ts";
import { lastDigits } from "../kit/visit.ts";
import { type Capability, may, needsFreshFactor, type StaffVisit, VisitContext } from "./access.ts";
import { kindsFor } from "./approvals/kinds.ts";
import { enter } from "./audited.ts";
import { navigationOf } from "./navigation.ts";

export const securityPath = "/operator/security";

/** The company's console: who has a place in it and two-step login is let in, and sees what the role may. */
export function operatorRealm({ people }: Pick<GateServices, "people">): Realm<StaffVisit, Capability> {
  return {
    name: "staff",
    base: "/operator",
    home: "/operator/today",
    logInFooter: () => (
      <p>
        For people of the company. Merchants log in at <a href="/log-in">their own page</a>.
      </p>
    ),
    async enter(visit) {
      const { person } = visit.session;
      const staff = await findStaffMember(forReaders(people.database), person.id);
      if (staff === null) return { turnedAway: noPlacePage(person.email) };
      if (staff.isKeptOut) return { turnedAway: keptOutPage() };
      const isSettingUp = visit.path === securityPath || visit.path.startsWith(`${securityPath}/`);
      if (!isSettingUp && !hasTwoSteps(visit.session)) return { turnedAway: twoStepFirstPage() };
      const { clock, database } = people;
      const sought = { now: clock.now(), personId: person.id, kinds: kindsFor(staff.role) };
      const toDecide = await countToDecide(forReaders(database), sought);
      return { visit: { ...visit, staff, toDecide, may: (capability: Capability) => may(staff.role, capability) } };
    },
    may: (visit, capability) => visit.may(capability),
    enterFile(visit, { name: file }) {
      const about = visit.param("id");
      const filter = Object.fromEntries([...visit.query].map(([name, text]) => [name, lastDigits(text)]));
      const isMerchants = parseMerchantId(about) !== null;
      const command = isMerchants ? "console merchant statement" : "console export";
      return enter(people, visit, command, { ...(isMerchants ? { merchant: about } : {}), file, filter });
    },
    notAllowedPage,
    needsFreshFactor,
    stopForm: () => null,
    formFields: () => ({}),
    shell(visit, path) {
      const { name, email } = visit.session.person;
      return {
        console: "operator",
        merchantName: "Operator",
        liveHref: null,
        testHref: null,
        navigation: navigationOf(visit, path),
        homeHref: "/operator/today",
        person: { name, email, role: visit.staff.role },
        searchHref: "/operator/search",
        searchHint: "Reference, phone, merchant",
        logOutHref: "/operator/log-out",
      };
    },
    surround: (visit, body) => <VisitContext.Provider value={visit}>{body}</VisitContext.Provider>,
  };
}

function twoStepFirstPage(): FrameAnswer {
  return {
    title: "Set up two-step login",
    status: 403,
    body: (
      <>
        <p>
          Everyone in the company uses two-step login. You need an authenticator app on your phone, or a passkey. It
          takes a minute.
        </p>
        <div class="buttons">
          <ButtonLink href={securityPath} kind="main">
            Set up two-step login
          </ButtonLink>
        </div>
      </>
    ),
    footer: <LogOut base="/operator" />,
  };
}

/** For a person whose removal somebody asked for. */
function keptOutPage(): FrameAnswer {
  return {
    title: "You’re kept out for now",
    status: 403,
    body: <p>Someone asked to remove you from the staff. Until a second person decides, you can’t work here.</p>,
    footer: <LogOut base="/operator" />,
  };
}

/** For a person who has no place here, or no longer. */
function noPlacePage(email: string): FrameAnswer {
  return {
    title: "You’re not on the staff",
    status: 403,
    body: <p>{email} has no place in the company’s console. Ask an admin for an invitation.</p>,
    footer: <LogOut base="/operator" />,
  };
}

function notAllowedPage(visit: StaffVisit): PageAnswer {
  return page(
    { title: "Not for your role", status: 403 },
    <Sheet>
      <Empty title={`Your role, ${visit.staff.role}, can’t do this`}>
        An admin can do it, or change your role under Staff.
      </Empty>
    </Sheet>,
  );
}
