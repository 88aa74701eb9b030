import { writeMonthlyStatements } from "../domain/history/statement/monthly-emails.ts";
import { type NoticeServices, writeTeamNotices } from "../domain/members/notices/notices.ts";
import type { Logger } from "../platform/telemetry/log.ts";
import type { Job } from "./watch.ts";

/** Of each kind at a time. */
const limit = 100;

/**
 * Writes the emails that people chose and that no request causes: a failing webhook, a key that ends or is unused, the month's
 * statement. Each is written in the transaction that notes it, so that none is written twice or forgotten.
 */
export const teamNotices: Job<{ readonly people: NoticeServices; readonly log: Logger }> = {
  name: "team_notices",
  everyMs: 60_000,
  open:
    ({ people, log }) =>
    async () => {
      const notices = await writeTeamNotices(people, limit);
      const statements = await writeMonthlyStatements(people, limit);
      if (notices + statements === 0) return;
      log.info({ event: "emails.written", notices, statements });
      return notices + statements >= limit ? "again" : undefined;
    },
};
