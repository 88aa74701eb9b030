import { readFileSync } from "node:fs";
import { request as openRequest } from "node:http";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Purchase } from "../../src/domain/purchases/purchase.ts";
import { nextCheckSeconds, nextRequery } from "../../src/domain/resolution/requery/reschedule-requery.ts";
import { patienceMs } from "../../src/domain/resolution/vend.ts";
import { retryWaitsMs } from "../../src/domain/webhooks/log/delivery-state.ts";
import { listGuides, listShops } from "../../src/http/docs/documents.ts";
import { renderMarkdown } from "../../src/http/docs/markdown.ts";
import { tags } from "../../src/http/openapi/operation.ts";
import type { Instant } from "../../src/kernel/clock.ts";
import { vendDeadlineMs } from "../../src/providers/router.ts";
import { listFiles, projectRoot } from "../architecture/source-text.ts";
import { sharedApp } from "../support/shared-app.ts";

/** Operators read these in the repository. */
const notServed = ["guides/add-a-supplier", "guides/go-live", "guides/moving-in"];
/** What a page may lead to elsewhere. Nothing is asked there unless somebody follows the link. */
const othersAddresses = ["https://www.standardwebhooks.com/"];

const guides = listGuides();

const app = await sharedApp();

async function read(path: string): Promise<{ response: Response; text: string }> {
  const response = await fetch(`${app.url}${path}`);
  return { response, text: await response.text() };
}

describe("the guides", () => {
  test("each file in docs/guides is served, or named here as an operator's", () => {
    const files = listFiles(["docs/guides"], [".md"]).map((path) => path.replace(/^docs\/|\.md$/g, ""));
    const served = guides.map(({ name }) => name);
    expect(files.filter((name) => !served.includes(name))).toEqual(notServed);
    expect(files.filter((name) => served.includes(name) && notServed.includes(name))).toEqual([]);
  });

  test.each(guides)("$name is a page with the text of its file, and the file itself", async ({ name, title }) => {
    const { response, text } = await read(`/docs/${name}`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(text).toContain(`<h1>${title}</h1>`);
    const file = await read(`/docs/${name}.md`);
    expect(file.response.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    expect(file.text).toMatch(new RegExp(`^(<!--.*-->\n)?# ${title}\n`));
  });

  test("no page of them has a script, a style of its own, or asks another host", async () => {
    for (const path of ["/docs/guides", ...guides.map(({ name }) => `/docs/${name}`)]) {
      const { response, text } = await read(path);
      expect(response.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'self'; /);
      expect(text.match(/<script|<style| style=| on[a-z]+="/g), path).toBeNull();
      for (const [, picture] of text.matchAll(/<img src="([^"]+)"/g)) {
        const address = new URL(picture ?? "", `${app.url}${path}`);
        expect((await fetch(address)).headers.get("content-type"), address.pathname).toMatch(/^image\//);
      }
      const calls = [...text.matchAll(/<(?:img|link|iframe|source)[^>]*\s(?:src|href)="([^"]*)"/g)];
      expect(
        calls.map((match) => match[1]).filter((address) => !/^(\/docs\/|data:,|[\w.-]+$)/.test(address ?? "")),
      ).toEqual([]);
    }
  });

  test("reference, guides and errors lead to each other from every page, and each says where one is", async () => {
    for (const [path, current] of [
      ["/docs/api", "/docs/api"],
      ["/docs/guides", "/docs/guides"],
      ["/docs/guides/receive-webhooks", "/docs/guides"],
      ["/docs/errors", "/docs/errors"],
    ] as const) {
      const { text } = await read(path);
      for (const part of ["/docs/api", "/docs/guides", "/docs/errors"])
        expect(text, path).toContain(`<a href="${part}"`);
      expect(text, path).toContain(`<a href="${current}" aria-current="page">`);
    }
  });

  test("every link on every page leads to a page that is served, and to an anchor that it has", async () => {
    const ids = new Map<string, readonly string[]>();
    const waiting = ["/", "/docs", "/docs/api", "/docs/guides", "/docs/errors"];
    const dead: string[] = [];
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      if (ids.has(path)) continue;
      const { response, text } = await read(path);
      if (response.status !== 200) dead.push(path);
      ids.set(
        path,
        [...text.matchAll(/ id="([^"]+)"/g)].map((match) => match[1] ?? ""),
      );
      if (response.headers.get("content-type") !== "text/html; charset=utf-8") continue;
      for (const href of linksOf(text)) {
        const target = new URL(href, `${app.url}${path}`);
        if (target.origin !== app.url) expect(othersAddresses).toContain(href);
        else waiting.push(target.pathname);
      }
    }
    expect(dead).toEqual([]);
    for (const path of [...ids.keys()]) {
      const { text } = await read(path);
      const anchors = linksOf(text).filter((href) => href.includes("#"));
      for (const href of anchors) {
        const target = new URL(href, `${app.url}${path}`);
        expect(ids.get(target.pathname), `${path} → ${href}`).toContain(target.hash.slice(1));
      }
    }
  });

  test("each shop is served as it lies in docs/shops", async () => {
    for (const name of listShops()) {
      const { response, text } = await read(`/docs/shops/${name}`);
      expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
      expect(text).toBe(readFileSync(join(projectRoot, "docs/shops", name), "utf8"));
    }
  });

  test("HTML in a text is shown as text, and headings that are alike have anchors of their own", () => {
    const { html, sections } = renderMarkdown(
      "# A <b>title</b>\n\n<script>alert(1)</script>\n\n## Same, twice\n\n## Same, twice\n\n[a](b.md#c) `<i>`",
      "/docs/guides/a",
    );
    expect(html).not.toMatch(/<script|<b>|<i>/);
    expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(sections.map(({ id }) => id)).toEqual(["same-twice", "same-twice-1"]);
    expect(html).toContain('<a href="/docs/guides/b#c">a</a>');
  });
});

describe("the reference without its script", () => {
  test("tells every operation and event with its address, and leads on", async () => {
    const { text } = await read("/docs/api");
    const document = JSON.parse((await read("/openapi.json")).text);
    for (const [path, methods] of Object.entries<Record<string, { summary: string }>>(document.paths)) {
      for (const [method, { summary }] of Object.entries(methods)) {
        expect(text).toContain(`<code>${method.toUpperCase()} ${path}</code>`);
        expect(text.replaceAll("&#39;", "'")).toContain(summary);
      }
    }
    for (const event of Object.keys(document.webhooks)) expect(text).toContain(`<code>${event}</code>`);
    for (const href of ["/openapi.json", "/docs/guides", "/docs/errors"]) expect(linksOf(text)).toContain(href);
    // It stands where the script puts the reference, so that it goes when that is there.
    expect(text).toMatch(/<div id="reference"><main[\s\S]*<h1>Dispense merchant API<\/h1>[\s\S]*<\/main><\/div>/);
  });
});

describe("/llms.txt", () => {
  test("begins with a title and a summary, and names every guide and the document, each of which is served", async () => {
    const { response, text } = await read("/llms.txt");
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(text).toMatch(/^# \S.*\n\n> \S/);
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map((match) => match[1] ?? "");
    expect(links).toEqual(
      expect.arrayContaining([
        "/openapi.json",
        "/docs/errors.md",
        ...guides.map(({ name }) => `/docs/${name}.md`),
        ...listShops().map((name) => `/docs/shops/${name}`),
      ]),
    );
    for (const link of links) expect((await fetch(`${app.url}${link}`)).status, link).toBe(200);
  });
});

describe("what is the same for everybody is packed", () => {
  const documents = ["/openapi.json", "/llms.txt", "/docs/errors", "/docs/guides/receive-webhooks", "/docs/pages.css"];

  test.each(documents)("%s comes as the client asks for it, and is the same", async (path) => {
    const plain = await rawGet(path);
    expect([plain.encoding, plain.vary]).toEqual([undefined, "accept-encoding"]);
    const [br, gzip] = [await rawGet(path, "gzip, deflate, br"), await rawGet(path, "gzip")];
    expect([br.encoding, br.vary, gzip.encoding]).toEqual(["br", "accept-encoding", "gzip"]);
    expect(brotliDecompressSync(br.bytes).equals(plain.bytes)).toBe(true);
    expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true);
    expect(br.bytes.length).toBeLessThan(plain.bytes.length * 0.6);
  });

  test("the reference's page is packed, too, with a nonce of its own in each", async () => {
    const pages = await Promise.all([rawGet("/docs/api", "gzip, br"), rawGet("/docs/api", "gzip, br")]);
    expect(pages.map(({ encoding }) => encoding)).toEqual(["gzip", "gzip"]);
    const texts = pages.map(({ bytes }) => gunzipSync(bytes).toString());
    expect(texts[0]).toMatch(/<h1>Dispense merchant API<\/h1>/);
    expect(texts[0]).not.toBe(texts[1]);
  });

  test("the API's own answers never are: they hold secrets beside what a client sends", async () => {
    const headers = { authorization: `Bearer ${app.merchant.testKey}` };
    for (const path of ["/api/v1/merchant/billers", "/api/v1/merchant/wallet/balance", "/api/user/", "/healthz"]) {
      expect((await rawGet(path, "gzip, br", headers)).encoding, path).toBeUndefined();
    }
  });
});

describe("a search for signature, retry or duplicate", () => {
  const about = tags.Webhooks;

  test("finds the chapter of webhooks, which says what the key is, when retries come, and how duplicates are known", () => {
    for (const word of [
      "signature",
      "HMAC-SHA256",
      "after `whsec_`",
      "raw bytes",
      "Retries",
      "Duplicates",
      "delivery_id",
    ]) {
      expect(about).toContain(word);
    }
    expect(about).toContain("](/docs/guides/verify-signatures)");
  });

  test("finds the waits that there are, in the chapter and in the guide", () => {
    const guide = readFileSync(join(projectRoot, "docs/guides/receive-webhooks.md"), "utf8");
    const said = (mode: "live" | "test") => retryWaitsMs[mode].map(spelled).join(", ");
    expect(guide).toContain(`| live | ${said("live")} |`);
    expect(guide).toContain(`| sandbox | ${said("test")} |`);
    expect(about.replaceAll("\n", " ")).toContain(
      `again after ${said("live").replace(/, ([^,]*)$/, " and $1")} (sandbox: ${said("test")})`,
    );
  });
});

describe("the guide about a purchase's status", () => {
  const guide = readFileSync(join(projectRoot, "docs/guides/purchase-status.md"), "utf8");
  const picture = readFileSync(join(projectRoot, "docs/guides/purchase-status.svg"), "utf8");

  test("tells for how long a client waits for the answer, as long as suppliers are asked", () => {
    const [oneMs, allMs] = [vendDeadlineMs, patienceMs + vendDeadlineMs];
    expect(guide).toContain(`a supplier has ${oneMs / 1_000} s`);
    expect(guide).toContain(`younger than ${patienceMs / 1_000} s`);
    for (const text of [guide, picture]) expect(text).toContain(`${allMs / 1_000} s at the most`);
    const [, clientSeconds] = /let your client wait for (\d+) s/.exec(guide) ?? [];
    expect(Number(clientSeconds) * 1_000).toBeGreaterThan(allMs);
  });

  test("tells when a pending purchase is asked about, and when it goes to a person", () => {
    const question = (tries: number, ageMs = 0) => nextRequery({ tries, ageMs, askNobody: false });
    const waits = [0, 1, 2, 3, 4]
      .map((tries) => question(tries).dueSeconds)
      .join(", ")
      .replace(/, (\d+)$/, " and $1 s");
    for (const text of [guide, picture]) expect(text).toContain(`after ${waits},`);
    for (const text of [guide, picture]) expect(text).toContain(`then every ${question(5).dueSeconds / 60} minutes`);
    expect([question(99, 86_399_999).step, question(99, 86_400_000).step]).toEqual(["requery", "review"]);
    for (const text of [guide, picture]) expect(text).toContain("24 hours");
  });

  test("tells what Retry-After says", () => {
    const purchasedAt = 0;
    const live = { wallet: { mode: "live" }, purchasedAt } as unknown as Purchase;
    const said = [0, 60_000, 300_000].map((now) => nextCheckSeconds(live, now as Instant, 20));
    expect(guide).toContain(`${said[0]} s, after a minute ${said[1]} s, after five minutes ${said[2]} s`);
  });
});

function linksOf(html: string): readonly string[] {
  return [...html.matchAll(/<a [^>]*href="([^"]*)"/g)].map((match) => match[1] ?? "");
}

/** `fetch` unpacks what it reads. */
function rawGet(path: string, acceptEncoding?: string, headers: Record<string, string> = {}) {
  const sent = { ...headers, ...(acceptEncoding === undefined ? {} : { "accept-encoding": acceptEncoding }) };
  return new Promise<{ encoding: string | undefined; vary: string | undefined; bytes: Buffer }>((resolve, reject) => {
    openRequest(`${app.url}${path}`, { headers: sent }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        resolve({
          encoding: response.headers["content-encoding"],
          vary: response.headers.vary,
          bytes: Buffer.concat(chunks),
        }),
      );
    })
      .on("error", reject)
      .end();
  });
}

function spelled(waitMs: number): string {
  if (waitMs < 60_000) return `${waitMs / 1_000} s`;
  return waitMs < 3_600_000 ? `${waitMs / 60_000} m` : `${waitMs / 3_600_000} h`;
}
