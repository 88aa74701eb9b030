/** A request as it would be sent. */
interface ShownRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body: string | null;
}

/** A request for a shell, with this deployment's address. The key is the reader's to set. */
export function requestCurl({ method, path, body }: ShownRequest, origin: string): string {
  const lines = [
    `curl ${method === "GET" ? "" : `-X ${method} `}${quoted(`${origin}${path}`)}`,
    `  -H "Authorization: Bearer $DISPENSE_KEY"`,
    ...(body === null ? [] : [`  -H "Content-Type: application/json"`, `  -d ${quoted(body)}`]),
  ];
  return lines.join(" \\\n");
}

/** One word for a shell, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
