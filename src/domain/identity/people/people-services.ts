import type { SecretBox } from "../../../platform/sealing/secret-box.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import type { SecurityEvents } from "../../../platform/telemetry/security-events.ts";
import type { Company } from "../company/company.ts";
import type { Passwords } from "./passwords.ts";
import type { Person } from "./person.ts";
import type { SessionServices } from "./sessions.ts";

/** How far people may sign up by themselves: everybody, everybody with the operator's consent before the first request, or nobody. */
export type SignUpPolicy = "open" | "confirm" | "closed";

/** What the functions about people and their memberships need. */
export interface PeopleServices extends SessionServices {
  readonly secretBox: SecretBox;
  readonly passwords: Passwords;
  /** The company as letters show it. */
  readonly company: () => Promise<Company>;
  readonly signUp: SignUpPolicy;
  readonly log: Logger;
  readonly security: Pick<SecurityEvents, "note">;
}

/** What came of an attempt to log in, or to prove oneself again. */
export type Attempt =
  | {
      readonly kind: "in";
      /** The cookie's new value; an older one of this browser has ended. */
      readonly token: string;
      readonly person: Person;
      /** What is still owed before anything may be done. */
      readonly needs: "second_factor" | null;
    }
  | { readonly kind: "wrong" }
  | Locked;

/** Too many attempts, from there. */
export interface Locked {
  readonly kind: "locked";
  readonly retryAfterSeconds: number;
}

/** A person who is logged in did not prove it within the last quarter of an hour. */
export interface Stale {
  readonly kind: "stale";
}
