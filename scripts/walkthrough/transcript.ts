import { STATUS_CODES } from "node:http";

/** A list in an answer is told up to here. */
const itemsMax = 2;

const headersAlways = ["Retry-After", "Idempotent-Replayed"];
const headersOfTheFirst = ["X-Api-Mode", "X-Request-Id", "RateLimit-Policy", "RateLimit"];

export interface Exchange {
  readonly title: string;
  readonly remark: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly key: string | null;
    readonly body?: unknown;
  };
  readonly response: Response;
  /** Parsed. */
  readonly answer: unknown;
  readonly isFirst: boolean;
}

/** A request and its answer as a chapter of Markdown. */
export function chapterOf({ title, remark, request, response, answer, isFirst }: Exchange): string {
  const names = isFirst ? [...headersOfTheFirst, ...headersAlways] : headersAlways;
  const headers = names.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [`${name}: ${value}`];
  });
  const lines = [
    `${request.method} ${request.path}`,
    ...(request.key === null ? [] : [`Authorization: Bearer ${request.key}`]),
    ...(request.body === undefined ? [] : ["Content-Type: application/json", "", pretty(request.body)]),
    "",
    `${response.status} ${STATUS_CODES[response.status] ?? ""}`,
    ...headers,
    "",
    pretty(answer),
  ];
  return chapter({ title, remark }, lines.join("\n"));
}

const headersOfWebhooks = [
  "Content-Type",
  "webhook-id",
  "webhook-timestamp",
  "webhook-signature",
  "X-Service-Event",
  "X-Service-Mode",
];

/** A webhook as it came to its receiver, which took it, as a chapter of Markdown. */
export function webhookChapter({
  title,
  remark,
  received,
}: {
  readonly title: string;
  readonly remark: string;
  readonly received: {
    readonly path: string;
    readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
    readonly body: string;
  };
}): string {
  const lines = [
    `POST ${received.path}`,
    ...headersOfWebhooks.map((name) => `${name}: ${received.headers[name.toLowerCase()]}`),
    "",
    pretty(JSON.parse(received.body)),
    "",
    "200 OK",
  ];
  return chapter({ title, remark }, lines.join("\n"));
}

/** A command and what it printed as a chapter of Markdown. */
export function commandChapter({
  title,
  remark,
  command,
  output,
}: {
  readonly title: string;
  readonly remark: string;
  readonly command: string;
  readonly output: string;
}): string {
  return chapter({ title, remark }, `$ ${command}\n${output.trimEnd()}`);
}

function chapter({ title, remark }: { readonly title: string; readonly remark: string }, transcript: string): string {
  return `\n## ${title}\n\n${remark}\n\n\`\`\`\n${transcript}\n\`\`\`\n`;
}

function pretty(value: unknown): string {
  return JSON.stringify(value, (_key, inner) => (Array.isArray(inner) ? shortened(inner) : inner), 2);
}

function shortened(items: readonly unknown[]): readonly unknown[] {
  if (items.length <= itemsMax) return items;
  return [...items.slice(0, itemsMax), `… ${items.length - itemsMax} more, left out of this transcript`];
}
