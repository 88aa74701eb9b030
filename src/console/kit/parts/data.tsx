import type { ComponentChildren } from "preact";
import { ScrollArea } from "./layout.tsx";

/** A name and what is known under it; what has no value is left out. */
export type Fact = readonly [name: string, value: ComponentChildren];

/** What is known of a thing, name by name. */
export function Facts({ facts }: { readonly facts: readonly Fact[] | Readonly<Record<string, ComponentChildren>> }) {
  const all = Array.isArray(facts) ? (facts as readonly Fact[]) : Object.entries(facts);
  return (
    <dl class="facts">
      {all
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

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

export interface Alert {
  readonly title: string;
  readonly text: ComponentChildren;
  readonly href: string;
  /** One verb: `Look`, `Revoke`. */
  readonly action: string;
  readonly kind?: "bad" | "waiting";
}

/** What needs a person, each with the way to do it. `children` say that all is well when nothing does. */
export function Alerts({
  alerts,
  children,
}: {
  readonly alerts: readonly Alert[];
  readonly children: ComponentChildren;
}) {
  if (alerts.length === 0) return <p class="all-well">{children}</p>;
  return (
    <ul class="alerts">
      {alerts.map(({ title, text, href, action, kind = "bad" }) => (
        <li key={`${title} ${href}`} class={kind}>
          <div>
            <strong>{title}</strong>
            <span>{text}</span>
          </div>
          <a href={href} aria-label={`${action}: ${title}`}>
            {action}
          </a>
        </li>
      ))}
    </ul>
  );
}

interface CopyButtonProps {
  readonly text: string;
  /** What is copied, for those who don't see where it stands: `the key`. */
  readonly subject: string;
  readonly label?: string;
}

/** Copies a text. Unseen without JavaScript, as the text can be selected. */
export function CopyButton({ text, subject, label = "Copy" }: CopyButtonProps) {
  return (
    <button class="button small" type="button" data-island="copy" data-text={text} hidden>
      <span aria-live="polite">{label}</span>
      <span class="unseen"> {subject}</span>
    </button>
  );
}

interface CodeBlockProps {
  readonly code: string;
  /** What it is: `The request as curl`. */
  readonly label: string;
}

/** Several lines to be read or copied; wide ones scroll by themselves, by keyboard too. */
export function CodeBlock({ code, label }: CodeBlockProps) {
  return (
    <figure class="code-block">
      <figcaption>
        <span>{label}</span>
        <CopyButton text={code} subject={label} />
      </figcaption>
      <ScrollArea label={label}>
        <pre>
          <code>{code}</code>
        </pre>
      </ScrollArea>
    </figure>
  );
}

interface SecretProps {
  /** `The live key`. */
  readonly label: string;
  readonly value: string;
  /** What to do now, as it isn't shown again. */
  readonly note?: string;
}

/** Worth money or access, and shown this once: the page that holds it is not stored and not compressed. */
export function Secret({
  label,
  value,
  note = "It is shown this once. Keep it where nobody else reads.",
}: SecretProps) {
  return (
    <div class="secret">
      <p class="label">{label}</p>
      <p class="value">
        <code>{value}</code>
        <CopyButton text={value} subject={label} />
      </p>
      <p>{note}</p>
    </div>
  );
}
