import type { ComponentChildren } from "preact";

export interface Figure {
  readonly label: string;
  readonly value: ComponentChildren;
  readonly note?: ComponentChildren;
  /** What moved since a time that the note names: `12 %`. `isGood` gives the colour, as fewer failures are good. */
  readonly trend?: { readonly direction: "up" | "down"; readonly isGood: boolean; readonly text: string };
  /** What the figure counts. */
  readonly href?: string;
}

/** A row of figures that answer the page's question at one glance: two to five of them. */
export function Figures({ figures }: { readonly figures: readonly Figure[] }) {
  return (
    <dl class="figures">
      {figures.map(({ label, value, note, trend, href }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd class="figure">{href === undefined ? value : <a href={href}>{value}</a>}</dd>
          <dd>
            {trend === undefined ? null : (
              <span class={trend.isGood ? "better" : "worse"}>
                <span aria-hidden="true">{trend.direction === "up" ? "▲" : "▼"} </span>
                <span class="unseen">{trend.direction} </span>
                {trend.text}{" "}
              </span>
            )}
            {note}
          </dd>
        </div>
      ))}
    </dl>
  );
}
