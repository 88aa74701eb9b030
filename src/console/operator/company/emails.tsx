import { newestEmails, type OpenedEmail, openEmail } from "../../../domain/identity/emails/emails.ts";
import { listStaff } from "../../../domain/staff/staff-queries.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { CodeBlock, Facts } from "../../kit/parts/data.tsx";
import { Empty, Sheet } from "../../kit/parts/layout.tsx";
import { TableSheet } from "../../kit/parts/list.tsx";
import { Moment, Status } from "../../kit/parts/text.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { enter } from "../audited.ts";
import type { OperatorServices } from "../services.ts";

const here = "/operator/emails";
const shownMax = 200;

/** The emails that were written: without a mail server, the way to read them. */
export function emailPages(routes: StaffRoutes, services: OperatorServices): void {
  routes.page(here, { capability: "read_emails", show: () => listOfEmails(services) });
  routes.page(`${here}/:number`, {
    capability: "read_emails",
    isSecret: true,
    show: (visit) => emailPage(services, visit),
  });
}

async function listOfEmails({ reads }: OperatorServices): Promise<PageAnswer> {
  const emails = await newestEmails(reads, shownMax);
  return page(
    { title: "Emails", note: `The newest ${shownMax} that this service wrote. Who opens one is logged.` },
    <TableSheet
      caption="Emails"
      rows={emails}
      href={({ id }) => `${here}/${id}`}
      columns={[
        { title: "Subject", cell: ({ subject }) => subject, place: "lead" },
        { title: "To", cell: ({ recipient }) => recipient, place: "sub" },
        { title: "Written", cell: ({ createdAt }) => <Moment at={createdAt} style="list" />, place: "sub" },
        { title: "State", cell: (email) => <EmailState email={email} />, place: "state" },
        { title: "Failure", cell: ({ failure }) => failure, isExtra: true },
      ]}
      empty={<Empty title="No emails yet">Emails to merchants and to your own people appear here.</Empty>}
    />,
  );
}

function EmailState({ email: { sentAt, dueAt, failure } }: { readonly email: OpenedEmail }) {
  if (sentAt !== null) return <Status kind="good">sent</Status>;
  if (failure === null) return <Status kind="waiting">waiting</Status>;
  return dueAt === null ? <Status kind="bad">given up</Status> : <Status kind="waiting">tried again</Status>;
}

async function emailPage(services: OperatorServices, visit: StaffVisit): Promise<PageAnswer | null> {
  const { reads, secretBox, people } = services;
  const number = visit.param("number");
  if (!/^[1-9]\d{0,17}$/.test(number)) return null;
  const { text, ...email } = await openEmail(reads, secretBox, BigInt(number));
  const first = (await listStaff(reads)).find(({ role }) => role === "admin");
  const isOwn = first?.personId === visit.session.person.id && email.recipient === first.email;
  // The entry comes before: nobody opens an email unseen.
  await enter(services, visit, "console email read", { email: number, to: email.recipient });
  return page(
    { title: email.subject, crumbs: [["Emails", here]] },
    <Sheet>
      <Facts
        facts={{
          To: email.recipient,
          Written: <Moment at={email.createdAt} style="full" />,
          Sent: email.sentAt === null ? "No" : <Moment at={email.sentAt} style="full" />,
          Tries: email.attempts,
          Failure: email.failure,
        }}
      />
      <CodeBlock label="Text" code={isOwn && !people.sendsEmails ? text : withoutLinks(text)} />
    </Sheet>,
  );
}

/**
 * A link that works once is its recipient's alone: whoever read one here could log in as an owner, or as a second person who
 * approves. Without a mail server the first admin reads those to its own address, as nobody else could hand them over.
 * The command `emails` shows them all, on the machine.
 */
function withoutLinks(text: string): string {
  return text.replace(/\S*[?&]token=\S*/g, "[a link that only the recipient sees]");
}
