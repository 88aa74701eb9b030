import { type AlertServices, judgeAlerts } from "../domain/alerts/alerts.ts";
import { findConditions } from "../domain/alerts/conditions.ts";
import { type PostServices, postText, sendPosts } from "../domain/alerts/send-posts.ts";
import { readSettings } from "../domain/alerts/settings.ts";
import type { CommitState } from "../platform/database/commit-state.ts";
import type { Database } from "../platform/database/database.ts";
import type { Logger } from "../platform/telemetry/log.ts";
import { isOurTurn } from "../platform/work-loop.ts";
import type { Job } from "./watch.ts";

const turnSeconds = 14;

/** Looks for what people on call should know, and writes to them. One process at a time; any may. */
export const alertWatch: Job<AlertServices & { readonly log: Logger }> = {
  name: "alerts",
  everyMs: 15_000,
  open: (services) => async () => {
    if (!(await isOurTurn(services.database, "alerts", turnSeconds))) return;
    const said = await judgeAlerts(services, await findConditions(services));
    if (Object.values(said).some(({ length }) => length > 0)) services.log.info({ event: "alerts.written", ...said });
  },
};

const postsAtOnce = 10;

/** Sends what was written to the webhook. */
export const alertPosting: Job<PostServices> = {
  name: "alert_posts",
  everyMs: 2_000,
  open: (services) => async () => ((await sendPosts(services, postsAtOnce)) === postsAtOnce ? "again" : undefined),
};

/** A switch to another primary takes seconds: it is said when it lasts. */
const hangsMs = 30_000;
const againMs = 6 * 3_600_000;

interface HangServices extends PostServices {
  readonly database: Database;
  readonly commits: Pick<CommitState, "look">;
  readonly log: Logger;
}

/**
 * While the database takes no commits nothing can be written there, no email either: each process with workers posts this
 * itself, to the webhook that it remembers.
 */
export const hangWatch: Job<HangServices> = {
  name: "alert_hangs",
  everyMs: 5_000,
  open(services) {
    const { database, secretBox, commits, clock } = services;
    let webhook: string | null = null;
    let since: number | null = null;
    let notifiedAt: number | null = null;
    return async () => {
      const reason = await commits.look().catch(() => "away" as const);
      const now = clock.now();
      if (reason === null) {
        webhook = (await readSettings(database, secretBox)).webhook;
        const isOver = notifiedAt !== null && webhook !== null;
        if (isOver && (await postText(services, webhook ?? "", "Over: the database takes commits again.")) !== null)
          return;
        since = null;
        notifiedAt = null;
        return;
      }
      since ??= now;
      const isDue = now - since >= hangsMs && (notifiedAt === null || now - notifiedAt >= againMs);
      if (webhook === null || !isDue) return;
      const text = `The database takes no commits (${sayings[reason]}). No sale is made or refunded meanwhile.`;
      // What fails is tried again with the next look.
      if ((await postText(services, webhook, text)) === null) notifiedAt = now;
    };
  },
};

const sayings = {
  read_only: "it is read-only",
  commits_wait: "commits wait for a standby",
  away: "it doesn’t answer",
} as const;
