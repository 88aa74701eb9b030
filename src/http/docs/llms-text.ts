import type { ApiDocument } from "../openapi/api-document.ts";
import { guides, shopFiles } from "./guides.ts";

/** `/llms.txt` (llmstxt.org): where a program that reads finds everything as text, without a page around it. */
export function llmsText({ info }: ApiDocument): string {
  const lines = guides.map(({ name, title, about }) => `- [${title}](/docs/${name}.md): ${about}`);
  return `# ${info.title}

> ${info.summary} All addresses here are relative to this host.

- Requests go below \`/api/v1/merchant\`, with \`Authorization: Bearer <key>\`. A \`ds_test_…\` key is the sandbox, where
  nothing costs money; \`ds_live_…\` buys for real.
- Each purchase has a \`reference\` of the merchant's own. Sent again, it answers the same purchase and charges once.
- 201 is successful, 202 pending (wait for the webhook, or ask \`GET /transactions/{reference}\`), 422 failed and refunded.
  After a 500 or no answer, send the same reference again.

## Reference

- [OpenAPI document](/openapi.json): every operation, field, error and event
- [Errors](/docs/errors.md): every code, when it happens and what to do

## Guides

${lines.join("\n")}

## Whole programs

${shopFiles.map((name) => `- [${name}](/docs/shops/${name})`).join("\n")}
`;
}
