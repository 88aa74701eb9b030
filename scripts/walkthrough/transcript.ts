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

/** What differs from run to run, and what stands in its place. */
const masks: readonly { readonly pattern: RegExp; readonly name: string; readonly isNumbered: boolean }[] = [
  { pattern: /(?<=\bSBX)[0-9A-HJKMNP-TV-Z]{26}/g, name: "id", isNumbered: true },
  { pattern: /(?<=\breq_)[0-9A-HJKMNP-TV-Z]{26}/g, name: "id", isNumbered: true },
  { pattern: /(?<=\bds_test_)[0-9A-Za-z]{38}/g, name: "key", isNumbered: true },
  { pattern: /(?<=\?token=)[0-9A-Za-z_-]{43}/g, name: "token", isNumbered: true },
  { pattern: /(?<=\bfirst-)[0-9]{13}/g, name: "now", isNumbered: false },
  { pattern: /\b0000[0-9]{16}\b/g, name: "token", isNumbered: true },
  { pattern: /\b0000(-[0-9]{4}){4}\b/g, name: "token in fours", isNumbered: true },
  { pattern: /(?<=\bTEST-)[0-9]{12}\b/g, name: "receipt", isNumbered: true },
  {
    pattern: /\b20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:.]{8,15}(Z|[+-][0-9]{2}:[0-9]{2})/g,
    name: "time",
    isNumbered: false,
  },
  {
    pattern: /\b[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b/g,
    name: "delivery",
    isNumbered: true,
  },
  { pattern: /(?<=\bevt_)[0-9a-z]{14,32}\b/g, name: "event", isNumbered: true },
  { pattern: /(?<=\bwhsec_)[0-9A-Za-z+/]{32,}={0,2}/g, name: "secret", isNumbered: true },
  { pattern: /(?<=\bwhsec_…)[0-9A-Za-z+/=]{4}/g, name: "end", isNumbered: false },
  { pattern: /(?<=^webhook-timestamp: )[0-9]{10}$/gm, name: "seconds", isNumbered: false },
  { pattern: /(?<=^webhook-signature: v1,)[0-9A-Za-z+/]{43}=$/gm, name: "signature", isNumbered: false },
  { pattern: /(?<=http:\/\/127\.0\.0\.1:)[0-9]+/g, name: "port", isNumbered: false },
  { pattern: /(?<=\bDATA_DIR=)\S+/g, name: "folder", isNumbered: false },
  { pattern: /(?<="key";r=)[0-9]+;t=[0-9]+/g, name: "left;seconds", isNumbered: false },
];

/**
 * Masks a transcript piece by piece. One value is masked alike everywhere, numbered by its first appearance, so that a
 * replay still shows the id of the purchase that it repeats.
 */
export function openMask(): (text: string) => string {
  const numbers = new Map<string, Map<string, number>>();
  const numberOf = (kind: string, value: string): number => {
    const known = numbers.get(kind) ?? new Map<string, number>();
    numbers.set(kind, known);
    if (!known.has(value)) known.set(value, known.size + 1);
    return known.get(value) ?? 0;
  };
  return (text) =>
    masks.reduce(
      (so, { pattern, name, isNumbered }) =>
        so.replace(pattern, (value) => (isNumbered ? `<${name} ${numberOf(pattern.source, value)}>` : `<${name}>`)),
      text,
    );
}
