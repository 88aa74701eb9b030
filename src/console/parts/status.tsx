/** How a state is meant: `quiet` is over and needs nobody, `waiting` moves by itself. */
export type StatusKind = "good" | "waiting" | "bad" | "quiet";

interface StatusProps {
  /** The word itself, `successful`; a text of its own is fine too, `failed, refunded`. */
  readonly children: string;
  /** Only where the first word is not one of the known ones. */
  readonly kind?: StatusKind;
}

/** The state of a thing by word, shape and colour, so that no one of the three is needed to read it. */
export function Status({ children, kind = statusKind(children) }: StatusProps) {
  return <span class={`status ${kind}`}>{children}</span>;
}

const words: Readonly<Record<StatusKind, string>> = {
  good: "successful succeeded delivered completed active approved healthy open enabled accepted matched vended paid up",
  waiting: "pending processing queued waiting review paused proposed invited retrying scheduled draft",
  bad: "failed declined suspended revoked expired refused rejected disabled down mismatched blocked overdue",
  quiet: "refunded reversed cancelled closed ended off unused archived none",
};

const kinds = new Map(
  (Object.keys(words) as StatusKind[]).flatMap((kind) => words[kind].split(" ").map((word) => [word, kind] as const)),
);

/** What a state's first word means, whatever its case; `quiet` for one that nobody has entered here. `in review` is review. */
export function statusKind(text: string): StatusKind {
  const [first = ""] = text
    .toLowerCase()
    .replace(/^in /, "")
    .split(/[^a-z]/, 1);
  return kinds.get(first) ?? "quiet";
}
