/** The state of a thing by word, shape and colour. */
export function Status({ kind, children }: { kind: "good" | "waiting" | "bad"; children: string }) {
  return <span class={`status ${kind}`}>{children}</span>;
}
