import { failureCodes } from "../../kernel/failure-codes.ts";
import { problems } from "../../kernel/problem-catalogue.ts";

/** Where every error's `doc_url` leads: a row per code, with the code as its anchor. */
export function errorsPage(): string {
  const rows = Object.entries(problems);
  const statuses = [...new Set(rows.map(([, { status }]) => status))].sort((one, other) => one - other);
  const sections = statuses.map((status) => {
    const ofStatus = rows.filter(([, problem]) => problem.status === status);
    return section(
      `${status} ${statusNames[status] ?? ""}`.trim(),
      "",
      ["code", "when", "what to do"],
      ofStatus.map(([code, { when, next }]) => [code, when, next]),
    );
  });
  const failures = section(
    "Why a transaction failed",
    "<p>A failed transaction (422) says why in <code>error_code</code>. The wallet has everything back.</p>",
    ["error_code", "meaning"],
    Object.entries(failureCodes),
  );
  return page(`${introduction}${contents(statuses)}${sections.join("")}${failures}`);
}

const statusNames: Readonly<Record<number, string>> = {
  400: "Bad request",
  401: "Unauthorized",
  402: "Payment required",
  403: "Forbidden",
  404: "Not found",
  405: "Method not allowed",
  409: "Conflict",
  413: "Content too large",
  415: "Unsupported media type",
  429: "Too many requests",
  500: "Internal server error",
  502: "Bad gateway",
  503: "Service unavailable",
};

const example = `{
  "status": "error",
  "code": "AMOUNT_OUT_OF_RANGE",
  "message": "Amount must be between 50.00 and 50000.00.",
  "errors": { "amount": ["Must be at least 50.00."] },
  "meta": { "min_amount": "50.00", "max_amount": "50000.00" },
  "request_id": "req_01KAGZ7Q3M5T8V1X4Y6Z9B2C3D",
  "doc_url": "/docs/errors#AMOUNT_OUT_OF_RANGE"
}`;

const introduction = `<p>A refused request is answered in this form. <code>code</code> never changes, <code>message</code>
may; <code>errors</code> is there for field errors and <code>meta</code> where numbers help.</p>
<pre>${escaped(example)}</pre>
<p>400, 402, 403, 404, 409, 413, 415, 429, 431 and 503 mean: this request created nothing, charged nothing and did not use its
reference up. 422 is no error of the request: a transaction exists, it failed and was refunded. After a 500, or no answer
at all, ask <code>GET /transactions/{reference}</code> or send the same reference again.</p>
`;

function contents(statuses: readonly number[]): string {
  const links = statuses.map((status) => `<a href="#${anchorOf(String(status))}">${status}</a>`);
  return `<nav aria-label="By HTTP status">${[...links, '<a href="#why">failed transactions</a>'].join(" ")}</nav>\n`;
}

function section(title: string, lead: string, heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const body = rows.map(([code = "", ...cells]) => {
    const name = `<th scope="row"><a href="#${anchorOf(code)}"><code>${escaped(code)}</code></a></th>`;
    return `<tr id="${anchorOf(code)}">${name}${cells.map((cell) => `<td>${marked(cell)}</td>`).join("")}</tr>`;
  });
  const head = heads.map((text) => `<th scope="col">${escaped(text)}</th>`).join("");
  return `<h2 id="${anchorOf(title.split(" ", 1)[0] ?? "")}">${escaped(title)}</h2>
${lead}<table><thead><tr>${head}</tr></thead><tbody>
${body.join("\n")}
</tbody></table>
`;
}

/** Codes stay as they are; `Why …` becomes `why`. */
function anchorOf(text: string): string {
  return /^[A-Z_]{3,}$/.test(text) ? text : text.toLowerCase().replace(/[^a-z0-9]+/g, "-");
}

/** Text with its `code` set as such. */
function marked(text: string): string {
  return escaped(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

function page(main: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Errors - Dispense API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/pages.css">
</head>
<body>
<header><a href="/docs">Dispense API reference</a></header>
<main>
<h1>Errors</h1>
${main}</main>
</body>
</html>
`;
}

/** Served beside the page, so that its policy needs no exception. */
export const pagesStyle = `:root { color-scheme: light dark; --line: #d8dbe0; --soft: #f4f5f7; --link: #0b57d0; --mark: #fff3c4; }
@media (prefers-color-scheme: dark) { :root { --line: #3a3d42; --soft: #22252a; --link: #8ab4f8; --mark: #4a3f14; } }
body { margin: 0 auto; max-width: 68rem; padding: 1rem 1.25rem 4rem; font: 16px/1.5 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
header { padding-bottom: 0.5rem; border-bottom: 1px solid var(--line); }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
h1 { margin: 1.5rem 0 0.5rem; }
h2 { margin: 2.25rem 0 0.5rem; font-size: 1.2rem; }
nav { margin: 1rem 0; display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; }
code, pre { font: 0.875em/1.5 ui-monospace, "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
pre { padding: 0.75rem 1rem; overflow-x: auto; background: var(--soft); border-radius: 6px; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 0.5rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th[scope="row"] { width: 18rem; font-weight: 400; }
td:nth-child(2) { width: 45%; }
tr:target { background: var(--mark); scroll-margin-top: 1rem; }
@media (max-width: 45rem) {
  thead { display: none; }
  tr { display: block; padding: 0.75rem 0; border-bottom: 1px solid var(--line); }
  th, td, th[scope="row"], td:nth-child(2) { display: block; width: auto; padding: 0.125rem 0; border: 0; overflow-wrap: anywhere; }
}
`;
