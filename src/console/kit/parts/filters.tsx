import type { ComponentChildren, InputHTMLAttributes } from "preact";
import { useContext } from "preact/hooks";
import { Icon } from "./icon.tsx";
import { SurroundingsContext } from "./surroundings.ts";
import { dayText } from "./text.tsx";

export interface FilterOption<T extends string = string> {
  readonly value: T;
  readonly label: string;
}

export interface Filter {
  /** `find` is the box of the list; `days` the last so many days, beside which `date` fields are a time of one's own. */
  readonly kind: "find" | "choice" | "text" | "date" | "days";
  readonly name: string;
  readonly label: string;
  readonly value: string;
  /** Of a choice or of days: all that can be chosen, without the one that means all. */
  readonly options?: readonly FilterOption[];
  /** Of a text. */
  readonly hint?: string;
  /** Among the others behind one chip, as few need it. */
  readonly isMore?: boolean;
  /** Of days: the list is always about some of them. */
  readonly isAlways?: boolean;
}

interface FiltersProps {
  /** The list's own address; what is chosen becomes its query. */
  readonly action: string;
  /** An empty value filters nothing. */
  readonly filters: readonly Filter[];
  /** What else stands in the address and has to stay there, such as the order. */
  readonly kept?: Readonly<Record<string, string>>;
}

/** The same list with other filters; an empty value takes one away. */
type HrefWith = (changed: Readonly<Record<string, string>>) => string;

/** More options than these are a drop-down list, which goes to one by its first letters. */
const linksMax = 12;

/**
 * Chips over a list: what is not set is a word, what is set is filled, with its value and a cross. A choice is a link, what is
 * typed is sent by one form, and all of it stands in the address, so that a list can be linked and kept.
 */
export function Filters({ action, filters, kept = {} }: FiltersProps) {
  const all = { ...kept, ...Object.fromEntries(filters.map(({ name, value }) => [name, value])) };
  const hrefWith: HrefWith = (changed) => {
    const set = Object.entries({ ...all, ...changed }).filter(([, value]) => value !== "");
    return set.length === 0 ? action : `${action}?${new URLSearchParams(Object.fromEntries(set))}`;
  };
  const chips = filters.filter(({ kind, isMore }) => kind === "choice" && !isMore);
  const more = filters.filter(({ kind, isMore }) => isMore || kind === "text");
  const unsent = filters.filter((filter) => filter.kind === "days" || (chips.includes(filter) && isLinked(filter)));
  return (
    <form class="filters" method="get" action={action} aria-label="Filters">
      {[...Object.entries(kept), ...unsent.map(({ name, value }) => [name, value] as const)]
        .filter(([, value]) => value !== "")
        .map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
      {filters
        .filter(({ kind }) => kind === "find")
        .map((filter) => (
          <FindBox key={filter.name} {...filter} />
        ))}
      <Period filters={filters} hrefWith={hrefWith} />
      {chips.map((filter) => (
        <Chip key={filter.name} {...{ filter, hrefWith }}>
          <Control {...{ filter, hrefWith }} />
        </Chip>
      ))}
      {more
        .filter(({ value }) => value !== "")
        .map((filter) => (
          <span key={filter.name} class="chip on">
            <span class="value">
              {filter.label}: <b>{textOf(filter)}</b>
            </span>
            <Cross {...{ filter, hrefWith }} />
          </span>
        ))}
      <More filters={more} />
    </form>
  );
}

function isLinked({ options = [] }: Filter): boolean {
  return options.length <= linksMax;
}

function FindBox({ name, label, value, hint = label }: Filter) {
  return (
    <search class="find">
      <Icon name="search" />
      <input
        type="search"
        {...{ id: idOf(name), name, value }}
        aria-label={`${label}: ${hint}`}
        placeholder={label}
        autoComplete="off"
      />
    </search>
  );
}

/** The last so many days by one click, or from one day to another. */
function Period({ filters, hrefWith }: { readonly filters: readonly Filter[]; readonly hrefWith: HrefWith }) {
  const format = useContext(SurroundingsContext)?.format;
  const dayOf = (date: string) => (format && /^\d{4}-\d\d-\d\d$/.test(date) ? dayText(format, date) : date);
  const days = filters.find(({ kind }) => kind === "days");
  const dates = filters.filter(({ kind }) => kind === "date");
  if (days === undefined) return null;
  const noDates = Object.fromEntries(dates.map(({ name }) => [name, ""]));
  const typed = dates.filter(({ value }) => value !== "");
  const isAll = typed.length === 0 && days.value === "";
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset of links has no fields
    <div class="presets" role="group" aria-label={days.label}>
      {[...(days.isAlways ? [] : [{ value: "", label: "All" }]), ...(days.options ?? [])].map(({ value, label }) => (
        <a
          key={value}
          href={hrefWith({ ...noDates, [days.name]: value })}
          aria-current={(value === "" ? isAll : value === days.value) ? "true" : undefined}
        >
          {label}
        </a>
      ))}
      {dates.length === 0 ? null : (
        <details class="drop" name="filter">
          <summary aria-current={typed.length > 0 ? "true" : undefined}>
            {typed.length === 0 ? "Custom" : typed.map(({ label, value }) => `${label} ${dayOf(value)}`).join(" ")}
          </summary>
          <div class="pop">
            <div class="fields">
              {dates.map((filter) => (
                <Field key={filter.name} filter={filter} />
              ))}
            </div>
            <button class="button main" type="submit">
              Show these days
            </button>
          </div>
        </details>
      )}
    </div>
  );
}

interface ChipProps {
  readonly filter: Filter;
  readonly hrefWith: HrefWith;
  readonly children?: ComponentChildren;
}

function Chip({ filter, hrefWith, children }: ChipProps) {
  const { label, value } = filter;
  if (value === "") {
    return (
      <details class="chip drop" name="filter">
        <summary>{label}</summary>
        <div class="pop">{children}</div>
      </details>
    );
  }
  return (
    <span class="chip on">
      <details class="drop" name="filter">
        <summary>
          {label}: <b>{textOf(filter)}</b>
        </summary>
        <div class="pop">{children}</div>
      </details>
      <Cross {...{ filter, hrefWith }} />
    </span>
  );
}

function Cross({ filter, hrefWith }: ChipProps) {
  return (
    <a
      class="remove"
      href={hrefWith({ [filter.name]: "" })}
      aria-label={`Remove filter: ${filter.label} ${textOf(filter)}`}
    >
      <Icon name="cross" />
    </a>
  );
}

/** A few choices are links; of many one is picked and applied. */
function Control({ filter, hrefWith }: ChipProps) {
  const { name, label, value, options = [] } = filter;
  if (!isLinked(filter)) {
    return (
      <>
        <Field filter={filter} />
        <button class="button main" type="submit">
          Apply
        </button>
      </>
    );
  }
  return (
    <ul class="options" aria-label={label}>
      {options.map((option) => (
        <li key={option.value}>
          <a href={hrefWith({ [name]: option.value })} aria-current={option.value === value ? "true" : undefined}>
            {option.label}
          </a>
        </li>
      ))}
    </ul>
  );
}

function More({ filters }: { readonly filters: readonly Filter[] }) {
  if (filters.length === 0) return null;
  return (
    <details class="chip drop" name="filter">
      <summary>More filters</summary>
      <div class="pop">
        {filters.map((filter) => (
          <Field key={filter.name} filter={filter} />
        ))}
        <button class="button main" type="submit">
          Apply
        </button>
      </div>
    </details>
  );
}

function Field({ filter }: { readonly filter: Filter }) {
  const { kind, label, value, hint, options = [] } = filter;
  const [id, name] = [idOf(filter.name), filter.name];
  const type = kind === "date" ? "date" : "text";
  // Preact has a type for each kind of input; this one is either.
  const attributes = {
    id,
    name,
    type,
    value,
    placeholder: hint,
    autoComplete: "off",
  } as InputHTMLAttributes<HTMLInputElement>;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {kind === "choice" ? (
        <select {...{ id, name }}>
          <option value="">Any</option>
          {options.map((option) => (
            <option key={option.value} value={option.value} selected={option.value === value}>
              {option.label}
            </option>
          ))}
        </select>
      ) : (
        <input {...attributes} />
      )}
    </div>
  );
}

/** What is chosen, as its option is called. */
function textOf({ value, options = [] }: Filter): string {
  return options.find((option) => option.value === value)?.label ?? value;
}

/** A form of the same page may have a field of that name. */
function idOf(name: string): string {
  return `filter-${name}`;
}
