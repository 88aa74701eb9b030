import { STATUS_CODES } from "node:http";
import { failureCodes } from "../../kernel/failure-codes.ts";
import { problems } from "../../kernel/problem-catalogue.ts";
import { escapeHtml } from "./html-text.ts";
import { sitePage } from "./site-page.ts";

/** Where every error's `doc_url` leads: a row per code, with the code as its anchor. */
export function errorsPage(): string {
  const rows = Object.entries(problems);
  const statuses = [...new Set(rows.map(([, { status }]) => status))].sort((one, other) => one - other);
  const sections = statuses.map((status) => {
    const ofStatus = rows.filter(([, problem]) => problem.status === status);
    return section(
      `${status} ${STATUS_CODES[status] ?? ""}`.trim(),
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
  const main = `<h1>Errors</h1>\n${introduction}${contents(statuses)}${sections.join("")}${failures}`;
  return sitePage({ title: "Errors", part: "errors", main });
}

const example = `{
  "status": "error",
  "code": "AMOUNT_OUT_OF_RANGE",
  "message": "Amount must be between 50.00 and 50000.00.",
  "errors": { "amount": ["Must be at least 50.00."] },
  "meta": { "min_amount": "50.00", "max_amount": "50000.00" },
  "request_id": "req_01KAGZ7Q3M5T8V1X4Y6Z9B2C3D",
  "doc_url": "http://127.0.0.1:8080/docs/errors#AMOUNT_OUT_OF_RANGE"
}`;

const introduction = `<p>A refused request is answered in this form. <code>code</code> never changes, <code>message</code>
may; <code>errors</code> is there for field errors and <code>meta</code> where numbers help.</p>
<pre tabindex="0">${escapeHtml(example)}</pre>
<p>400, 402, 403, 404, 409, 413, 415, 429, 431 and 503 mean: this request created nothing, charged nothing and did not use its
reference up. 422 is no error of the request: a transaction exists, it failed and was refunded. After a 500, or no answer
at all, ask <code>GET /transactions/{reference}</code> or send the same reference again.</p>
`;

function contents(statuses: readonly number[]): string {
  const links = statuses.map((status) => `<a href="#${anchorOf(String(status))}">${status}</a>`);
  return `<nav class="row" aria-label="By HTTP status">${[...links, '<a href="#why">failed transactions</a>'].join(" ")}</nav>\n`;
}

function section(title: string, lead: string, heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const body = rows.map(([code = "", ...cells]) => {
    const name = `<th scope="row"><a href="#${anchorOf(code)}"><code>${escapeHtml(code)}</code></a></th>`;
    return `<tr id="${anchorOf(code)}">${name}${cells.map((cell) => `<td>${marked(cell)}</td>`).join("")}</tr>`;
  });
  const head = heads.map((text) => `<th scope="col">${escapeHtml(text)}</th>`).join("");
  return `<h2 id="${anchorOf(title.split(" ", 1)[0] ?? "")}">${escapeHtml(title)}</h2>
${lead}<table class="codes"><thead><tr>${head}</tr></thead><tbody>
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
  return escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}
