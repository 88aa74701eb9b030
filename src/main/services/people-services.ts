import { randomBytes } from "node:crypto";
import { openCompany } from "../../domain/company/company.ts";
import { openPasswords } from "../../domain/people/passwords.ts";
import type { PeopleServices, SignUpPolicy } from "../../domain/people/people-services.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../../platform/database/database.ts";
import { openPasswordHash } from "../../platform/password-hash.ts";
import type { SecretBox } from "../../platform/sealing/secret-box.ts";
import type { Logger } from "../../platform/telemetry/log.ts";

/** What accounts need from outside. */
export interface PeopleOptions {
  /** SIGN_UP. */
  readonly signUp: SignUpPolicy;
  /** The lines of COMMON_PASSWORDS_FILE. */
  readonly commonPasswords: readonly string[];
}

const usual: PeopleOptions = { signUp: "open", commonPasswords: [] };

/** The accounts of those who log in to the console. */
export function openPeople(
  options: {
    readonly people?: PeopleOptions;
    readonly clock: Clock;
    readonly log: Logger;
    readonly webhooks: { readonly secretBox: SecretBox };
  },
  { database, monotonicMs }: { readonly database: Database; readonly monotonicMs: () => number },
): PeopleServices {
  const { signUp, commonPasswords } = options.people ?? usual;
  return {
    database,
    clock: options.clock,
    secretBox: options.webhooks.secretBox,
    log: options.log,
    signUp,
    randomness: randomBytes,
    passwords: openPasswords(openPasswordHash(), { ownList: commonPasswords }),
    company: openCompany(database, monotonicMs),
  };
}
