/** A page of a list, newest first. `page` counts from 1. */
export interface Page {
  readonly page: number;
  readonly perPage: number;
}

/** How deep a list can be paged: past it, `from` and `to` narrow the list at no cost. */
export const offsetMax = 100_000;

/** No request can name a later page, however short pages are. */
export const pageMax = 1_000_000;

export interface PageMeta {
  readonly current_page: number;
  readonly last_page: number;
  readonly per_page: number;
  readonly total: number;
}

/**
 * Describes a page of a list of `total` rows. `last_page` is the last page that can be asked for: where a list is read
 * only down to a depth, say `offsetMax`, rows below it are counted in `total` alone.
 */
export function pageMeta(page: Page, total: number, depthMax = Number.POSITIVE_INFINITY): PageMeta {
  const filled = Math.max(1, Math.ceil(total / page.perPage));
  const readable = Math.min(pageMax, Math.floor(depthMax / page.perPage) + 1);
  return {
    current_page: page.page,
    last_page: Math.min(filled, readable),
    per_page: page.perPage,
    total,
  };
}
