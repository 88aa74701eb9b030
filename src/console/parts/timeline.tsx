import type { ComponentChildren } from "preact";

export interface TimelineStep {
  readonly state: "done" | "waiting" | "failed" | "noted";
  readonly title: ComponentChildren;
  /** When: a `<Moment>`. */
  readonly at?: ComponentChildren;
  /** How long after the first step, `+22 ms`; null for that one, and for what has no time. */
  readonly since?: string | null;
  readonly children?: ComponentChildren;
}

const words = { done: "Done", waiting: "Waiting", failed: "Failed", noted: "" } as const;

/** What happened in its order, each step by shape and colour, and by a word for those who see neither. */
export function Timeline({ label, steps }: { readonly label: string; readonly steps: readonly TimelineStep[] }) {
  return (
    <ol class="timeline" aria-label={label}>
      {steps.map(({ state, title, at, since = null, children }, place) => (
        <li key={place} class={state}>
          {at === undefined ? null : (
            <span class="at">
              {at}
              {since === null ? null : <small>{since}</small>}
            </span>
          )}
          {words[state] === "" ? null : <span class="unseen">{words[state]}: </span>}
          {title}
          {children === undefined ? null : <div>{children}</div>}
        </li>
      ))}
    </ol>
  );
}
