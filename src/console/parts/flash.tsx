import type { ComponentChildren } from "preact";

interface FlashProps {
  readonly kind: "good" | "bad" | "waiting" | "note";
  readonly children: ComponentChildren;
}

/** What has just happened, or is wrong with a whole form: read aloud when the page comes. */
export function Flash({ kind, children }: FlashProps) {
  return (
    <div class={`flash ${kind}`} role={kind === "bad" ? "alert" : "status"}>
      {children}
    </div>
  );
}
