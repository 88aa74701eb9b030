import type { Clock, Instant, WallTime } from "../../kernel/clock.ts";
import type { Database, Tx } from "../../platform/database/database.ts";
import type { SecretBox } from "../../platform/sealing/secret-box.ts";
import type { Company } from "../identity/company/company.ts";
import { emailText } from "../identity/emails/email-texts.ts";
import { writeEmail } from "../identity/emails/emails.ts";
import {
  type Alert,
  type Condition,
  deleteOver,
  findSettings,
  insertAlerts,
  remind,
  updateSeen,
} from "./alert-queries.ts";
import { deleteOldPosts, insertPost } from "./post-queries.ts";

export interface AlertServices {
  readonly database: Database;
  readonly clock: Clock;
  readonly wallTime: WallTime;
  readonly secretBox: SecretBox;
  readonly company: () => Promise<Company>;
  /** The console's address; null where nobody knows it. */
  readonly publicUrl: string | null;
}

/** What lasts is said again after so long. */
const againMs = 6 * 3_600_000;
/** A breaker closes for a moment to try its supplier, and a process misses a look: what is unseen for so long is over. */
const overMs = 180_000;
const keptMs = 30 * 86_400_000;

type News = "begun" | "lasts" | "over";

/**
 * Tells people on call what has begun, what lasts and what is over, each once, whichever process sees it: what was said is
 * written in the transaction that writes the messages. @returns what was said, by its names
 */
export async function judgeAlerts(
  services: AlertServices,
  present: readonly Condition[],
): Promise<Readonly<Record<News, readonly string[]>>> {
  const now = services.clock.now();
  const company = await services.company();
  const said = await services.database.transaction(async (tx) => {
    const begun = present.length === 0 ? [] : await insertAlerts(tx, present, now);
    if (present.length > 0) await updateSeen(tx, present, now);
    const lasts = await remind(tx, now, now - againMs);
    const over = await deleteOver(tx, now - overMs);
    const news = { begun, lasts, over };
    await writeLines(tx, services, company, linesOf(services, news));
    await deleteOldPosts(tx, now - keptMs);
    return news;
  });
  const names = (alerts: readonly Alert[]) => alerts.map(({ name }) => name);
  return { begun: names(said.begun), lasts: names(said.lasts), over: names(said.over) };
}

function linesOf(
  { wallTime: { format }, publicUrl }: AlertServices,
  news: Readonly<Record<News, readonly Alert[]>>,
): string[] {
  const since = (at: Instant) => format(at).slice(0, 16).replace("T", ", ");
  const linked = ({ sentence, path }: Alert) =>
    path === null || publicUrl === null ? sentence : `${sentence} ${publicUrl}${path}`;
  return [
    ...news.begun.map(linked),
    ...news.lasts.map((alert) => `Still, since ${since(alert.beganAt)}: ${linked(alert)}`),
    ...news.over.map(({ sentence, beganAt }) => `Over (began ${since(beganAt)}): ${sentence}`),
  ];
}

const linesMax = 40;

/** Writes one email to each address and one message to the webhook; both are sent afterwards. */
async function writeLines(
  tx: Tx,
  services: AlertServices,
  company: Company,
  lines: readonly string[],
): Promise<number> {
  const [first] = lines;
  if (first === undefined) return 0;
  const { emails, webhook } = await findSettings(tx);
  const shown = lines.slice(0, linesMax);
  if (lines.length > linesMax) shown.push(`And ${lines.length - linesMax} more: see Alerts in the console.`);
  const [sentence = first] = first.split(" http", 1);
  const subject = lines.length === 1 ? sentence : `${lines.length} alerts: ${sentence}`;
  for (const to of emails) {
    await writeEmail(tx, services, { to, ...emailText({ name: "there", company }, subject, shown) });
  }
  if (webhook !== null) await insertPost(tx, [`*${company.name}*`, ...shown].join("\n"), services.clock.now());
  return emails.length + (webhook === null ? 0 : 1);
}

/** Sends a test the way that alerts go. @returns how many messages */
export async function writeTest(services: AlertServices, by: string): Promise<number> {
  const company = await services.company();
  return services.database.transaction((tx) =>
    writeLines(tx, services, company, [`This is a test by ${by}. Alerts arrive here.`]),
  );
}
