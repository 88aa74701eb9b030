import type { ComponentChildren } from "preact";
import { Icon } from "./parts/icon.tsx";
import { Switch } from "./parts/layout.tsx";
import { useSurroundings } from "./parts/surroundings.ts";
import type { Company, NavigationGroup, NavigationLink, Shell } from "./shell.ts";

const colourNames = { system: "Same as device", light: "Light", dark: "Dark" } as const;

/**
 * Brand, mode and navigation. On a narrow screen the navigation is a popover behind a button, which the browser opens and
 * closes without JavaScript; on a wider one the style shows the same element in its place, as icons where that is little.
 */
export function Sidebar({ shell }: { readonly shell: Shell }) {
  return (
    <div class="side">
      <header>
        <Brand company={shell.company} name={shell.merchantName} href={shell.homeHref} />
        <ModeSwitch {...shell} />
        <button class="button square menu-button" type="button" popovertarget="menu" aria-label="Menu">
          <Icon name="menu" />
        </button>
      </header>
      <div class="menu" id="menu" popover="auto">
        <nav aria-label="Main">{shell.navigation.map(group)}</nav>
        <Who {...shell} />
      </div>
    </div>
  );
}

/** Search and the page's first actions. */
export function TopBar({ shell, actions }: { readonly shell: Shell; readonly actions?: ComponentChildren }) {
  const { searchHref, searchHint = "Reference, phone, any ID" } = shell;
  const { assetUrl } = useSurroundings();
  if (searchHref === null && actions === undefined) return null;
  return (
    <section class="bar" aria-label="Search and actions">
      {searchHref === null ? null : (
        <search class="find" data-island="find" data-script={assetUrl("find.js")}>
          <Icon name="search" />
          <form method="get" action={searchHref}>
            <input
              type="search"
              name="q"
              placeholder={searchHint}
              aria-label={`Search: ${searchHint}`}
              autoComplete="off"
            />
          </form>
          <kbd>/</kbd>
        </search>
      )}
      {actions === undefined ? null : <div class="buttons">{actions}</div>}
    </section>
  );
}

/** A page of the account is of neither mode and leads to both. */
function ModeSwitch({ mode, liveHref, testHref }: Shell) {
  if (liveHref === null || testHref === null) return null;
  const pages = [["live", "Live", liveHref] as const, ["test", "Test", testHref] as const];
  const options = pages.map(([each, name, href]) => ({ name, href, isCurrent: each === mode }));
  return <Switch label="Mode" options={options} />;
}

function group({ title, links }: NavigationGroup) {
  return (
    <div key={title ?? ""}>
      {title === null ? null : <h2>{title}</h2>}
      <ul>
        {links.map((link) => (
          <li key={link.href}>
            <Link {...link} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Link({ href, label, icon, isCurrent, badge, keys }: NavigationLink) {
  return (
    <a href={href} aria-current={isCurrent ? "page" : undefined} data-keys={keys}>
      <Icon name={icon} />
      <span class="label">{label}</span>
      {badge === null || badge === 0 ? null : (
        <b>
          {badge}
          <span class="unseen"> waiting</span>
        </b>
      )}
    </a>
  );
}

/** The person who is logged in, and behind it what is theirs: other businesses, colours, the way out. */
function Who({ person, theme, memberships = [], logOutHref = "/log-out" }: Shell) {
  if (person === null) return null;
  return (
    <section class="who" aria-label="You">
      <details class="drop">
        <summary>
          <span class="mark face" aria-hidden="true">
            {initialsOf(person.name)}
          </span>
          <span>
            <strong>{person.name}</strong>
            {person.role.charAt(0).toUpperCase() + person.role.slice(1)}
          </span>
        </summary>
        <div class="pop">
          <p class="quiet">{person.email}</p>
          <OtherBusinesses memberships={memberships} />
          <label data-island="theme" hidden>
            Colours
            <select>
              {(["system", "light", "dark"] as const).map((each) => (
                <option key={each} value={each} selected={each === (theme ?? "system")}>
                  {colourNames[each]}
                </option>
              ))}
            </select>
          </label>
          <form method="post" action={logOutHref}>
            <button class="button wide" type="submit">
              Log out
            </button>
          </form>
        </div>
      </details>
    </section>
  );
}

function OtherBusinesses({ memberships }: { readonly memberships: NonNullable<Shell["memberships"]> }) {
  const others = memberships.filter(({ isCurrent }) => !isCurrent);
  if (others.length === 0) return null;
  return (
    <form class="stack" method="post" action="/account/choose">
      <p class="quiet">Other businesses</p>
      {others.map(({ id, name }) => (
        <button key={id} class="button wide" type="submit" name="merchant" value={id}>
          {name}
        </button>
      ))}
    </form>
  );
}

/** `AB` of Amina Bello. */
function initialsOf(name: string): string {
  const [first = "", ...more] = name.split(/\s+/).filter(Boolean);
  return [first, more.at(-1) ?? ""].map((word) => [...word][0]?.toUpperCase() ?? "").join("");
}

interface BrandProps {
  readonly company: Company;
  readonly name: string;
  /** Where it leads; nowhere on pages for those who are not in yet. */
  readonly href?: string;
}

/** The company's logo, or its first letter in a square, with a name beside it. */
export function Brand({ company, name, href }: BrandProps) {
  const inside = (
    <>
      {company.logoUrl === null ? (
        <span class="mark" aria-hidden="true">
          {[...company.name][0]?.toUpperCase() ?? ""}
        </span>
      ) : (
        <img class="mark" src={company.logoUrl} alt="" width="24" height="24" />
      )}
      <span class="name">{name}</span>
    </>
  );
  if (href === undefined) return <span class="brand">{inside}</span>;
  return (
    <a class="brand" href={href}>
      {inside}
    </a>
  );
}
