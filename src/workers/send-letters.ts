import { claimDueLetters, type LetterServices, sendLetter } from "../domain/identity/letters/letters.ts";
import type { LetterRow } from "../domain/identity/letters/queries.ts";
import { openDatabaseClock } from "../platform/clock-skew.ts";
import type { Queryable } from "../platform/database/database.ts";
import type { Mailer } from "../platform/mail.ts";
import type { Logger } from "../platform/telemetry/log.ts";
import { startWorkLoop, type WorkLoop } from "../platform/work-loop.ts";

/** A person waits half of it for a link; an idle look is one index lookup. */
const usualPollMs = 1_000;
const atOnceMax = 2;

/** Sends letters that are due to the mail server, until stopped; without one, letters stay where `letters` shows them. */
export function startSendingLetters(options: {
  readonly services: LetterServices & { readonly database: Queryable };
  readonly mailer: Mailer;
  readonly log: Logger;
  readonly pollMs?: number;
}): WorkLoop {
  const { mailer, log, pollMs = usualPollMs } = options;
  // By the database's time: an email that was put off by a clock that is ahead would wait for that time.
  const clock = openDatabaseClock(options.services.database, options.services.clock, () => performance.now());
  const services = { ...options.services, clock };
  const loop = startWorkLoop<LetterRow>({
    async claim(limit) {
      await clock.read();
      return claimDueLetters(services, limit);
    },
    async act(letter) {
      const outcome = await sendLetter(services, mailer, letter);
      const line = { event: "letter.sent", letter: String(letter.id), outcome, attempts: letter.attempts };
      if (outcome === "sent") log.info(line);
      else log.warn({ ...line, event: "letter.not_sent" });
    },
    concurrencyMax: atOnceMax,
    pollMs,
    onError: (error, letter) =>
      log.error({ event: "letters.failed", letter: letter === null ? null : String(letter.id), error: String(error) }),
  });
  return {
    wake: loop.wake,
    async stop() {
      await loop.stop();
      mailer.close();
    },
  };
}
