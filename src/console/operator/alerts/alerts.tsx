import { type Alert, listAlerts } from "../../../domain/alerts/alert-queries.ts";
import { writeTest } from "../../../domain/alerts/alerts.ts";
import { listPosts, type PostState } from "../../../domain/alerts/post-queries.ts";
import {
  type AlertSettings,
  readEmails,
  readSettings,
  saveSettings,
  webhookIdentity,
} from "../../../domain/alerts/settings.ts";
import { checkWebhookUrl } from "../../../domain/webhooks/endpoints/url-guard.ts";
import { Refusal } from "../../../kernel/problems.ts";
import { type Answer, goBack, goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import { box, list, optional, sealed, typed as typedField } from "../../kit/field-kinds.tsx";
import { fields } from "../../kit/fields.ts";
import { type Typed, wrong } from "../../kit/form.ts";
import { Form } from "../../kit/parts/form.tsx";
import { Empty, Sheet } from "../../kit/parts/layout.tsx";
import { TableSheet } from "../../kit/parts/list.tsx";
import { countText, Moment, Status } from "../../kit/parts/text.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { changeOfTwo } from "../approvals/change.ts";
import { changing } from "../audited.ts";
import type { OperatorServices } from "../services.ts";

const here = "/operator/alerts";
const postsShown = 10;

const emailHints = { hint: "One a line, up to 10.", rows: 3 };

/** The addresses that alerts go to. The webhook is frozen sealed: whoever knows its URL can post there. */
export const recipients = changeOfTwo({
  at: here,
  may: "change_settings",
  doneAt: () => here,
  find: ({ reads, secretBox }) => readSettings(reads, secretBox),
  fields: fields({
    emails: list("Emails of people on call", (typed) => readEmails(typed.join("\n")), emailHints),
    url: sealed(optional(typedField("Webhook", { read: String }, { type: "url", isCode: true }))),
    remove: box("Remove the webhook"),
  }),
  stored: ({ emails }) => ({ emails, url: null, remove: false }),
  check: ({ url }, _present, { webhooks }) => (url === null ? null : checkUrl(url, webhooks)),
  looks: ({ webhook }) => ({
    submit: "Save",
    more:
      webhook === null
        ? { url: { hint: "An incoming webhook of Slack, Mattermost or the like. It gets JSON with a text." }, ...noBox }
        : { url: { label: "New webhook", hint: `Messages go to ${hostOf(webhook)}. Leave empty to keep it.` } },
  }),
  kind: "change alerts",
  approve: ["admin"],
  subjects: () => ["alerts"],
  async facts({ secretBox }, db) {
    const { emails, webhook } = await readSettings(db, secretBox);
    return { "Present emails": emails.join(", ") || "none", "Present webhook": hostOf(webhook) };
  },
  summary: ({ values, found }) =>
    `Send alerts to ${values.emails.join(", ") || "no email"} and webhook ${hostOf(urlOf(values, found))}`,
  freeze: ({ values, found }) => ({ emails: values.emails.join(", "), webhook: hostOf(urlOf(values, found)) }),
  secret: ({ values, found }) => urlOf(values, found),
  async run({ people, secretBox }, { emails }, { webhook: host }, secret) {
    const webhook = secret === null ? null : secretBox.seal(secret, webhookIdentity);
    await saveSettings(people, { emails, webhook });
    const where = [...emails, ...(webhook === null ? [] : [String(host)])];
    return where.length === 0 ? "Alerts go to nobody now." : `Alerts now go to ${where.join(", ")}.`;
  },
});

const noBox = { remove: { isLeftOut: true } };

/** Where messages go once it is done: what was typed, or what is kept. */
function urlOf(typed: { readonly url: string | null; readonly remove: boolean }, { webhook }: AlertSettings) {
  return typed.url ?? (typed.remove ? null : webhook);
}

function hostOf(url: string | null): string {
  return url === null ? "none" : new URL(url).host;
}

/** What is wrong now, and whom it is said to. */
export function alertPages(routes: StaffRoutes, services: OperatorServices): void {
  const show = (visit: StaffVisit, typed: Typed) => alertsPage(services, visit, typed);
  routes.page(here, { capability: "see_staff", show });
  recipients.addTo(routes, services, show);
  const change = { capability: "change_settings", doneAt: () => here, show } as const;
  routes.form(`${here}/test`, { ...change, send: (visit) => sendTest(services, visit) });
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
        <Sheet title="Recipients">{recipients.draw(visit, typed, settings)}</Sheet>
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
