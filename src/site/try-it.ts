import type { Membership } from "../domain/members/membership.ts";

/** An operation of the API that members may try out in the console, as the OpenAPI document describes it. */
export interface TryOperation {
  /** Its name there: `buyAirtime`. */
  readonly id: string;
  /** What an integrator wants with it. */
  readonly purpose: "find out what there is" | "verify a number" | "buy" | "look up";
  readonly method: "GET" | "POST";
  /** `/api/v1/merchant/transactions/{reference}`. */
  readonly path: string;
  readonly title: string;
  readonly parameters: readonly TryParameter[];
  /** Bodies to begin with, the usual one first; none where it takes no body. */
  readonly examples: readonly TryExample[];
}

export interface TryParameter {
  readonly name: string;
  readonly place: "path" | "query";
  readonly isRequired: boolean;
  readonly example: string;
  readonly about: string;
  /** All values that there are; none where anything may be typed. */
  readonly choices: readonly string[];
}

export interface TryExample {
  readonly name: string;
  readonly title: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** An operation by its id, with what was typed for it. */
export interface TypedTry {
  readonly operation: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** "" where there is none. */
  readonly body: string;
}

/** From where it is sent. */
export interface TrySender {
  /** The client's address as text; "" where it is unreadable. */
  readonly address: string;
  /** `https://api.example.ng`, as the browser reached this service. */
  readonly origin: string;
}

export interface SentRequest {
  readonly method: "GET" | "POST";
  /** With its query. */
  readonly path: string;
  /** As typed; null for none. */
  readonly body: string | null;
}

/** What was sent, and what came back. */
export interface Tried {
  readonly request: SentRequest;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly tookMs: number;
}

/** The API as the console tries it: the two are on one floor, and whoever starts the service brings them together. */
export interface TryIt {
  operations(): readonly TryOperation[];
  /** The request that would be sent. @throws Refusal VALIDATION_ERROR by field, NOT_FOUND (no such operation) */
  preview(typed: TypedTry): SentRequest;
  /** Sends it as the member, in the sandbox. @throws Refusal as `preview` */
  send(member: Membership, tried: TypedTry & TrySender): Promise<Tried>;
}

export interface ShownKey {
  readonly text: string;
  /** `key_12`. */
  readonly id: string;
  /** This deployment's address, as the browser reached it. */
  readonly origin: string;
}

/** The documents whose samples take a key, and each of them with one. */
export interface KeyedDocuments {
  /** By its path, such as `/docs/examples`. */
  list(): readonly { readonly path: string; readonly title: string }[];
  /** The page at a path of the list, for one answer that nobody keeps, with its content security policy. */
  withKey(path: string, key: ShownKey): { readonly html: string; readonly policy: string };
}
