/** A page of a list, newest first. `page` counts from 1. */
export interface Page {
  readonly page: number;
  readonly perPage: number;
}

/** How deep a list can be paged: past it, `from` and `to` narrow the list at no cost. */
export const offsetMax = 100_000;

export interface PageMeta {
  readonly current_page: number;
  readonly last_page: number;
  readonly per_page: number;
  readonly total: number;
}

export function pageMeta(page: Page, total: number): PageMeta {
  return {
    current_page: page.page,
    last_page: Math.max(1, Math.ceil(total / page.perPage)),
    per_page: page.perPage,
    total,
  };
}
