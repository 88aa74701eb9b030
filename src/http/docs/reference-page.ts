import { escapeHtml } from "./html-text.ts";
import { siteHead } from "./site-page.ts";

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
  hiddenClients: {
    c: true,
    clojure: true,
    dart: true,
    fsharp: true,
    http: true,
    kotlin: true,
    objc: true,
    ocaml: true,
    powershell: true,
    r: true,
    swift: true,
  },
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
  /** What stands above it, as HTML. */
  readonly notice: string;
  /** The sandbox key that its samples begin with. */
  readonly key?: string;
}

/**
 * The page, with the nonce for what it may style. Every address is relative to the host, and there is no other. Scalar
 * puts itself in the place of the text when it starts.
 * @param text HTML, to be read until then
 */
export function referencePage(nonce: string, text: string, { notice, key }: KeyShown): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Dispense API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/pages.css">
<script src="/docs/prepare.js" nonce="${nonce}"></script>
</head>
<body>
${siteHead("reference")}
${notice}<div id="reference"${key === undefined ? "" : ` data-key="${escapeHtml(key)}"`}><main class="text" id="main">
${text}</main></div>
<script src="/docs/scalar.js" defer></script>
<script src="/docs/start.js" defer></script>
</body>
</html>
`;
}

/**
 * The page may run our scripts, style itself and ask this host; nothing else, and nowhere else. Scalar styles
 * elements by script, which no policy minds. What it writes as style attributes (to measure scroll bars, to make room
 * for line numbers) is refused, and the page looks the same without.
 */
export function referencePolicy(nonce: string): string {
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
