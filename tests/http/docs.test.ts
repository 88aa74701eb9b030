import { runInNewContext } from "node:vm";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { failureCodes } from "../../src/kernel/failure-codes.ts";
import { problems } from "../../src/kernel/problem-catalogue.ts";
import { sharedApp } from "../support/shared-app.ts";

const app = await sharedApp();

function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${app.url}${path}`, { headers });
}

/** Every host that a page or a script of ours names. */
function hostsIn(text: string): readonly string[] {
  return [...text.matchAll(/(?:https?:)?\/\/([a-z0-9.-]+\.[a-z]{2,})/gi)].map((match) => match[1] ?? "");
}

const browserAccepts = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

describe("the root", () => {
  test("is a page for a browser, whose every link leads somewhere on this host, without a script", async () => {
    const response = await get("/", { accept: browserAccepts });
    const page = await response.text();
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(response.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'self'; /);
    expect(response.headers.get("vary")).toBe("accept");
    expect(page).toContain("<h1>Dispense API</h1>");
    expect(hostsIn(page)).toEqual([]);
    expect(page).not.toMatch(/<script| on[a-z]+=| style=/);
    const links = [...page.matchAll(/(?:href)="(\/[^"#]*)"/g)].map((match) => match[1] ?? "");
    expect(links).toEqual(
      expect.arrayContaining(["/docs", "/docs/guides", "/docs/errors", "/readyz", "/openapi.json"]),
    );
    for (const link of new Set(links)) expect([link, (await get(link)).status]).toEqual([link, 200]);
  });

  test.each(["*/*", "application/json", "image/png", ""])("is a short JSON for who accepts %j", async (accept) => {
    const response = await get("/", { accept });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
    const { service, ...places } = (await response.json()) as Record<string, string>;
    expect(service).toBe("Dispense API");
    const { api, ...others } = places;
    expect(api).toBe("/api/v1/merchant");
    for (const place of Object.values(others)) expect([place, (await get(place)).status]).toEqual([place, 200]);
  });

  test("takes no other method, and asks for no key", async () => {
    const posted = await fetch(app.url, { method: "POST" });
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });
});

describe("the reference", () => {
  test.each(["/docs/api", "/docs/api/"])(
    "%s is a page that names no other host and runs no script of its own",
    async (path) => {
      const response = await get(path);
      const page = await response.text();
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
      expect(hostsIn(page)).toEqual([]);
      expect(page.match(/<script(?![^>]*\bsrc="\/docs\/)/g)).toBeNull();
      expect(page.match(/ on[a-z]+=| style=/g)).toBeNull();
    },
  );

  test("its policy lets scripts come from this host alone, and asks styles for a nonce that no two pages share", async () => {
    const pages = await Promise.all([get("/docs/api"), get("/docs/api")]);
    const nonces = await Promise.all(
      pages.map(async (response) => {
        const policy = response.headers.get("content-security-policy") ?? "";
        expect(policy).toMatch(/^default-src 'none'; script-src 'self'; /);
        expect(policy).toContain("connect-src 'self'");
        expect(policy).toContain("frame-ancestors 'none'");
        expect(policy).not.toMatch(/unsafe|https?:|\*/);
        const nonce = /style-src-elem 'self' 'nonce-([\w-]{22})'/.exec(policy)?.[1];
        expect(await response.text()).toContain(`nonce="${nonce}"`);
        return nonce;
      }),
    );
    expect(nonces[0]).not.toBe(nonces[1]);
  });

  test("every script that the page names is served, and ours name no other host", async () => {
    const page = await (await get("/docs/api")).text();
    const scripts = [...page.matchAll(/<script src="([^"]+)"/g)].map((match) => match[1] ?? "");
    expect(scripts).toEqual(["/docs/prepare.js", "/docs/scalar.js", "/docs/start.js"]);
    for (const script of scripts) {
      const response = await get(script);
      expect(response.status, script).toBe(200);
      expect(response.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
      if (script !== "/docs/scalar.js") expect(hostsIn(await response.text())).toEqual([]);
      else await response.body?.cancel();
    }
  });

  test("what Scalar would ask its makers for is switched off", async () => {
    expect(await configurationOfScalar()).toMatchObject({
      url: "/openapi.json",
      withDefaultFonts: false,
      telemetry: false,
      proxyUrl: "",
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: "never",
    });
  });

  test("it begins with the key that its page has, and without one where it has none", async () => {
    const given = { preferredSecurityScheme: "bearer", securitySchemes: { bearer: { token: "ds_test_x" } } };
    expect(await configurationOfScalar({ key: "ds_test_x" })).toMatchObject({ authentication: given });
    expect(await configurationOfScalar()).not.toHaveProperty("authentication.securitySchemes");
    // Scalar's name for it, which an update may change.
    expect(await (await get("/docs/scalar.js")).text()).toContain("securitySchemes");
  });

  test("a request with a live key is not sent, whichever header it is in; one with a sandbox key is", async () => {
    const { onBeforeRequest } = await configurationOfScalar();
    const calls = (headers: Record<string, string>) => () =>
      onBeforeRequest({ request: new Request(app.url, { headers }) });
    const { liveKey, testKey } = app.merchant;
    expect(calls({ authorization: `Bearer ${liveKey}` })).toThrow(/this key is live.*sandbox key/);
    expect(calls({ "x-api-key": String(liveKey) })).toThrow(/this key is live/);
    expect(calls({ authorization: `Bearer ${testKey}` })).not.toThrow();
    expect(calls({})).not.toThrow();
    // Scalar's name for it, which an update may change.
    expect(await (await get("/docs/scalar.js")).text()).toContain("onBeforeRequest");
  });

  test("its large script comes packed to whoever takes that, and is the same", async () => {
    const plain = await get("/docs/scalar.js", { "accept-encoding": "identity" });
    expect(plain.headers.get("content-encoding")).toBeNull();
    const { statusCode, headers, bytes } = await packed("/docs/scalar.js");
    expect([statusCode, headers["content-encoding"], headers.vary]).toEqual([200, "gzip", "accept-encoding"]);
    expect(bytes.length).toBeLessThan(1_500_000);
    expect(gunzipSync(bytes).equals(Buffer.from(await plain.arrayBuffer()))).toBe(true);
  });
});

interface Configuration {
  onBeforeRequest(sent: { readonly request: Request }): void;
}

/** What our script gives to Scalar's. */
async function configurationOfScalar(dataset: { key?: string } = {}): Promise<Configuration> {
  const given: Configuration[] = [];
  const document = { querySelector: () => ({ dataset }) };
  const createApiReference = (_place: string, configuration: Configuration) => void given.push(configuration);
  runInNewContext(await (await get("/docs/start.js")).text(), { Scalar: { createApiReference }, Error, document });
  return given[0]!;
}

/** `fetch` unpacks what it reads. */
async function packed(path: string) {
  const { request } = await import("node:http");
  return new Promise<{ statusCode: number | undefined; headers: NodeJS.Dict<string | string[]>; bytes: Buffer }>(
    (resolve, reject) => {
      const sent = request(`${app.url}${path}`, { headers: { "accept-encoding": "gzip" } }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () =>
          resolve({ statusCode: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks) }),
        );
      });
      sent.on("error", reject);
      sent.end();
    },
  );
}

describe("the error reference", () => {
  test("doc_url is a whole address that leads to the code's own row", async () => {
    const { body } = await app.call(app.merchant.testKey, "/transactions/nothing-of-mine");
    const [address = "", code] = body.doc_url.split("#");
    const page = await (await fetch(address)).text();
    expect(code).toBe("TRANSACTION_NOT_FOUND");
    expect(page.split(`<tr>\n<td><a class="anchor" id="${code}" href="#${code}">`)).toHaveLength(2);
  });

  test("every code has one row and one anchor, with when it happens and what to do", async () => {
    const page = await (await get("/docs/errors")).text();
    for (const code of [...Object.keys(problems), ...Object.keys(failureCodes)]) {
      expect(page.split(`id="${code}"`), code).toHaveLength(2);
    }
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]);
    expect(new Set(ids).size).toBe(ids.length);
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map((match) => match[1]);
    expect(links.filter((link) => !ids.includes(link))).toEqual([]);
  });

  test("texts are escaped, and code within them is set as such", async () => {
    const page = await (await get("/docs/errors")).text();
    expect(page).toContain("the request says <code>&quot;ported&quot;: false</code>");
    expect(page).not.toContain("`");
  });

  test("the page has no script, and its policy allows none", async () => {
    const response = await get("/docs/errors");
    const page = await response.text();
    expect(response.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'self'; /);
    expect(page.match(/<script| style=| on[a-z]+=/g)).toBeNull();
    expect(hostsIn(page)).toEqual([]);
    expect((await get("/docs/pages.css")).headers.get("content-type")).toBe("text/css; charset=utf-8");
  });

  test("sends nobody to a dashboard, as there is none, and says of a code that nothing answers that it is reserved", async () => {
    const page = await (await get("/docs/errors")).text();
    expect(page).not.toMatch(/dashboard/i);
    expect(problems.UNAUTHORIZED.next).toMatch(/ask the operator/);
    expect(problems.RECIPIENT_BLOCKED.when).toMatch(/^Reserved .* not answered yet\.$/);
  });
});
