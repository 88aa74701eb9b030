import type { IconName } from "./parts/icon.tsx";

export interface NavigationLink {
  readonly href: string;
  readonly label: string;
  readonly icon: IconName;
  readonly isCurrent: boolean;
  /** How many wait there; null for none. */
  readonly badge: number | null;
  /** Two keys one after the other that lead there: `g t`. */
  readonly keys?: string;
}

export interface NavigationGroup {
  readonly title: string | null;
  readonly links: readonly NavigationLink[];
}

/** A page that a menu may lead to. */
export interface MenuEntry<C> {
  /** The end of its address. */
  readonly page: string;
  readonly label: string;
  readonly icon: IconName;
  readonly capability: C;
  readonly keys?: string;
}

/** Pages below `base` as links, for whoever is at `path`. `badges`: how many wait on a page. */
export function menuLinks(
  entries: readonly MenuEntry<unknown>[],
  base: string,
  path: string,
  badges: Readonly<Record<string, number>> = {},
): NavigationLink[] {
  return entries.map(({ page, label, icon, keys }) => {
    const href = `${base}/${page}`;
    const isCurrent = path === href || path.startsWith(`${href}/`);
    return { href, label, icon, isCurrent, badge: badges[page] ?? null, ...(keys === undefined ? {} : { keys }) };
  });
}

/** What a person chose to see; null follows the system. */
export type Theme = "light" | "dark" | null;

/** The company that runs the service, as each page names it. */
export interface Company {
  readonly name: string;
  readonly logoUrl: string | null;
}

/** Somebody of the company sees the pages of a merchant, and changes nothing. */
export interface Viewing {
  readonly merchantName: string;
  /** Where a form ends the look, and leads back to where it began. */
  readonly endHref: string;
  readonly endsAt: number;
}

/** All that stands around a page: data alone, so that a page can be rendered without a request. */
export interface Shell {
  /** The console that it is of: each has an accent of its own. The merchants' unless another is named. */
  readonly console?: "merchant" | "operator";
  readonly company: Company;
  /** The merchant whose console it is; in the operator's console the name of the service. */
  readonly merchantName: string;
  /** The business that the page is of, where a person may have several: what refreshes itself asks for the same one's. */
  readonly businessId?: string;
  /** Null where there is one world only, as in the operator's console and on pages of the account. */
  readonly mode: "live" | "test" | null;
  /** The same page in each mode; null where there are no modes. */
  readonly liveHref: string | null;
  readonly testHref: string | null;
  readonly navigation: readonly NavigationGroup[];
  /** Where the brand leads. */
  readonly homeHref: string;
  readonly person: { readonly name: string; readonly email: string; readonly role: string } | null;
  readonly theme: Theme;
  /** Where the search form leads: `/live/search`. */
  readonly searchHref: string | null;
  /** What can be searched for; some words for the empty form. */
  readonly searchHint?: string;
  /** Other merchants that the person may enter. */
  readonly memberships?: readonly { readonly id: string; readonly name: string; readonly isCurrent: boolean }[];
  /** `/log-out` unless told. */
  readonly logOutHref?: string;
  readonly viewing?: Viewing;
}
