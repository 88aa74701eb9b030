export interface FilterOption {
  readonly value: string;
  readonly label: string;
}

export type Filter =
  | {
      readonly kind: "choice";
      readonly name: string;
      readonly label: string;
      readonly value: string;
      /** Without the one that means all: it comes first by itself, as `any`. */
      readonly options: readonly FilterOption[];
    }
  | { readonly kind: "date"; readonly name: string; readonly label: string; readonly value: string }
  | {
      readonly kind: "text";
      readonly name: string;
      readonly label: string;
      readonly value: string;
      readonly hint?: string;
    };

interface FiltersProps {
  /** The list's own address; what is chosen becomes its query. */
  readonly action: string;
  /** An empty value filters nothing. */
  readonly filters: readonly Filter[];
  /** What else stands in the address and has to stay there, such as the order. */
  readonly kept?: Readonly<Record<string, string>>;
  /** Where nothing is filtered; shown while something is. */
  readonly clearHref?: string;
}

/** Chips over a list: one form that sends its choices in the address, so that a filter can be linked and kept. */
export function Filters({ action, filters, kept = {}, clearHref = action }: FiltersProps) {
  return (
    <form class="filters" method="get" action={action} aria-label="Filters">
      {Object.entries(kept).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {filters.map((filter) => (
        <label key={filter.name} for={idOf(filter)} class={filter.value === "" ? "chip" : "chip on"}>
          <span>{filter.label}</span>
          <Control filter={filter} />
        </label>
      ))}
      <button class="button" type="submit">
        Filter
      </button>
      {filters.some(({ value }) => value !== "") ? <a href={clearHref}>Clear</a> : null}
    </form>
  );
}

function Control({ filter }: { filter: Filter }) {
  const { name, value } = filter;
  switch (filter.kind) {
    case "choice":
      return (
        <select id={idOf(filter)} name={name}>
          <option value="">any</option>
          {filter.options.map((option) => (
            <option key={option.value} value={option.value} selected={option.value === value}>
              {option.label}
            </option>
          ))}
        </select>
      );
    case "date":
      return <input type="date" id={idOf(filter)} name={name} value={value} />;
    case "text":
      return (
        <input
          type="text"
          {...{ id: idOf(filter), name, value }}
          placeholder={filter.hint ?? "any"}
          autoComplete="off"
        />
      );
  }
}

/** A form of the same page may have a field of that name. */
function idOf({ name }: Filter): string {
  return `filter-${name}`;
}
