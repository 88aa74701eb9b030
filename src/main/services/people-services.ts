import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { openCompany } from "../../domain/identity/company/company.ts";
import { openPasswords } from "../../domain/identity/people/passwords.ts";
import type { PeopleServices, SignUpPolicy } from "../../domain/identity/people/send-notice.ts";
import type { Clock, WallTime } from "../../kernel/clock.ts";
import { StartError } from "../../kernel/start-error.ts";
import type { Database } from "../../platform/database/database.ts";
import { type Mailer, openMailer } from "../../platform/mail.ts";
import { openPasswordHash } from "../../platform/password-hash.ts";
import type { RevisionWatch } from "../../platform/revisions.ts";
import type { SecretBox } from "../../platform/sealing/secret-box.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import type { Config } from "../configuration/config.ts";

/** What accounts need from outside. */
export interface PeopleOptions {
  /** SIGN_UP. */
  readonly signUp: SignUpPolicy;
  /** The lines of COMMON_PASSWORDS_FILE. */
  readonly commonPasswords: readonly string[];
  /** Opens the way to the mail server, for a process that has workers. Null: emails stay in the database. */
  readonly openMailer: (() => Mailer) | null;
  /** PUBLIC_URL: where links lead in emails that no request causes. */
  readonly publicUrl: string | null;
  /** LIVE_KEYS_TWO_STEP. */
  readonly liveKeysNeedTwoStep: boolean;
  /** What a refused attempt to get in waits for at least, and up to twice as long. */
  readonly refusalDelayMs: number;
}

const usual: PeopleOptions = {
  signUp: "open",
  commonPasswords: [],
  openMailer: null,
  publicUrl: null,
  liveKeysNeedTwoStep: false,
  refusalDelayMs: 0,
};

const refusalDelayMs = 1_000;

/** As the configuration says. @throws StartError where the list of passwords can't be read */
export async function peopleOptions(config: Config): Promise<PeopleOptions> {
  const { signUp, smtpUrl: url, publicUrl, liveKeysNeedTwoStep } = config;
  return {
    ...{ signUp, publicUrl, liveKeysNeedTwoStep, refusalDelayMs },
    commonPasswords: await readCommonPasswords(config.commonPasswordsFile),
    openMailer: url === null ? null : () => openMailer({ url, from: emailsFrom(config) }),
  };
}

function emailsFrom({ emailsFrom: from, publicUrl }: Config): string {
  return from ?? `dispense@${publicUrl === null ? "localhost" : new URL(publicUrl).hostname}`;
}

/** A list of hundreds of thousands is some megabytes of memory. */
const listBytesMax = 16_000_000;

async function readCommonPasswords(file: string | null): Promise<readonly string[]> {
  if (file === null) return [];
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new StartError(`COMMON_PASSWORDS_FILE ${file} can't be read (${error.code}).`, { cause: error });
  });
  if (text.length > listBytesMax) throw new StartError(`COMMON_PASSWORDS_FILE ${file} has more than 16 MB.`);
  return text.split("\n").filter((line) => line.trim() !== "");
}

/** The accounts of those who log in to the console. */
export function openPeople(given: {
  readonly options: PeopleOptions | undefined;
  readonly database: Database;
  readonly watch: RevisionWatch;
  readonly clock: Clock;
  readonly wallTime: WallTime;
  readonly log: Logger;
  readonly secretBox: SecretBox;
  readonly security: PeopleServices["security"];
}): PeopleServices {
  const { options = usual, database, watch, clock, wallTime, log, secretBox, security } = given;
  return {
    database,
    clock,
    wallTime,
    secretBox,
    log,
    security,
    signUp: options.signUp,
    sendsEmails: options.openMailer !== null,
    publicUrl: options.publicUrl,
    liveKeysNeedTwoStep: options.liveKeysNeedTwoStep,
    randomness: randomBytes,
    // By chance longer: those who came together don't come together again.
    delayRefusal: () => delay(options.refusalDelayMs * (1 + Math.random())),
    passwords: openPasswords(openPasswordHash(), { ownList: options.commonPasswords }),
    company: openCompany(database, watch),
  };
}
