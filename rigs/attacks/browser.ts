import { randomBytes } from "node:crypto";
import { insertPerson, updateTotpConfirmed, updateTotpSeed } from "../../src/domain/identity/people/person-queries.ts";
import { openSession } from "../../src/domain/identity/people/sessions.ts";
import type { StaffRole } from "../../src/domain/staff/roles.ts";
import { insertStaffMember } from "../../src/domain/staff/staff-queries.ts";
import type { Database } from "../../src/platform/database/database.ts";
import { systemClock } from "../base/merchants.ts";
import type { Service } from "../base/service.ts";

/** A browser of somebody who sends forms of the dashboard, from any address that it names. */
export interface Browser {
  /** Status 0 where there was no answer. */
  send(
    path: string,
    fields?: Readonly<Record<string, string>>,
  ): Promise<{ readonly status: number; readonly text: string }>;
}

/** What a shop needs for `source` to be believed. */
export const behindProxy = { TRUSTED_PROXIES: "127.0.0.1" };
export const password = "correct marble teapot 9";

export function openBrowser({ url }: Service, source: string, logIn: Readonly<Record<string, string>> = {}): Browser {
  const cookies = new Map(Object.entries(logIn));
  return {
    async send(path, fields) {
      try {
        const answer = await fetch(`${url}${path}`, {
          method: fields === undefined ? "GET" : "POST",
          redirect: "manual",
          headers: {
            origin: url,
            cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
            "x-forwarded-for": source,
          },
          ...(fields === undefined ? {} : { body: new URLSearchParams(fields) }),
          signal: AbortSignal.timeout(30_000),
        });
        for (const line of answer.headers.getSetCookie()) {
          const [, name, value] = /^(merchant|viewing|staff)=([^;]*)/.exec(line) ?? [];
          if (name !== undefined && value !== undefined) cookies.set(name, value);
        }
        return { status: answer.status, text: await answer.text() };
      } catch (error) {
        return { status: 0, text: String(error) };
      }
    },
  };
}

/** An address of the internet, another one for each number. */
export function sourceAt(number: number): string {
  return `198.${18 + ((number >> 16) & 1)}.${(number >> 8) & 255}.${number & 255}`;
}

/** Signs a business up, and logs the browser in. @returns its merchant's id */
export async function enterBusiness(browser: Browser, email: string, business = "Eve’s Airtime"): Promise<string> {
  await browser.send("/sign-up", { business, name: "Eve", email, password });
  await browser.send("/log-in", { email, password });
  const { text } = await browser.send("/account/security");
  return /name="merchant" value="(\w+)"/.exec(text)?.[1] ?? "";
}

/** A person of the company who is logged in with two steps. */
export async function enterStaff(
  { service, database }: { readonly service: Service; readonly database: Database },
  { email, role }: { readonly email: string; readonly role: StaffRole },
): Promise<Browser> {
  const now = systemClock.now();
  const token = await database.transaction(async (tx) => {
    const made = { realm: "staff", email, name: "Eve", passwordHash: "none", emailVerifiedAt: now, now } as const;
    const id = (await insertPerson(tx, made))?.id;
    if (id === undefined) throw new Error(`${email} has an account already`);
    await updateTotpSeed(tx, id, "a.b.c");
    await updateTotpConfirmed(tx, id, { seed: "a.b.c", now, step: 0 });
    await insertStaffMember(tx, { personId: id, role, now });
    const session = { personId: id, realm: "staff", level: "second_factor", address: "", agent: "" } as const;
    return openSession(tx, { clock: systemClock, randomness: randomBytes }, session);
  });
  return openBrowser(service, "203.0.113.66", { staff: token });
}

/** The fields that every form of a page has: good once, and whose it is. */
export function fieldsFor(merchant = ""): Record<string, string> {
  return { once: randomBytes(32).toString("base64url"), merchant };
}
