import { invitation, removal, removalRequest, roleChange, roleRequest } from "../../console/operator/staff/staff.tsx";
import { readEmail } from "../../domain/identity/people/person.ts";
import type { StaffRole } from "../../domain/staff/roles.ts";
import { parseStaffRole, staffRoles } from "../../domain/staff/roles.ts";
import {
  changeStaffRole,
  firstOperatorLink,
  inviteStaff,
  listStaffInvitations,
  refuseLastAdmin,
  removeStaff,
} from "../../domain/staff/staff.ts";
import { listStaff, type StaffMember } from "../../domain/staff/staff-queries.ts";
import { orComplain } from "../arguments.ts";
import { type OperatorCommand, type Session, wrong } from "../operator-command.ts";
import { type JsonOption, printJson, printLine, printRows } from "../printing.ts";
import { emailServices } from "./email-command.ts";
import { addressForLinks } from "./people-commands.ts";
import { type AskingOptions, byOption, requestAsPage } from "./print-request.ts";

/** Commands about the people of the company, who log in at /operator. */
export function addStaffCommands(program: OperatorCommand): void {
  const staff = program
    .command("staff")
    .description("list the people of the company, who log in at /operator")
    .does(list);
  staff
    .command("invite")
    .description("invite a person by an email, and print its link; while there is nobody, it makes the first admin")
    .argument("<address>", "the email address")
    .requiredOption("--role <role>", staffRoles.join(", "), roleValue)
    .option(...byOption)
    .does(invite);
  staff
    .command("first-link")
    .description("print a link that makes the first admin, once and within an hour, while there is nobody")
    .does(firstLink);
  staff
    .command("role")
    .description("give a person another role, from the next click on")
    .argument("<address>", "the email address")
    .argument("<role>", staffRoles.join(", "), roleValue)
    .option(...byOption)
    .does(changeRole);
  staff
    .command("remove")
    .description("remove a person, whose sessions end at once")
    .argument("<address>", "the email address")
    .option(...byOption)
    .does(remove);
}

function roleValue(text: string): StaffRole {
  return orComplain(parseStaffRole(text), `It must be one of ${staffRoles.join(", ")}.`);
}

async function list({ database, wallTime }: Session, options: JsonOption): Promise<void> {
  const people = (await listStaff(database)).map((member) => ({
    email: member.email,
    name: member.name,
    role: member.role as string,
    two_steps: member.hasSecondFactor as boolean | null,
    since: wallTime.format(member.createdAt) as string | null,
    last_seen_at: member.lastSeenAt === null ? null : wallTime.format(member.lastSeenAt),
    invited_until: null as string | null,
  }));
  const invited = (await listStaffInvitations(database)).map(({ email, role, endsAt }) => ({
    email,
    name: "",
    role,
    two_steps: null,
    since: null,
    last_seen_at: null,
    invited_until: wallTime.format(endsAt),
  }));
  printRows([...people, ...invited], { none: "Nobody yet: staff first-link prints the first link." }, options);
}

async function invite(
  session: Session,
  email: string,
  options: AskingOptions & { readonly role: StaffRole },
): Promise<void> {
  const { role, json } = options;
  const publicUrl = addressForLinks(session);
  const fields = { email: readEmail(email), role, invitedBy: session.operator, publicUrl };
  const request = { summary: `Invite ${fields.email} as ${role}`, fields };
  if (await requestAsPage(session, invitation.kind, request, options)) return;
  const services = { ...session, ...(await emailServices(session)) };
  const { kind, link } = await inviteStaff(services, { email, role, publicUrl, invitedBy: session.operator });
  if (json) printJson({ email, role, invited: kind === "invited", link });
  else if (link === null) printLine(`${email} is a person of the company already.`);
  else {
    printLine(link);
    printLine(`It makes ${email} ${role}, once and within 7 days. It was emailed as well; emails shows the email.`);
  }
}

async function firstLink(session: Session, { json }: JsonOption): Promise<void> {
  const link = await firstOperatorLink(session, addressForLinks(session));
  if (link === null) throw wrong("There are people already: staff invite ADDRESS --role ROLE.");
  if (json) printJson({ link });
  else {
    printLine(link);
    printLine("Whoever opens it becomes the first admin: once, and within an hour.");
  }
}

async function changeRole(session: Session, email: string, role: StaffRole, options: AskingOptions): Promise<void> {
  const { json } = options;
  const member = await memberWith(session, email);
  if (await requestAsPage(session, roleChange, roleRequest(member, role), options)) return;
  const { kind } = await changeStaffRole(await emailServices(session), { personId: member.personId, role });
  if (kind === "last_admin") throw wrong(`${member.email} is the last admin: make somebody else admin first.`);
  if (json) printJson({ email: member.email, role });
  else printLine(`${member.email} is ${role}.`);
}

async function remove(session: Session, email: string, options: AskingOptions): Promise<void> {
  const { json } = options;
  const member = await memberWith(session, email);
  await refuseLastAdmin(session.database, member.personId);
  if (await requestAsPage(session, removal, removalRequest(member), options)) return;
  const { kind } = await removeStaff(await emailServices(session), { personId: member.personId });
  if (kind === "last_admin") throw wrong(`${member.email} is the last admin: make somebody else admin first.`);
  if (json) printJson({ email: member.email, removed: true });
  else printLine(`${member.email} is removed and logged out everywhere.`);
}

/** @throws Refusal VALIDATION_ERROR */
async function memberWith({ database }: Session, email: string): Promise<StaffMember> {
  const member = (await listStaff(database)).find((each) => each.email === email.trim().toLowerCase());
  if (member === undefined) throw wrong(`${email} is no person of the company: staff lists them.`);
  return member;
}
