import type { FastifyRequest } from "fastify";
import type { ComponentChildren, VNode } from "preact";
import type { Realm as RealmName } from "../../domain/identity/people/person.ts";
import type { Session } from "../../domain/identity/people/sessions.ts";
import type { Mode } from "../../kernel/mode.ts";
import type { FileAnswer, FrameAnswer, PageAnswer } from "./answer.tsx";
import type { Form } from "./form.ts";
import type { Resume } from "./resume.tsx";
import type { Place } from "./session-cookies.ts";
import type { Shell } from "./shell.ts";
import type { Visit } from "./visit.ts";

/** What a log-in page begins with. */
export interface LogIn {
  readonly next: string;
  /** The form that waits; null where none was sent. */
  readonly resume: Resume | "too_long" | null;
  readonly email?: string;
  readonly error?: string;
  readonly status?: number;
}

/** People of another realm who look at this one, by the cookie `viewing`: they read, and every form of theirs is refused. */
export interface Onlookers {
  /** The session that stands for the look; null where there is no such cookie, `ended` where it is good no longer. */
  readonly find: (request: FastifyRequest, place: Place) => Promise<Session | "ended" | null>;
  readonly endedPage: () => FrameAnswer;
  readonly readOnlyPage: () => FrameAnswer;
}

/** What is known of the people of a realm before any of them is let in. */
export interface RealmEntrance {
  /** The realm of people with the sessions that let in. */
  readonly name: RealmName;
  /** What its addresses begin with: empty, or `/operator`. */
  readonly base: string;
  /** Where a log-in leads, unless told. */
  readonly home: string;
  /** Under the log-in, such as the way to sign up. */
  readonly logInFooter: () => ComponentChildren;
  /** Left out where nobody else looks at it. */
  readonly onlookers?: Onlookers;
}

/** One console: whom it lets in, and what stands around its pages. `C` are the lines of its access matrix. */
export interface Realm<V extends Visit, C extends string> extends RealmEntrance {
  /** The visit of a person of the realm, roles read anew; a page for whoever has no place in it, or not yet. */
  readonly enter: (
    visit: Visit,
    route: { readonly isFile: boolean },
  ) => Promise<{ readonly visit: V } | { readonly turnedAway: FrameAnswer }>;
  readonly may: (visit: V, capability: C) => boolean;
  /** Enters in the audit log that a file is about to leave. */
  readonly enterFile: (visit: V, file: FileAnswer) => Promise<void>;
  readonly notAllowedPage: (visit: V) => PageAnswer;
  /** Whether a form of this capability asks for a fresh factor in this mode; null: the page belongs to no mode. */
  readonly needsFreshFactor: (capability: C, mode: Mode | null) => boolean;
  /** Why a form is not carried out although its sender may send such forms; null where it is. */
  readonly stopForm: (visit: V, form: Form, capability: C) => PageAnswer | null;
  /** Sent along by every form beside its token. */
  readonly formFields: (visit: V) => Readonly<Record<string, string>>;
  /** What stands around a page, but for what every console has. */
  readonly shell: (visit: V, path: string) => Omit<Shell, "company" | "theme" | "mode">;
  /** Gives what is on a page the visit. */
  readonly surround: (visit: V, body: PageAnswer["body"]) => VNode;
}
