import { companyTexts, textsRequest } from "../../console/operator/company/company.tsx";
import { merchantOwner, ownerRequest } from "../../console/operator/merchants/owner.ts";
import {
  type Company,
  type CompanyChanges,
  readChanges,
  readCompany,
  setCompany,
} from "../../domain/identity/company/company.ts";
import { readEmail } from "../../domain/identity/people/person.ts";
import { inviteOwner } from "../../domain/members/invitations.ts";
import { listLiveAccessRequests } from "../../domain/members/live-access-queries.ts";
import { makeLogInLink } from "../../domain/members/log-in-link.ts";
import { listMembers } from "../../domain/members/queries.ts";
import { formatMerchantId } from "../../domain/merchants/merchant.ts";
import { findExistingMerchant } from "../../domain/merchants/queries.ts";
import type { MerchantId } from "../../kernel/ids.ts";
import { merchantIdValue } from "../arguments.ts";
import { readGivenFile } from "../given-records.ts";
import { type OperatorCommand, type Session, wrong } from "../operator-command.ts";
import { type JsonOption, printJson, printLine, printRows, printTable, printWarning } from "../printing.ts";
import { emailServices } from "./email-command.ts";
import { type AskingOptions, byOption, requestAsPage } from "./print-request.ts";

/** Commands about who logs in to the console for a merchant. */
export function addPeopleCommands(program: OperatorCommand): void {
  program
    .command("people")
    .description("list who belongs to a merchant, with what they log in and when they were last seen")
    .argument("<id>", "the merchant", merchantIdValue)
    .does(list);
  program
    .command("invite-owner")
    .description("invite an owner to a merchant by email")
    .argument("<id>", "the merchant", merchantIdValue)
    .argument("<address>", "the e-mail address")
    .option(...byOption)
    .does(invite);
  program
    .command("login-link")
    .description("print a link that logs a merchant's owner in to the console, once and within an hour")
    .argument("<id>", "the merchant", merchantIdValue)
    .does(link);
}

async function list({ database, wallTime }: Session, id: MerchantId, options: JsonOption): Promise<void> {
  await findExistingMerchant(database, id);
  const rows = (await listMembers(database, id)).map((member) => ({
    email: member.email,
    name: member.name,
    role: member.role,
    verified: member.isVerified,
    totp: member.hasTotp,
    passkeys: member.passkeys,
    member_since: wallTime.format(member.createdAt),
    last_seen_at: member.lastSeenAt === null ? null : wallTime.format(member.lastSeenAt),
  }));
  const headings = { email: "e-mail", totp: "TOTP", member_since: "since" };
  const none = `${formatMerchantId(id)} has nobody who could log in: invite-owner ${formatMerchantId(id)} ADDRESS`;
  printRows(rows, { headings, none }, options);
}

async function invite(session: Session, merchantId: MerchantId, email: string, options: AskingOptions): Promise<void> {
  const publicUrl = addressForLinks(session);
  const merchant = await findExistingMerchant(session.database, merchantId);
  const request = ownerRequest(merchant, readEmail(email), publicUrl);
  if (await requestAsPage(session, merchantOwner.kind, request, options)) return;
  const services = await emailServices(session);
  const { kind } = await inviteOwner(services, { merchantId, email, publicUrl, operator: session.operator });
  if (options.json) printJson({ merchant_id: formatMerchantId(merchantId), email, invited: kind === "invited" });
  else if (kind === "member") printLine(`${email} belongs to ${formatMerchantId(merchantId)} already.`);
  else printLine(`${email} is invited to ${formatMerchantId(merchantId)}; emails shows it.`);
}

async function link(session: Session, merchantId: MerchantId, options: JsonOption): Promise<void> {
  const publicUrl = addressForLinks(session);
  const made = await makeLogInLink(session, { merchantId, publicUrl });
  if (made.isNewOwner) printWarning(`${formatMerchantId(merchantId)} has no owner: the link makes ${made.email} one.`);
  if (options.json) printJson({ merchant_id: formatMerchantId(merchantId), email: made.email, link: made.link });
  else {
    printLine(made.link);
    printLine(`It logs ${made.email} in, once and within an hour. Whoever has it is let in.`);
  }
}

/** @throws Refusal VALIDATION_ERROR */
export function addressForLinks({ publicUrl }: Session): string {
  if (publicUrl !== null) return publicUrl;
  throw wrong("PUBLIC_URL must be set: nothing else tells the address that links into the console begin with.");
}

interface ListOptions extends JsonOption {
  readonly all?: true;
}

/** Commands about merchants that ask for live access. */
export function addLiveAccessCommands(program: OperatorCommand): void {
  const liveAccess = program.command("live-access").description("merchants that ask for live access");
  liveAccess
    .command("list")
    .description("those that wait, with their business details; approve-merchant gives it")
    .option("--all", "those that have it as well")
    .does(listRequests);
}

async function listRequests({ database, wallTime }: Session, options: ListOptions): Promise<void> {
  const requests = await listLiveAccessRequests(database, { all: options.all === true });
  const rows = requests.map((request) => ({
    merchant_id: formatMerchantId(request.merchantId),
    name: request.name,
    business_name: request.businessName,
    registration_number: request.registrationNumber,
    address: request.address,
    phone: request.phone,
    website: request.website,
    sells: request.sells,
    asked_by: request.requestedBy,
    asked_at: request.requestedAt === null ? null : wallTime.format(request.requestedAt),
    approved: request.isApproved,
  }));
  const headings = { business_name: "business", registration_number: "registered as" };
  printRows(rows, { headings, none: "Nobody waits for live access." }, options);
}

interface SetOptions extends AskingOptions {
  readonly name?: string;
  readonly logo?: string;
  readonly supportEmail?: string;
  readonly supportPhone?: string;
  readonly bank?: string;
}

/** Commands about the company that runs the deployment. */
export function addCompanyCommands(program: OperatorCommand): void {
  const company = program.command("company").description("how this company shows itself on pages and in emails");
  company.command("show").description("what is set").does(show);
  company
    .command("set")
    .description("set what is given, and leave the rest; none takes it away, but for the name")
    .option("--name <name>", "its name")
    .option("--logo <file>", "a picture: PNG, JPEG or SVG, up to 200 kB; or none")
    .option("--support-email <address>", "where merchants write to, and requests for live access go; or none")
    .option(
      "--support-phone <number>",
      "where merchants call, and write by WhatsApp where it is a mobile number; or none",
    )
    .option("--bank <file>", "a text file that says where merchants pay in; or none")
    .option(...byOption)
    .does(set);
}

async function show({ database }: Session, options: JsonOption): Promise<void> {
  print(await readCompany(database), options);
}

async function set(session: Session, options: SetOptions): Promise<void> {
  const { name, logo, supportEmail, supportPhone, bank } = options;
  const changes: CompanyChanges = {
    ...(name === undefined ? {} : { name }),
    ...(logo === undefined ? {} : { logo: logo === "none" ? null : await readGivenFile(logo) }),
    ...(supportEmail === undefined ? {} : { supportEmail: orNone(supportEmail) }),
    ...(supportPhone === undefined ? {} : { supportPhone: orNone(supportPhone) }),
    ...(bank === undefined
      ? {}
      : { bankDetails: bank === "none" ? null : (await readGivenFile(bank)).toString().trim() }),
  };
  if (Object.keys(changes).length === 0) throw wrong("Say what to set: company set --help tells what there is.");
  const { logo: picture, ...texts } = changes;
  if (await requestTexts(session, texts, options)) {
    if (picture !== undefined) await setCompany(session, { logo: picture });
    return;
  }
  print(await setCompany(session, changes), options);
}

/** A second person looks at what merchants read and pay by; a picture is nobody's money. */
async function requestTexts(
  session: Session,
  texts: Omit<CompanyChanges, "logo">,
  options: AskingOptions,
): Promise<boolean> {
  if (Object.keys(texts).length === 0) return false;
  readChanges(texts);
  return requestAsPage(session, companyTexts.kind, textsRequest(texts), options);
}

function orNone(text: string): string | null {
  return text === "none" ? null : text;
}

function print(company: Company, { json }: JsonOption): void {
  const fields = {
    name: company.name,
    logo: company.logo === null ? null : `${company.logo.type}, ${company.logo.bytes.length} bytes`,
    support_email: company.supportEmail,
    support_phone: company.supportPhone,
    bank: company.bankDetails,
  };
  if (json) printJson(fields);
  else {
    const rows = Object.entries(fields).map(([field, value]) => [field.replace("_", " "), value ?? "not set"]);
    printTable(["", ""], rows);
  }
}
