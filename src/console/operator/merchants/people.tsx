import type { PersonId } from "../../../domain/identity/people/person.ts";
import { cancelInvitation, changePerson, sendInvitationAgain } from "../../../domain/members/company-changes.ts";
import { memberAmong } from "../../../domain/members/members.ts";
import { listMembers } from "../../../domain/members/queries.ts";
import { type Role, roles, roleTitle } from "../../../domain/members/roles.ts";
import type { MerchantRow } from "../../../domain/merchants/queries.ts";
import { wholeNumber } from "../../../kernel/typed-text.ts";
import { emailsFrom, whereEmailsLie } from "../../kit/account/emails-from.ts";
import { type Answer, goBack, goTo } from "../../kit/answer.tsx";
import { deedIn, type Form as SentForm, type Typed, wrong } from "../../kit/form.ts";
import { refuseStale } from "../../kit/stale.ts";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import type { OperatorServices } from "../services.ts";
import { changingMerchant, merchantAt, merchantPath } from "./found-merchant.ts";
import { merchantPage } from "./merchant.tsx";
import { askForOwner, merchantOwner } from "./owner.ts";

/** What the company may change about a merchant's people and invitations, on the merchant's page. */
export function peoplePages(routes: StaffRoutes, services: OperatorServices): void {
  const path = "/operator/merchants/:id/people";
  const show = async (visit: StaffVisit, typed: Typed) =>
    merchantPage(services, visit, await merchantAt(services, visit), typed);
  const doneAt = (visit: StaffVisit) => `/operator/merchants/${visit.param("id")}`;
  const change = { capability: "change_merchants", doneAt, show } as const;
  merchantOwner.addTo(routes, services, show);
  routes.form(`${path}/change`, {
    ...change,
    send: async (visit, form) => changeOne(services, visit, { merchant: await merchantAt(services, visit), form }),
  });
  routes.form(`${path}/invitation`, {
    ...change,
    async send(visit, form) {
      const merchant = await merchantAt(services, visit);
      const given = { merchantId: merchant.id, id: wholeNumber(form.text("id")) ?? 0 };
      const isAgain = deedIn(form, ["again", "cancel"]) === "again";
      const command = isAgain ? "console merchant invite-again" : "console merchant cancel-invitation";
      const database = changingMerchant(services, visit, merchant, command, { invitation: given.id });
      if (!isAgain)
        return goTo(doneAt(visit), `The invitation to ${await cancelInvitation({ database }, given)} is cancelled.`);
      const publicUrl = emailsFrom(services, visit);
      const email = await sendInvitationAgain({ ...services.people, database }, { ...given, publicUrl });
      return goTo(
        doneAt(visit),
        `${email} has a new invitation. The earlier link no longer works.${whereEmailsLie(services.people)}`,
      );
    },
  });
}

async function changeOne(
  services: OperatorServices,
  visit: StaffVisit,
  { merchant, form }: { readonly merchant: MerchantRow; readonly form: SentForm },
): Promise<Answer> {
  const at = merchantPath(merchant.id);
  const personId = (wholeNumber(form.text("person")) ?? 0) as PersonId;
  const member = memberAmong(await listMembers(services.reads, merchant.id), personId);
  if (member === undefined) return goBack(at, "That person is no longer on the team.");
  const role = form.text("do") === "remove" ? null : roleIn(form);
  if (role === member.role) return goTo(at);
  refuseStale(form, member.role);
  if (role === "owner") return askForOwner(services, visit, merchant, member.email);
  const command = role === null ? "console merchant remove-person" : "console merchant person-role";
  const details = { email: member.email, from: member.role, to: role };
  const database = changingMerchant(services, visit, merchant, command, details);
  const name = await changePerson({ ...services.people, database }, { merchantId: merchant.id, personId, role });
  return goTo(at, role === null ? `${name} is removed from ${merchant.name}.` : `${name} is now ${roleTitle(role)}.`);
}

function roleIn(form: SentForm): Role {
  const role = roles.find((each) => each === form.text("role"));
  if (role === undefined) throw wrong("role", "Choose a role.");
  return role;
}
