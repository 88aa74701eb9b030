import type { ComponentChildren } from "preact";

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
