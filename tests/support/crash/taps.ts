import type { VendOutcome } from "../../../src/providers/contract.ts";

/** Where a service under test tells what it is about to do, and waits until it may. In the order of one purchase. */
export type Tap =
  | "C1 about to be sent"
  | "C1 answered"
  | "request about to leave"
  | "reroute about to be sent"
  | "reroute answered"
  | "C2 about to be sent"
  | "C2 answered"
  | "answer about to leave";

export interface Question {
  readonly kind: "vend" | "requery";
  readonly supplierReference: string;
  readonly phone: string;
}

/** What the service says to the test. */
export type Reported =
  | { readonly kind: "listening"; readonly url: string }
  | { readonly kind: "reached"; readonly number: number; readonly tap: Tap }
  | { readonly kind: "asked"; readonly number: number; readonly question: Question };

/** How it goes on from a tap. */
export interface Leave {
  /** The connection breaks: what the database answered never arrives. */
  readonly lost?: boolean;
  /** So long was the process stopped, by its own clock. */
  readonly stoppedMs?: number;
}

/** What the test answers. */
export type Reply =
  | { readonly kind: "go"; readonly number: number; readonly leave: Leave }
  | { readonly kind: "outcome"; readonly number: number; readonly outcome: VendOutcome };
