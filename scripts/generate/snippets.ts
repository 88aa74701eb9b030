import type { ApiOperation } from "../../src/http/openapi/api-document.ts";
import type { ExampleRequest } from "./example-requests.ts";

/** A request in one language: complete, with address and key from the environment. */
export interface SnippetLanguage {
  readonly name: string;
  /** The language that the Markdown fence names. */
  readonly fence: string;
  readonly render: (request: ExampleRequest, path: string) => string;
}

/** In the order in which the page shows them. Each snippet prints the status and the answer's JSON. */
export const snippetLanguages: readonly SnippetLanguage[] = [
  { name: "curl", fence: "sh", render: curl },
  { name: "Node", fence: "js", render: node },
  { name: "PHP", fence: "php", render: php },
  { name: "Python", fence: "python", render: python },
];

function isKeyed({ security }: ApiOperation): boolean {
  return security?.length !== 0;
}

function curl({ operation, method, body }: ExampleRequest, path: string): string {
  const lines = [
    `curl "$DISPENSE_URL${path}"`,
    ...(method === "GET" || (method === "POST" && body !== undefined) ? [] : [`-X ${method}`]),
    ...(isKeyed(operation) ? ['-H "Authorization: Bearer $DISPENSE_KEY"'] : []),
    ...(body === undefined ? [] : ['-H "Content-Type: application/json"', `-d '${shellQuoted(JSON.stringify(body))}'`]),
  ];
  return lines.join(" \\\n  ");
}

function shellQuoted(text: string): string {
  return text.replaceAll("'", "'\\''");
}

function node({ operation, method, body }: ExampleRequest, path: string): string {
  const headers = [
    ...(isKeyed(operation) ? [`Authorization: \`Bearer \${process.env.DISPENSE_KEY}\``] : []),
    ...(body === undefined ? [] : ['"Content-Type": "application/json"']),
  ];
  const options = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...(headers.length === 0 ? [] : [`  headers: { ${headers.join(", ")} },`]),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indented(scriptLiteral(body))}),`]),
  ];
  const given = options.length === 0 ? "" : `, {\n${options.join("\n")}\n}`;
  return `const response = await fetch(\`\${process.env.DISPENSE_URL}${path}\`${given});
console.log(response.status, JSON.stringify(await response.json()));`;
}

/** As JSON, with names unquoted where JavaScript lets them. */
function scriptLiteral(value: object): string {
  return JSON.stringify(value, null, 2).replace(/^( *)"([A-Za-z_]+)":/gm, "$1$2:");
}

function php({ operation, method, body }: ExampleRequest, path: string): string {
  const headers = [
    ...(isKeyed(operation) ? ['"Authorization: Bearer " . getenv("DISPENSE_KEY")'] : []),
    ...(body === undefined ? [] : ['"Content-Type: application/json"']),
  ];
  const options = [
    "    CURLOPT_RETURNTRANSFER => true,",
    ...(method === "GET" ? [] : [`    CURLOPT_CUSTOMREQUEST => "${method}",`]),
    ...(headers.length === 0 ? [] : [`    CURLOPT_HTTPHEADER => [${headers.join(", ")}],`]),
    ...(body === undefined ? [] : [`    CURLOPT_POSTFIELDS => json_encode(${phpLiteral(body, 4)}),`]),
  ];
  return `<?php
$request = curl_init(getenv("DISPENSE_URL") . "${path}");
curl_setopt_array($request, [
${options.join("\n")}
]);
$answer = curl_exec($request);
echo curl_getinfo($request, CURLINFO_RESPONSE_CODE), " ", $answer, PHP_EOL;`;
}

function phpLiteral(value: unknown, margin: number): string {
  if (typeof value === "string") return `"${value.replace(/["\\$]/g, "\\$&")}"`;
  if (typeof value !== "object" || value === null) return String(value);
  const inner = " ".repeat(margin + 4);
  const items = Array.isArray(value)
    ? value.map((item) => phpLiteral(item, margin + 4))
    : Object.entries(value).map(([name, item]) => `"${name}" => ${phpLiteral(item, margin + 4)}`);
  return `[\n${items.map((item) => `${inner}${item},`).join("\n")}\n${" ".repeat(margin)}]`;
}

function python({ operation, method, body }: ExampleRequest, path: string): string {
  const lines = [
    `    os.environ["DISPENSE_URL"] + "${path}",`,
    ...(isKeyed(operation) ? ['    headers={"Authorization": "Bearer " + os.environ["DISPENSE_KEY"]},'] : []),
    ...(body === undefined ? [] : [`    json=${pythonLiteral(body)},`]),
  ];
  return `import os, requests

response = requests.${method.toLowerCase()}(
${lines.join("\n")}
)
print(response.status_code, response.text)`;
}

function pythonLiteral(value: object): string {
  return JSON.stringify(value, null, 4)
    .replace(/: true\b/g, ": True")
    .replace(/: false\b/g, ": False")
    .replace(/: null\b/g, ": None")
    .replace(/\n/g, "\n    ");
}

function indented(text: string): string {
  return text.replaceAll("\n", "\n  ");
}
