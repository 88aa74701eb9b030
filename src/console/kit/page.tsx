import type { ComponentChildren, VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import type { Refusal } from "../../kernel/problems.ts";
import { ErrorSummary } from "./parts/form.tsx";
import { type Fault, type Surroundings, SurroundingsContext, useSurroundings } from "./parts/surroundings.ts";
import type { Company, Shell, Theme } from "./shell.ts";
import { Brand, Sidebar, TopBar } from "./sidebar.tsx";
import { ViewingBar } from "./viewing.tsx";

interface Page {
  /** Of the page alone: the company's or merchant's name follows in the browser's title. */
  readonly title: string;
  readonly shell: Shell;
  /** What stands in `main`, beginning with a `<PageHead>`. */
  readonly body: ComponentChildren;
  /** Buttons beside the search form. */
  readonly actions?: ComponentChildren;
  /** What has just happened: a `<Flash>`. */
  readonly flash?: ComponentChildren;
  readonly refusal?: Refusal | undefined;
  readonly surroundings: Surroundings;
}

/** A whole page of a console as HTML. Every text is escaped; nothing in it is inline script or style. */
export function renderPage({ title, shell, body, actions, flash, refusal, surroundings }: Page): string {
  const { company, merchantName, mode, theme } = shell;
  const main = renderMain(surroundings, [flash, body], refusal);
  const modeName = mode === null ? "" : ` · ${modeNames[mode]}`;
  return document(
    surroundings,
    <html
      lang="en"
      {...{
        "data-console": shell.console ?? "merchant",
        "data-theme": theme ?? undefined,
        "data-mode": mode ?? undefined,
        "data-business": shell.businessId,
        "data-viewing": shell.viewing === undefined ? undefined : "",
      }}
    >
      <Head title={`${main.titlePrefix}${title} · ${merchantName}${modeName}`} company={company} />
      <body>
        <SkipLink />
        {shell.viewing === undefined ? null : <ViewingBar {...shell.viewing} />}
        <div class="shell">
          <Sidebar shell={shell} />
          <div class="page">
            <TopBar shell={shell} actions={actions} />
            <Main {...main} />
          </div>
        </div>
      </body>
    </html>,
  );
}

export const modeNames = { live: "Live", test: "Test" } as const;
export const otherModeNames = { live: "Test", test: "Live" } as const;

interface EntrancePage {
  readonly title: string;
  readonly console?: "merchant" | "operator";
  readonly company: Company;
  readonly theme: Theme;
  /** One sheet: a form, mostly. */
  readonly body: ComponentChildren;
  readonly flash?: ComponentChildren;
  /** Under the sheet: the way to sign up, to log in. */
  readonly footer?: ComponentChildren;
  readonly surroundings: Surroundings;
}

/** A page for those who are not in yet: one sheet under the company's name. */
export function renderEntrancePage(entrance: EntrancePage): string {
  const { title, console = "merchant", company, theme, body, flash, footer, surroundings } = entrance;
  const heading = <h1 tabIndex={-1}>{title}</h1>;
  const main = renderMain(surroundings, [heading, flash, body]);
  return document(
    surroundings,
    <html lang="en" {...{ "data-console": console, "data-theme": theme ?? undefined }}>
      <Head title={`${main.titlePrefix}${title} · ${company.name}`} company={company} />
      <body class="entrance">
        <SkipLink />
        <header>
          <Brand company={company} name={company.name} />
        </header>
        <Main {...main} />
        {footer === undefined ? null : <footer>{footer}</footer>}
      </body>
    </html>,
  );
}

interface RenderedMain {
  readonly html: string;
  /** A page whose form was refused says so where a screen reader begins. */
  readonly titlePrefix: string;
}

/** Renders what stands in `main` first: only then is it known what its forms say is wrong, which stands over all of it. */
function renderMain(surroundings: Surroundings, parts: readonly ComponentChildren[], refusal?: Refusal): RenderedMain {
  const faults: Fault[] = [];
  const content = rendered({ ...surroundings, faults }, parts);
  // What no field says stands over them all: a refused form always says why.
  if (faults.length === 0 && refusal !== undefined) faults.push(...faultsOf(refusal));
  const summary = faults.length === 0 ? "" : rendered(surroundings, <ErrorSummary faults={faults} />);
  return { html: summary + content, titlePrefix: summary === "" ? "" : "Error: " };
}

function faultsOf({ message, detail: { errors = {} } }: Refusal): Fault[] {
  const texts = Object.values(errors).flat();
  return (texts.length === 0 ? [message] : texts).map((text) => ({ text, field: null }));
}

function Main({ html }: RenderedMain) {
  return <main id="main" tabIndex={-1} dangerouslySetInnerHTML={{ __html: html }} />;
}

function document(surroundings: Surroundings, html: VNode): string {
  return `<!doctype html>${rendered(surroundings, html)}`;
}

export function rendered(surroundings: Surroundings, part: ComponentChildren): string {
  return renderToString(<SurroundingsContext.Provider value={surroundings}>{part}</SurroundingsContext.Provider>);
}

function Head({ title, company }: { title: string; company: Company }) {
  const { assetUrl } = useSurroundings();
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="referrer" content="same-origin" />
      <meta name="color-scheme" content="light dark" />
      <title>{title}</title>
      <link rel="icon" href={company.logoUrl ?? assetUrl("icon.svg")} />
      <link rel="stylesheet" href={assetUrl("style.css")} />
      <script type="module" src={assetUrl("console.js")} />
    </head>
  );
}

function SkipLink() {
  return (
    <a class="skip" href="#main">
      Skip to the content
    </a>
  );
}
