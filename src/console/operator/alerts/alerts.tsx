import { type Alert, listAlerts } from "../../../domain/alerts/alert-queries.ts";
import { writeTest } from "../../../domain/alerts/alerts.ts";
import { listPosts, type PostState } from "../../../domain/alerts/post-queries.ts";
import { readEmails, readSettings, saveSettings, webhookIdentity } from "../../../domain/alerts/settings.ts";
import { checkWebhookUrl } from "../../../domain/webhooks/endpoints/url-guard.ts";
import { Refusal } from "../../../kernel/problems.ts";
import { type Answer, goBack, goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import { type Form as SentForm, type Typed, wrong } from "../../kit/form.ts";
import { CheckField, TextAreaField, TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { Empty, Sheet } from "../../kit/parts/layout.tsx";
import { TableSheet } from "../../kit/parts/list.tsx";
import { countText, Moment, Status } from "../../kit/parts/text.tsx";
import { matrix, type StaffRoutes, type StaffVisit } from "../access.ts";
import { askForTwo, type TwoPeople } from "../approvals/two-people.ts";
import { changing } from "../audited.ts";
import type { OperatorServices } from "../services.ts";

const here = "/operator/alerts";
const postsShown = 10;

/** The addresses that alerts go to. The webhook is frozen sealed: whoever knows its URL can post there. */
export const alertChange: TwoPeople = {
  kind: "change alerts",
  subjects: () => ["alerts"],
  async readFacts({ secretBox }, db) {
    const { emails, webhook } = await readSettings(db, secretBox);
    return {
      "Present emails": emails.join(", ") || "none",
      "Present webhook": webhook === null ? "none" : hostOf(webhook),
    };
  },
  ask: matrix.change_settings.roles,
  approve: ["admin"],
  async carryOut({ people, secretBox }, database, payload, { secret }) {
    const emails = readEmails(String(payload.emails));
    const webhook = secret === null ? null : secretBox.seal(secret, webhookIdentity);
    await saveSettings({ database, clock: people.clock }, { emails, webhook });
    const where = [...emails, ...(webhook === null ? [] : [String(payload.webhook)])];
    return where.length === 0 ? "Alerts go to nobody now." : `Alerts now go to ${where.join(", ")}.`;
  },
};

/** What is wrong now, and whom it is said to. */
export function alertPages(routes: StaffRoutes, services: OperatorServices): void {
  const show = (visit: StaffVisit, typed: Typed) => alertsPage(services, visit, typed);
  routes.page(here, { capability: "see_staff", show });
  const change = { capability: "change_settings", doneAt: () => here, show } as const;
  routes.form(here, { ...change, send: (visit, form) => save(services, visit, form) });
  routes.form(`${here}/test`, { ...change, send: (visit) => sendTest(services, visit) });
}

async function save(services: OperatorServices, visit: StaffVisit, form: SentForm): Promise<Answer> {
  const { reads, secretBox, webhooks } = services;
  const emails = readEmails(form.text("emails"));
  const typed = form.text("url");
  if (typed !== "") await checkUrl(typed, webhooks);
  const kept = form.has("remove") ? null : (await readSettings(reads, secretBox)).webhook;
  const url = typed === "" ? kept : typed;
  const payload = {
    emails: emails.join(", "),
    webhook: url === null ? "none" : hostOf(url),
  };
  const summary = `Send alerts to ${emails.length === 0 ? "no email" : payload.emails} and webhook ${payload.webhook}`;
  return askForTwo(services, visit, alertChange, { summary, payload, secret: url, doneAt: here });
}

/** @throws Refusal at the field */
async function checkUrl(url: string, webhooks: OperatorServices["webhooks"]): Promise<void> {
  try {
    await checkWebhookUrl(url, webhooks);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const [sentence = error.message] = error.detail.errors?.url ?? [];
    throw wrong("url", sentence);
  }
}

async function sendTest(services: OperatorServices, visit: StaffVisit): Promise<Answer> {
  const { people, wallTime, secretBox } = services;
  const database = changing(services, visit, "console alerts test");
  const { clock, company, publicUrl } = people;
  const sent = await writeTest({ database, clock, wallTime, secretBox, company, publicUrl }, visit.session.person.name);
  if (sent === 0) return goBack(here, "Alerts go to nobody yet. Add an email or a webhook first.");
  return goTo(here, `Test alert sent to ${countText(sent, "recipient")}. It arrives in a few seconds.`);
}

function hostOf(url: string): string {
  return new URL(url).host;
}

async function alertsPage(services: OperatorServices, visit: StaffVisit, typed: Typed): Promise<PageAnswer> {
  const { reads, secretBox } = services;
  const [alerts, settings, posts] = await Promise.all([
    listAlerts(reads),
    readSettings(reads, secretBox),
    listPosts(reads, postsShown),
  ]);
  const isSet = settings.emails.length > 0 || settings.webhook !== null;
  return page(
    {
      title: "Alerts",
      note: "Sent when a problem starts, every 6 hours, and when it ends",
    },
    <>
      <Now alerts={alerts} />
      {visit.may("change_settings") ? (
        <Sheet title="Recipients">
          <Form action={here} submit="Save">
            <TextAreaField
              {...typed.field("emails", settings.emails.join("\n"))}
              label="Emails of people on call"
              hint="One a line, up to 10."
              rows={3}
              isRequired={false}
            />
            <TextField
              {...typed.field("url")}
              label={settings.webhook === null ? "Webhook" : "New webhook"}
              type="url"
              hint={
                settings.webhook === null
                  ? "An incoming webhook of Slack, Mattermost or the like. It gets JSON with a text."
                  : `Messages go to ${hostOf(settings.webhook)}. Leave empty to keep it.`
              }
              isRequired={false}
              isCode
            />
            {settings.webhook === null ? null : <CheckField name="remove" label="Remove the webhook" />}
          </Form>
        </Sheet>
      ) : null}
      {isSet ? (
        <Sheet title="Test">
          <Form action={`${here}/test`} submit="Send test alert" kind="plain" isInline />
        </Sheet>
      ) : null}
      {posts.length === 0 ? null : <Posts posts={posts} />}
    </>,
  );
}

function Now({ alerts }: { readonly alerts: readonly Alert[] }) {
  return (
    <TableSheet
      title="Now"
      caption="What is wrong now"
      rows={alerts}
      href={({ path }) => path}
      columns={[
        { title: "What", cell: ({ sentence }) => sentence, place: "lead" },
        { title: "Began", cell: ({ beganAt }) => <Moment at={beganAt} style="list" />, place: "sub" },
        { title: "Last alert", cell: ({ notifiedAt }) => <Moment at={notifiedAt} style="list" />, place: "sub" },
      ]}
      empty={
        <Empty title="Nothing is wrong">
          Open breakers, sales that hang or wait for review, low stock and balances, broken books and clocks that are
          off appear here.
        </Empty>
      }
    />
  );
}

function Posts({ posts }: { readonly posts: readonly PostState[] }) {
  return (
    <TableSheet
      title="Messages to the webhook"
      caption="The last messages to the webhook"
      rows={posts}
      columns={[
        { title: "Message", cell: ({ text }) => text.split("\n").slice(1).join(" ").slice(0, 200), place: "lead" },
        { title: "Written", cell: ({ createdAt }) => <Moment at={createdAt} style="list" />, place: "sub" },
        { title: "State", cell: (post) => <PostStatus post={post} />, place: "state" },
        { title: "Last failure", cell: ({ failure, sentAt }) => (sentAt === null ? failure : null), isExtra: true },
      ]}
    />
  );
}

function PostStatus({ post: { sentAt, dueAt } }: { readonly post: PostState }) {
  if (sentAt !== null) return <Status kind="good">sent</Status>;
  return dueAt === null ? <Status kind="bad">given up</Status> : <Status kind="waiting">waiting</Status>;
}
