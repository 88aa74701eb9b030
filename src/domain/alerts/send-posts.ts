import type { Clock } from "../../kernel/clock.ts";
import type { Queryable } from "../../platform/database/database.ts";
import type { HttpSender } from "../../platform/outbound-http/http-sender.ts";
import type { SecretBox } from "../../platform/sealing/secret-box.ts";
import { type DestinationRules, readDestination } from "../webhooks/endpoints/url-guard.ts";
import { claimPosts, updatePost } from "./post-queries.ts";
import { readSettings } from "./settings.ts";

export interface PostServices {
  readonly database: Queryable;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  /** As merchants' webhooks are sent: no private address unless it is allowed, within a deadline. */
  readonly sender: Pick<HttpSender, "post">;
  readonly rules: DestinationRules;
}

/** After the first failure, the second, and so on; after the last it is given up. */
const retryMs = [15_000, 60_000, 300_000, 1_800_000];
/** Longer than an attempt may take. */
const leaseMs = 60_000;
const failureMax = 300;

/** Sends what is due to the webhook; no transaction is open meanwhile. @returns how many were tried */
export async function sendPosts(services: PostServices, limit: number): Promise<number> {
  const { database, clock, secretBox } = services;
  const now = clock.now();
  const posts = await claimPosts(database, { now, leaseEnds: now + leaseMs, limit });
  if (posts.length === 0) return 0;
  const { webhook } = await readSettings(database, secretBox);
  for (const { id, text, attempts } of posts) {
    const failure = webhook === null ? "There is no webhook any more." : await postText(services, webhook, text);
    const retryInMs = webhook === null ? undefined : retryMs[attempts - 1];
    const dueAt = failure === null || retryInMs === undefined ? null : clock.now() + retryInMs;
    await updatePost(database, id, { dueAt, failure, sentAt: failure === null ? clock.now() : null });
  }
  return posts.length;
}

/** Posts a text as Slack and its kin take it. @returns why it was not taken, or null. It repeats nothing of the URL */
export async function postText(
  { sender, rules }: Pick<PostServices, "sender" | "rules">,
  url: string,
  text: string,
): Promise<string | null> {
  const destination = readDestination(url, rules);
  if (destination.kind === "refused") return destination.why;
  const headers = { "content-type": "application/json", "user-agent": "Dispense-Alerts/1" };
  const { status, fault } = await sender.post(destination.url, headers, JSON.stringify({ text }));
  if (fault !== null) return `No answer: ${fault.replaceAll("_", " ")}.`;
  return status !== null && status >= 200 && status < 300 ? null : `It answered ${status}.`.slice(0, failureMax);
}
