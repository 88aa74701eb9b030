import type { Membership } from "../../../domain/memberships/membership.ts";
import type { GateServices } from "../../kit/gate.ts";

/** What the pages ask of the API, which is on the same floor: whoever starts the service brings the two together. */
export type TryPageServices = GateServices & {
  readonly tryIt: {
    readonly operations: () => readonly TryOperation[];
    /** The request that would be sent. @throws Refusal VALIDATION_ERROR by field, NOT_FOUND */
    readonly preview: (typed: TypedTry) => SentRequest;
    /** Sends it as the member, in the sandbox. @throws Refusal as `preview` */
    readonly send: (member: Membership, tried: TypedTry & TrySender) => Promise<Tried>;
  };
  readonly documents: {
    readonly list: () => readonly SampleDocument[];
    /** The page as it is, but with the key in its samples. */
    readonly withKey: (path: string, key: ShownKey) => { readonly html: string; readonly policy: string };
  };
};

export interface TryOperation {
  readonly id: string;
  readonly purpose: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly title: string;
  readonly parameters: readonly TryParameter[];
  readonly examples: readonly TryExample[];
}

export interface TryParameter {
  readonly name: string;
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

/** An operation, with what was typed for it. */
export interface TypedTry {
  readonly operation: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface TrySender {
  readonly address: string;
  readonly origin: string;
}

export interface SentRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body: string | null;
}

export interface Tried {
  readonly request: SentRequest;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly tookMs: number;
}

/** A page of the documents whose samples take a key. */
export interface SampleDocument {
  /** `/docs/examples`. */
  readonly path: string;
  readonly title: string;
}

export interface ShownKey {
  readonly text: string;
  /** `key_12`. */
  readonly id: string;
  /** This deployment's address, as the browser reached it. */
  readonly origin: string;
}
