import { randomBytes } from "node:crypto";
import type { VNode } from "preact";
import type { ApiDocument, ApiOperation } from "../openapi/api-document.ts";
import { renderMarkdown } from "./markdown.ts";
import { Prose, renderSitePage } from "./site-page.tsx";

const hiddenLanguages = [
  "c",
  "clojure",
  "dart",
  "fsharp",
  "http",
  "kotlin",
  "objc",
  "ocaml",
  "powershell",
  "r",
  "swift",
];

/**
 * The interactive reference: Scalar's own script over `/openapi.json`. All that it fetches by default from its makers
 * (fonts, telemetry, an assistant, a proxy) is switched off, and the page's policy would refuse it.
 */
const configuration = {
  url: "/openapi.json",
  layout: "modern",
  theme: "default",
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: "",
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: "never",
  hideClientButton: true,
  documentDownloadType: "json",
  defaultOpenAllTags: false,
  operationTitleSource: "summary",
  orderRequiredPropertiesFirst: false,
  orderSchemaPropertiesBy: "preserve",
  hiddenClients: Object.fromEntries(hiddenLanguages.map((language) => [language, true])),
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  authentication: { preferredSecurityScheme: "bearer" },
};

/** Loaded before Scalar's script: gives the styles that it makes at run time the nonce that the page's policy asks for. */
export const prepareScript = `"use strict";
(() => {
  const { nonce } = document.currentScript;
  const create = document.createElement.bind(document);
  document.createElement = (name, options) => {
    const element = create(name, options);
    if (String(name).toLowerCase() === "style") element.nonce = nonce;
    return element;
  };
})();
`;

/**
 * Loaded after it. Trying things out is for sandbox keys: a page that anybody may open beside his production key is no
 * place to spend money from. What the hook throws is shown, and nothing is sent.
 */
export const startScript = `"use strict";
const configuration = ${JSON.stringify(configuration)};
const { key } = document.querySelector("#reference").dataset;
if (key !== undefined) configuration.authentication.securitySchemes = { bearer: { token: key } };
function refuseLiveKeys({ request }) {
  if (![...request.headers.values()].some((value) => value.includes("ds_live_"))) return;
  throw Error("Not sent: this key is live, what it buys costs money. Try things out with a sandbox key (ds_test_…).");
}
Scalar.createApiReference("#reference", { ...configuration, onBeforeRequest: refuseLiveKeys });
`;

interface KeyShown {
  /** What stands above it. */
  readonly notice: VNode | null;
  /** The sandbox key that its samples begin with. */
  readonly key?: string;
}

type Reference = (shown: KeyShown) => { readonly html: string; readonly policy: string };

/**
 * The page, and the policy with the nonce for what it may style: another one each time. Scalar puts itself in the place of
 * the text when it starts.
 */
export function openReference(documentOf: () => ApiDocument): Reference {
  let text: string | null = null;
  return ({ notice, key }) => {
    text ??= renderMarkdown(referenceText(documentOf()), "/docs/api").html;
    const nonce = randomBytes(16).toString("base64url");
    const html = renderSitePage({
      title: "Reference",
      part: "reference",
      notice,
      script: <script src="/docs/prepare.js" nonce={nonce} />,
      body: (
        <>
          <div id="reference" data-key={key}>
            <Prose html={text} />
          </div>
          <script src="/docs/scalar.js" defer />
          <script src="/docs/start.js" defer />
        </>
      ),
    });
    return { html, policy: referencePolicy(nonce) };
  };
}

/**
 * The reference in words: what stands on its page before the script has run, and without one. Every operation with its
 * address and what it does; fields and examples are in the OpenAPI document, which the script shows.
 */
function referenceText({ info, paths, tags, webhooks }: ApiDocument): string {
  const entry = (address: string, { summary, description }: ApiOperation) =>
    `### \`${address}\` ${summary}\n\n${description}`;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ address: `${method.toUpperCase()} ${path}`, operation })),
  );
  const chapters = tags.flatMap(({ name, description }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name));
    return [`## ${name}\n\n${description}`, ...own.map(({ address, operation }) => entry(address, operation))];
  });
  const events = Object.entries(webhooks).map(([name, { post }]) => entry(name, post));
  const introduction = `# ${info.title}\n\nEverything that follows is also in [the OpenAPI document](/openapi.json). Read on:
[the guides](/docs/guides), [the errors](/docs/errors), [examples of every endpoint](/docs/examples).`;
  return [introduction, info.description, ...chapters, "## Events", ...events].join("\n\n");
}

/**
 * The page may run our scripts, style itself and ask this host; nothing else, and nowhere else. Scalar styles
 * elements by script, which no policy minds. What it writes as style attributes (to measure scroll bars, to make room
 * for line numbers) is refused, and the page looks the same without.
 */
function referencePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src-elem 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
