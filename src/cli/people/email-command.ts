import { readCompany } from "../../domain/identity/company/company.ts";
import { newestEmails, type OpenedEmail, openEmail } from "../../domain/identity/emails/emails.ts";
import type { PeopleServices } from "../../domain/identity/people/send-notice.ts";
import type { ChangeServices } from "../../domain/staff/change-kinds.ts";
import { countValue, orComplain } from "../arguments.ts";
import type { OperatorCommand, Session } from "../operator-command.ts";
import { type JsonOption, printJson, printLine, printRows } from "../printing.ts";

const listMax = 1_000;

interface EmailOptions extends JsonOption {
  readonly last: number;
}

/** The command that shows emails: where there is no mail server, the only way to read them. */
export function addEmailCommand(program: OperatorCommand): void {
  program
    .command("emails")
    .alias("letters")
    .description("list the newest emails, or show what one says; its links let people in")
    .argument("[email]", "the email's number", emailValue)
    .option("--last <number>", "how many to list", countValue(listMax), 50)
    .does((session, id: bigint | undefined, options: EmailOptions) =>
      id === undefined ? list(session, options) : show(session, id, options),
    );
}

function emailValue(text: string): bigint {
  return orComplain(/^[1-9][0-9]{0,17}$/.test(text) ? BigInt(text) : null, "It must be an email's number.");
}

async function list(session: Session, options: EmailOptions): Promise<void> {
  const emails = await newestEmails(session.database, options.last);
  const rows = emails.map((email) => fieldsOf(email, session));
  const columns = ["email", "to", "subject", "created_at", "state"] as const;
  printRows(rows, { columns, headings: { created_at: "written" }, none: "No emails were written." }, options);
}

async function show(session: Session, id: bigint, options: EmailOptions): Promise<void> {
  const { text, ...email } = await openEmail(session.database, await session.secretBox(), id);
  const fields = fieldsOf(email, session);
  if (options.json) return printJson({ ...fields, text });
  printLine(`To: ${fields.to}`);
  printLine(`Subject: ${fields.subject}`);
  printLine(`Written: ${fields.created_at}, ${fields.state}`);
  printLine("");
  for (const line of text.split("\n")) printLine(line);
}

function fieldsOf(email: OpenedEmail, { wallTime }: Session) {
  return {
    email: String(email.id),
    to: email.recipient,
    subject: email.subject,
    created_at: wallTime.format(email.createdAt),
    state: stateOf(email, wallTime.format),
    attempts: email.attempts,
    failure: email.failure,
  };
}

function stateOf({ sentAt, dueAt, failure }: OpenedEmail, format: (instant: number) => string): string {
  if (sentAt !== null) return `sent at ${format(sentAt)}`;
  if (failure === null) return "waits to be sent";
  return dueAt === null ? `given up: ${failure}` : `next try at ${format(dueAt)}: ${failure}`;
}

/** What is needed to ask for a change by a command. @throws StartError without the service's key */
export async function changeServices(session: Session): Promise<ChangeServices> {
  return { ...(await emailServices(session)), publicUrl: session.publicUrl };
}

/** What is needed to write emails from a command. @throws StartError without the service's key */
export async function emailServices(
  session: Session,
): Promise<Pick<PeopleServices, "database" | "clock" | "randomness" | "secretBox" | "company">> {
  const { database, clock, randomness } = session;
  return { database, clock, randomness, secretBox: await session.secretBox(), company: () => readCompany(database) };
}
