import { claimDueEmails, type EmailServices, sendEmail } from "../domain/identity/emails/emails.ts";
import type { EmailRow } from "../domain/identity/emails/queries.ts";
import { openDatabaseClock } from "../platform/clock-skew.ts";
import type { Queryable } from "../platform/database/database.ts";
import type { Mailer } from "../platform/mail.ts";
import type { Logger } from "../platform/telemetry/log.ts";
import { startWorkLoop, type WorkLoop } from "../platform/work-loop.ts";

/** A person waits half of it for a link; an idle look is one index lookup. */
const usualPollMs = 1_000;
const atOnceMax = 2;

/** Sends emails that are due to the mail server, until stopped; without one, emails stay where `emails` shows them. */
export function startSendingEmails(options: {
  readonly services: EmailServices & { readonly database: Queryable };
  readonly mailer: Mailer;
  readonly log: Logger;
  readonly pollMs?: number;
}): WorkLoop {
  const { mailer, log, pollMs = usualPollMs } = options;
  // By the database's time: an email that was put off by a clock that is ahead would wait for that time.
  const clock = openDatabaseClock(options.services.database, options.services.clock, () => performance.now());
  const services = { ...options.services, clock };
  const loop = startWorkLoop<EmailRow>({
    async claim(limit) {
      await clock.read();
      return claimDueEmails(services, limit);
    },
    async act(email) {
      const outcome = await sendEmail(services, mailer, email);
      const line = { event: "email.sent", email: String(email.id), outcome, attempts: email.attempts };
      if (outcome === "sent") log.info(line);
      else log.warn({ ...line, event: "email.not_sent" });
    },
    concurrencyMax: atOnceMax,
    pollMs,
    onError: (error, email) =>
      log.error({ event: "emails.failed", email: email === null ? null : String(email.id), error: String(error) }),
  });
  return {
    wake: loop.wake,
    async stop() {
      await loop.stop();
      mailer.close();
    },
  };
}
