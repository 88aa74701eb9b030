import type { IncomingMessage } from "node:http";
import type { Randomness } from "../../domain/merchants/key-format.ts";
import type { Account } from "../../domain/merchants/merchant.ts";
import { cameByConnection } from "../../platform/reached-address.ts";

/** Where a request names its visitor. */
export const visitorHeader = "x-dispense-visitor";

/** The members whose request is on its way from the console to the API, in this process and in its memory alone. */
export interface Visitors {
  /** Takes note of a member. @returns the name under which one request is let in */
  announce(account: Account): string;
  /** The member whom a request names, once; null where it names nobody who was announced, and wherever it came by a connection. */
  take(message: IncomingMessage): Account | null;
  /** Forgets a name that was not taken. */
  dismiss(name: string): void;
}

const nameBytes = 32;

/** As many are announced as console pages wait for their answer; each is taken, or dismissed by whoever announced it. */
export function openVisitors(randomness: Randomness): Visitors {
  const announced = new Map<string, Account>();
  return {
    announce(account) {
      const name = Buffer.from(randomness(nameBytes)).toString("base64url");
      announced.set(name, account);
      return name;
    },
    take(message) {
      const name = message.headers[visitorHeader];
      // A name that leaked would be worth nothing outside of this process.
      if (typeof name !== "string" || cameByConnection(message)) return null;
      const account = announced.get(name) ?? null;
      announced.delete(name);
      return account;
    },
    dismiss(name) {
      announced.delete(name);
    },
  };
}
