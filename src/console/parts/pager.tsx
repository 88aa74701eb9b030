interface PagerProps {
  /** Null at the first page. */
  readonly previousHref: string | null;
  /** Null at the last page. */
  readonly nextHref: string | null;
  /** Places of the first and last row shown, counted from 1; null where a list doesn't know its places. */
  readonly from?: number | null;
  readonly to?: number | null;
  /** Null where it isn't counted. */
  readonly total?: number | null;
  /** The list counts no further: `10,000+`. */
  readonly isTotalLeast?: boolean;
}

/**
 * The position, and previous and next by link; one page has neither of the two. Nothing where
 * nothing is counted, or there is none: the list says so itself.
 */
export function Pager({ previousHref, nextHref, ...place }: PagerProps) {
  const position = positionText(place);
  const isOnlyPage = previousHref === null && nextHref === null;
  if (isOnlyPage && (position === "" || place.total === 0)) return null;
  return (
    <nav class="pager" aria-label="Pages">
      <span>{position}</span>
      {isOnlyPage ? null : (
        <>
          <PageLink href={previousHref} relation="prev" text="Previous" />
          <PageLink href={nextHref} relation="next" text="Next" />
        </>
      )}
    </nav>
  );
}

function PageLink({ href, relation, text }: { href: string | null; relation: "prev" | "next"; text: string }) {
  if (href === null) return <span class="button off">{text}</span>;
  return (
    <a class="button" href={href} rel={relation}>
      {text}
    </a>
  );
}

/** `51–100 of 1,934`; `51–100` without a total; empty where there is nothing to tell. */
export function positionText({
  from = null,
  to = null,
  total = null,
  isTotalLeast = false,
}: Partial<PagerProps>): string {
  const all = total === null ? "" : `${grouped(total)}${isTotalLeast ? "+" : ""}`;
  if (from === null || to === null || to < from) return total === null ? "" : `${all} in all`;
  const shown = from === to ? grouped(from) : `${grouped(from)}–${grouped(to)}`;
  return all === "" ? shown : `${shown} of ${all}`;
}

/** `1,934`: thousands told apart, without a formatter. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}
