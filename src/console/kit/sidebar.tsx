import type { ComponentChildren } from "preact";
import type { Company, NavigationGroup, NavigationLink, Shell } from "./shell.ts";

const modes = [
  ["live", "Live"],
  ["test", "Test"],
] as const;

const colourNames = { system: "System", light: "Light", dark: "Dark" } as const;

/**
 * Brand, mode and navigation. On a narrow screen the navigation is a popover behind a button, which the browser opens and
 * closes without JavaScript; on a wide one the style shows the same element in its place.
 */
export function Sidebar({ shell }: { readonly shell: Shell }) {
  return (
    <div class="side">
      <header>
        <Brand company={shell.company} name={shell.merchantName} />
        <ModeSwitch {...shell} />
        <button class="button menu-button" type="button" popovertarget="menu" aria-label="Menu">
          <span aria-hidden="true">☰</span>
        </button>
      </header>
      <div class="menu" id="menu" popover="auto">
        <nav aria-label="Main">{shell.navigation.map(group)}</nav>
        <Memberships {...shell} />
        <Who {...shell} />
      </div>
    </div>
  );
}

/** Search and the page's first actions. */
export function TopBar({ shell, actions }: { readonly shell: Shell; readonly actions?: ComponentChildren }) {
  const { searchHref, searchHint = "Reference, phone, any id" } = shell;
  if (searchHref === null && actions === undefined) return null;
  return (
    <section class="bar" aria-label="Search and actions">
      {searchHref === null ? null : (
        <search class="find">
          <form method="get" action={searchHref}>
            <input
              type="search"
              name="q"
              placeholder={searchHint}
              aria-label={`Search: ${searchHint}`}
              autoComplete="off"
            />
            <span class="kbd" aria-hidden="true">
              /
            </span>
          </form>
        </search>
      )}
      {actions === undefined ? null : <div class="buttons">{actions}</div>}
    </section>
  );
}

/** A page of the account is of neither mode and leads to both. */
function ModeSwitch({ mode, liveHref, testHref }: Shell) {
  if (liveHref === null || testHref === null) return null;
  const hrefs = { live: liveHref, test: testHref };
  return (
    <nav class="switch" aria-label="Mode">
      {modes.map(([each, name]) =>
        each === mode ? (
          <span key={each} aria-current="true">
            {name}
          </span>
        ) : (
          <a key={each} href={hrefs[each]}>
            {name}
          </a>
        ),
      )}
    </nav>
  );
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

function Link({ href, label, isCurrent, badge, keys }: NavigationLink) {
  return (
    <a href={href} aria-current={isCurrent ? "page" : undefined} data-keys={keys}>
      {label}
      {badge === null || badge === 0 ? null : (
        <b>
          {badge}
          <span class="unseen"> waiting</span>
        </b>
      )}
    </a>
  );
}

function Memberships({ memberships = [] }: Shell) {
  if (memberships.length < 2) return null;
  return (
    <details class="memberships">
      <summary>Other businesses</summary>
      <ul>
        {memberships
          .filter(({ isCurrent }) => !isCurrent)
          .map(({ id, name }) => (
            <li key={id}>
              <form method="post" action="/account/choose">
                <button class="button small" type="submit" name="merchant" value={id}>
                  {name}
                </button>
              </form>
            </li>
          ))}
      </ul>
    </details>
  );
}

function Who({ person, theme, logOutHref = "/log-out" }: Shell) {
  if (person === null) return null;
  return (
    <section class="who" aria-label="You">
      <strong>{person.name}</strong>
      <span>{person.role}</span>
      <span>{person.email}</span>
      <div class="buttons">
        <form method="post" action={logOutHref}>
          <button class="button small" type="submit">
            Log out
          </button>
        </form>
        <select class="small" aria-label="Colours" data-island="theme" hidden>
          {(["system", "light", "dark"] as const).map((each) => (
            <option key={each} value={each} selected={each === (theme ?? "system")}>
              {colourNames[each]}
            </option>
          ))}
        </select>
      </div>
    </section>
  );
}

/** The company's logo, or its first letter in a square, with a name beside it. */
export function Brand({ company, name }: { readonly company: Company; readonly name: string }) {
  return (
    <span class="brand">
      {company.logoUrl === null ? (
        <span class="mark" aria-hidden="true">
          {[...company.name][0]?.toUpperCase() ?? ""}
        </span>
      ) : (
        <img class="mark" src={company.logoUrl} alt={company.name} width="22" height="22" />
      )}
      <span class="name">{name}</span>
    </span>
  );
}
