import { expect, test } from "vitest";
import { sharedApp } from "../../support/shared-app.ts";

const app = await sharedApp();

const paths = ["/docs", "/healthz", "/api/v1/merchant/wallet/balance", "/nowhere", "/api/v1/merchant/transactions/%zz"];

/** What browsers are told about https, on every path. */
async function reply(headers: Record<string, string>): Promise<readonly (string | null)[]> {
  const answers = await Promise.all(paths.map((path) => fetch(`${app.url}${path}`, { headers })));
  return answers.map((answer) => answer.headers.get("strict-transport-security"));
}

test.each(["https", "HTTPS", "https, http"])(
  "whoever came to the proxy over https (%s) is told to come by nothing else for a year, refused or not",
  async (protocol) => {
    expect(await reply({ "x-forwarded-proto": protocol })).toEqual(paths.map(() => "max-age=31536000"));
  },
);

test.each([{}, { "x-forwarded-proto": "http" }, { "x-forwarded-proto": "http, https" }])(
  "nobody is told so over http: %j",
  async (headers) => {
    expect(await reply(headers)).toEqual(paths.map(() => null));
  },
);
