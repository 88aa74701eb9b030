import { CodeBlock } from "../../kit/parts/data.tsx";

/** What was sent and answered, for whoever wants more than the sentence about it. */
export function RawAnswer({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <details>
      <summary>{label}</summary>
      <CodeBlock label={label} code={spreadOut(text)} />
    </details>
  );
}

/** An exchange with a supplier as connectors write it down: `POST /pay {…} -> 200 {…} (120 ms)`. */
export function isExchange(evidence: string): boolean {
  return evidence.includes(" -> ");
}

/** Each question and answer on lines of its own, with its JSON spread out; what was cut off stays as it is. */
function spreadOut(text: string): string {
  const parts = text.replaceAll(/; then (?=[A-Z]+ )/g, "\n\n").split(/ (?=-> )|\n/);
  return parts.map((part) => part.replace(/[{[].*[}\]]/, spreadJson)).join("\n");
}

function spreadJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
