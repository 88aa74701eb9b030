import type { ComponentChildren } from "preact";
import { assetUrl } from "../assets.ts";

interface LiveProps {
  /** The `id` of the table whose rows are looked for anew. */
  readonly tableId: string;
  readonly everySeconds?: number;
  /** Where its rows come from, if not from the page's own address. */
  readonly href?: string;
  readonly children: ComponentChildren;
}

/** Keeps the rows of a table fresh while the page is looked at. It can be paused, and is still without JavaScript. */
export function Live({ tableId, everySeconds = 5, href, children }: LiveProps) {
  return (
    <div {...onDemand("live")} data-table={tableId} data-seconds={everySeconds} data-href={href}>
      {children}
      <p class="live" hidden>
        <span>Live</span>
        <button class="button small" type="button" aria-pressed="false">
          Pause
        </button>
      </p>
    </div>
  );
}

/** Puts the text of a file into a text area, for those who would rather see it first. */
export function FileText({ areaName, label }: { readonly areaName: string; readonly label: string }) {
  return (
    <p {...onDemand("file-text")} data-area={areaName} hidden>
      <label class="button">
        {label}
        <input class="unseen" type="file" accept=".csv,.txt,text/csv,text/plain" />
      </label>{" "}
      <span class="hint" role="status" />
    </p>
  );
}

/** An island that is loaded where it stands, from `islands/on-demand`. */
export function onDemand(island: string) {
  return { "data-island": island, "data-script": assetUrl(`${island}.js`) };
}
