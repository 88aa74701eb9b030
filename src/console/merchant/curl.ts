import type { Mode } from "../../kernel/mode.ts";

/** A request as it would be sent. */
interface ShownRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body: string | null;
}

/** A request for a shell, with this deployment's address. The key is the reader's to set, unless it is given. */
export function requestCurl({ method, path, body }: ShownRequest, origin: string, key = "$DISPENSE_KEY"): string {
  const lines = [
    `curl ${method === "GET" ? "" : `-X ${method} `}${quoted(`${origin}${path}`)}`,
    `  -H "Authorization: Bearer ${key}"`,
    ...(body === null ? [] : [`  -H "Content-Type: application/json"`, `  -d ${quoted(body)}`]),
  ];
  return lines.join(" \\\n");
}

const keyNames = { live: "YOUR_LIVE_KEY", test: "YOUR_TEST_KEY" } as const;

/** The request that asks the API what became of a purchase, to be pasted into a shell. The key is the reader's to fill in. */
export function requeryCurl(origin: string, mode: Mode, reference: string): string {
  // What stands between the quotes must not end them.
  const name = encodeURIComponent(reference).replaceAll("'", "%27");
  return `curl -sS '${origin}/api/v1/merchant/transactions/${name}' -H 'Authorization: Bearer ${keyNames[mode]}'`;
}

/** One word for a shell, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
