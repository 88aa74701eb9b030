import type { Service } from "../rig/service.ts";

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

export function openBrowser({ url }: Service, source: string): Browser {
  let cookie = "";
  return {
    async send(path, fields) {
      try {
        const answer = await fetch(`${url}${path}`, {
          method: fields === undefined ? "GET" : "POST",
          redirect: "manual",
          headers: { origin: url, cookie, "x-forwarded-for": source },
          ...(fields === undefined ? {} : { body: new URLSearchParams(fields) }),
          signal: AbortSignal.timeout(30_000),
        });
        const kept = answer.headers.getSetCookie().find((line) => line.startsWith("merchant="));
        if (kept !== undefined) [cookie = ""] = kept.split(";", 1);
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
