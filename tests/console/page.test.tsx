import { brotliCompressSync, constants } from "node:zlib";
import { describe, expect, test } from "vitest";
import { renderEntrancePage, renderPage } from "../../src/console/kit/page.tsx";
import { TextField } from "../../src/console/kit/parts/fields.tsx";
import { Form } from "../../src/console/kit/parts/form.tsx";
import { galleryPages } from "./gallery/gallery-pages.tsx";
import { galleryAssets, galleryShell, gallerySurroundings as surroundings } from "./gallery/gallery-shell.ts";

const bad = '"><img src=x onerror=alert(1)>';
const page = (shell: Partial<typeof galleryShell>) =>
  renderPage({ title: "Overview", shell: { ...galleryShell, ...shell }, body: <h1>Overview</h1>, surroundings });

describe("a page", () => {
  test("is a whole document, whose style and script have addresses of their content", () => {
    const html = page({});
    expect(html).toMatch(/^<!doctype html><html lang="en" data-console="merchant" data-mode="live"><head>/);
    expect(html).toMatch(/<link rel="stylesheet" href="\/assets\/style-[0-9a-f]{10}\.css"/);
    expect(html).toMatch(/<script type="module" src="\/assets\/console-[0-9a-f]{10}\.js"><\/script>/);
    expect(html).toContain('<meta name="referrer" content="same-origin"');
  });

  test("has nothing inline that a strict policy would refuse", () => {
    for (const html of Object.values(galleryPages("dark"))) {
      expect(html).not.toMatch(/<style| style=| on[a-z]+="|<script(?![^>]* src=)|javascript:/);
    }
  });

  test("begins with the way past the menu", () => {
    expect(page({})).toMatch(/<body><a class="skip" href="#main">/);
    expect(page({})).toContain('<main id="main"');
  });

  test("comes in the scheme that was chosen, and else in the system's", () => {
    expect(page({ theme: "dark" })).toContain('data-theme="dark"');
    expect(page({ theme: null })).not.toContain("data-theme");
  });

  test("says where one is, in which mode, and leads to the same page in the other", () => {
    const html = page({});
    expect(html).toMatch(/<a href="\/live\/overview" aria-current="page"/);
    expect(html).toContain('<span aria-current="true">Live</span><a href="/test/overview">Test</a>');
    expect(html).toContain("<title>Overview · Kano Corner Shop · Live</title>");
    expect(page({ mode: "test" })).toContain('data-mode="test"');
    expect(page({ mode: null })).toContain('<a href="/live/overview">Live</a><a href="/test/overview">Test</a>');
    expect(page({ mode: null, liveHref: null, testHref: null })).not.toContain('class="switch"');
  });

  test("shows neither search nor person where there is none", () => {
    const html = page({ searchHref: null, person: null });
    expect(html).not.toContain("<search");
    expect(html).not.toContain("Log out");
  });

  test("whose form was refused begins with what to mend, each with the way to its field, and says so in its title", () => {
    const body = (
      <Form action="/buy" submit="Buy" error="Nothing was charged.">
        <TextField name="phone" label="Phone" error="7 digits." />
        <TextField name="amount" label="Amount" error={null} />
      </Form>
    );
    const html = renderPage({ title: "Buy", shell: galleryShell, body, surroundings });
    expect(html).toContain("<title>Error: Buy · Kano Corner Shop · Live</title>");
    expect(html).toMatch(
      /<main id="main" tabindex="-1"><div class="error-summary" role="alert" tabindex="-1" autofocus><h2>1 thing to fix<\/h2>/,
    );
    expect(html).toContain('<li>Nothing was charged.</li><li><a href="#phone">Phone: 7 digits.</a></li>');
    expect(page({})).not.toContain("error-summary");
  });

  test("leaves stored markup in any name of the shell as text", () => {
    const company = { name: bad, logoUrl: bad };
    const person = { name: bad, email: bad, role: bad };
    const link = { href: bad, label: bad, icon: "list" as const, isCurrent: true, badge: 1, keys: bad };
    const memberships = [
      { id: bad, name: bad, isCurrent: false },
      { id: bad, name: bad, isCurrent: false },
    ];
    const shell = {
      ...galleryShell,
      company,
      person,
      memberships,
      merchantName: bad,
      searchHref: bad,
      searchHint: bad,
    };
    const navigation = [{ title: bad, links: [link] }];
    const html = renderPage({
      title: bad,
      shell: { ...shell, navigation, liveHref: bad, testHref: bad },
      body: bad,
      flash: bad,
      surroundings,
    });
    // The logo is the one picture that the page has.
    expect(html.match(/<img /g)).toHaveLength(1);
    expect(html).not.toContain("<img src=x");
    const entrance = renderEntrancePage({
      title: bad,
      company: { ...company, logoUrl: null },
      theme: null,
      body: bad,
      surroundings,
    });
    expect(entrance).not.toContain("<img");
  });
});

describe("what a page loads", () => {
  // As it is sent.
  const packed = (bytes: Buffer) =>
    brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }).length;
  const size = (name: string) =>
    packed(galleryAssets.all.find((asset) => asset.name === name)?.bytes ?? Buffer.alloc(0));

  test("stays within the budget: 15 kB of scripts and 12 kB of style a page, 60 kB of scripts in all", () => {
    const scripts = galleryAssets.all.filter(({ name }) => name.endsWith(".js"));
    const onDemand = scripts.filter(({ name }) => name !== "console.js").map(({ bytes }) => packed(bytes));
    // The greatest page has the greatest two islands that are loaded where they stand.
    const greatest = onDemand.toSorted((one, other) => other - one).slice(0, 2);
    expect([size("console.js"), ...greatest].reduce((sum, each) => sum + each, 0)).toBeLessThan(15_000);
    expect(size("style.css")).toBeLessThan(12_000);
    expect(scripts.reduce((sum, { bytes }) => sum + packed(bytes), 0)).toBeLessThan(60_000);
  });

  test("has another address once its content is another", () => {
    const { path, bytes, type } = galleryAssets.all.find(({ name }) => name === "console.js") ?? {};
    expect(path).toBe(galleryAssets.url("console.js"));
    expect(type).toBe("text/javascript; charset=utf-8");
    expect(bytes?.length).toBeGreaterThan(1_000);
  });

  test("is named in one sentence where it is missing", () => {
    expect(() => galleryAssets.url("nothing.js")).toThrow("dist/console has no nothing.js");
  });
});
