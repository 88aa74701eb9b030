import type { ComponentChildren } from "preact";
import { Icon } from "./icon.tsx";

/** A name and what is known under it; what has no value is left out. */
export type Fact = readonly [name: string, value: ComponentChildren];

interface FactsProps {
  readonly facts: readonly Fact[] | Readonly<Record<string, ComponentChildren>>;
  /** Amounts under one another, the last of them their sum or what is left. */
  readonly isMoney?: boolean;
}

export function Facts({ facts, isMoney = false }: FactsProps) {
  const all = Array.isArray(facts) ? (facts as readonly Fact[]) : Object.entries(facts);
  return (
    <dl class={isMoney ? "facts money-list" : "facts"}>
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
  /** What moved since a time that the note names: `12%`. `isGood` gives the colour, as fewer failures are good. */
  readonly trend?: { readonly direction: "up" | "down"; readonly isGood?: boolean; readonly text: string };
  /** What the figure counts. */
  readonly href?: string;
  /** How it went, for the eye alone; `before` is what it is compared with, over the same time. */
  readonly spark?: { readonly values: readonly number[]; readonly before?: readonly number[] };
  /** Something has to be done about it. */
  readonly isAlarm?: boolean;
}

/** A row of figures that answer the page's question at one glance: two to five of them. */
export function Figures({ figures }: { readonly figures: readonly Figure[] }) {
  return (
    <dl class="stats">
      {figures.map(({ label, value, note, trend, href, spark, isAlarm }) => (
        <div key={label} class={isAlarm ? "stat alarm" : "stat"}>
          <dt>{label}</dt>
          <dd class="figure">{href === undefined ? value : <a href={href}>{value}</a>}</dd>
          {note === undefined && trend === undefined ? null : (
            <dd class="note">
              {trend === undefined ? null : <Delta {...trend} />}
              {note}
            </dd>
          )}
          {spark === undefined ? null : <Spark {...spark} />}
        </div>
      ))}
    </dl>
  );
}

function Delta({ direction, isGood, text }: NonNullable<Figure["trend"]>) {
  const meaning = isGood === undefined ? "" : isGood ? "good" : "bad";
  return (
    <>
      <span class={["delta", direction === "down" ? "down" : "", meaning].filter(Boolean).join(" ")}>
        <span class="unseen">{direction} </span>
        {text}
      </span>{" "}
    </>
  );
}

const sparkSize = { width: 100, height: 28 };

function Spark({ values, before = [] }: NonNullable<Figure["spark"]>) {
  const places = Math.max(values.length, before.length);
  const most = Math.max(1, ...values, ...before);
  const pathOf = (line: readonly number[]) =>
    line
      .map((value, at) => {
        const x = places < 2 ? 0 : (at * sparkSize.width) / (places - 1);
        const y = sparkSize.height - 1 - (value / most) * (sparkSize.height - 2);
        return `${at === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`;
      })
      .join("");
  return (
    <dd class="spark" aria-hidden="true">
      <svg viewBox={`0 0 ${sparkSize.width} ${sparkSize.height}`} preserveAspectRatio="none" aria-hidden="true">
        {before.length === 0 ? null : <path class="before" d={pathOf(before)} />}
        <path class="line" d={pathOf(values)} />
      </svg>
    </dd>
  );
}

export interface TimelineStep {
  /** `cash` where money moved. */
  readonly state: "done" | "waiting" | "failed" | "noted" | "cash";
  readonly title: ComponentChildren;
  /** When: a `<Moment>`. */
  readonly at?: ComponentChildren;
  /** How long after the first step, `+22 ms`; null for that one, and for what has no time. */
  readonly since?: string | null;
  readonly children?: ComponentChildren;
}

const stepClasses = { done: "ok", waiting: "wait", failed: "fail", noted: undefined, cash: "cash" } as const;
const stepWords = { done: "Done", waiting: "Waiting", failed: "Failed", noted: "", cash: "" } as const;

/** What happened in its order, each step by its time, shape and colour, and by a word for those who see neither. */
export function Timeline({ label, steps }: { readonly label: string; readonly steps: readonly TimelineStep[] }) {
  return (
    <ol class="timeline" aria-label={label}>
      {steps.map(({ state, title, at, since = null, children }, place) => (
        <li key={place} class={stepClasses[state]}>
          {at === undefined ? null : (
            <div class="at">
              {at}
              {since === null ? null : <small>{since}</small>}
            </div>
          )}
          <div class="what">
            {stepWords[state] === "" ? null : <span class="unseen">{stepWords[state]}: </span>}
            <b>{title}</b>
            {children === undefined ? null : <div>{children}</div>}
          </div>
        </li>
      ))}
    </ol>
  );
}

export interface Alert {
  readonly title: string;
  readonly text: ComponentChildren;
  readonly href: string;
  /** A verb and what it acts on: `See deliveries`, `Review key`. */
  readonly action: string;
  readonly kind?: "bad" | "waiting";
}

/** What needs a person, each with the way to do it. A page without any has no such sheet. */
export function Alerts({ alerts }: { readonly alerts: readonly Alert[] }) {
  return (
    <ul class="alerts">
      {alerts.map(({ title, text, href, action, kind = "bad" }) => (
        <li key={`${title} ${href}`}>
          {kind === "bad" ? <Icon name="alert" class="ink-bad" /> : <Icon name="clock" class="ink-wait" />}
          <div>
            <strong>{title}</strong>
            {text}
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
  /** In a line of text, among small buttons, or what the page is for. */
  readonly kind?: keyof typeof copyClasses;
}

/** Copies a text. Unseen without JavaScript, as the text can be selected. */
export function CopyButton({ text, subject, label = "Copy", kind = "inline" }: CopyButtonProps) {
  return (
    <button class={copyClasses[kind]} type="button" data-island="copy" data-text={text} hidden>
      {kind === "inline" ? null : <Icon name="copy" />}
      <span aria-live="polite">{label}</span>
      <span class="unseen"> {subject}</span>
    </button>
  );
}

const copyClasses = { inline: "copy", small: "button small", main: "button main" } as const;

interface CodeBlockProps {
  readonly code: string;
  /** What it is: `The request as curl`. */
  readonly label: string;
}

/** Several lines to be read or copied; wide ones are wrapped. */
export function CodeBlock({ code, label }: CodeBlockProps) {
  return (
    <figure class="code-block">
      <figcaption>
        <span>{label}</span>
        <CopyButton text={code} subject={label} />
      </figcaption>
      <pre>
        <code>{code}</code>
      </pre>
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
export function Secret({ label, value, note = "Copy it now; you won’t see it again." }: SecretProps) {
  return (
    <div class="secret">
      <p class="label">{label}</p>
      <p class="value">
        <code>{value}</code>
        <CopyButton text={value} subject={label} kind="small" />
      </p>
      <p>{note}</p>
    </div>
  );
}
