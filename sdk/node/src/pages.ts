/** The first page of a list when it is awaited, every item of every page when it is walked with `for await`. */
export class Pages<Page, Item> implements PromiseLike<Page>, AsyncIterable<Item> {
  readonly #read: (next: object) => Promise<Page>;
  readonly #next: (page: Page) => { readonly items: readonly Item[]; readonly next: object | null };

  constructor(
    read: (next: object) => Promise<Page>,
    next: (page: Page) => { readonly items: readonly Item[]; readonly next: object | null },
  ) {
    this.#read = read;
    this.#next = next;
  }

  // biome-ignore lint/suspicious/noThenProperty: awaited, it is its first page
  then<Done = Page, Failed = never>(
    done?: ((page: Page) => Done | PromiseLike<Done>) | null,
    failed?: ((error: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Done | Failed> {
    return this.#read({}).then(done, failed);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, void> {
    for (let more: object | null = {}; more !== null; ) {
      const { items, next }: { readonly items: readonly Item[]; readonly next: object | null } = this.#next(
        await this.#read(more),
      );
      yield* items;
      more = next;
    }
  }
}

interface Numbered {
  readonly meta: { readonly current_page: number; readonly last_page: number };
}

/** The pages of a list that is numbered. */
export function numbered<Page extends Numbered, Item>(
  read: (next: object) => Promise<Page>,
  itemsOf: (page: Page) => readonly Item[],
): Pages<Page, Item> {
  return new Pages(read, (page) => {
    const { current_page: current, last_page: last } = page.meta;
    return { items: itemsOf(page), next: current < last ? { page: current + 1 } : null };
  });
}

/** The pages of a list that goes on after its last item. */
export function after<Page extends { readonly has_more: boolean }, Item extends { readonly id: string }>(
  read: (next: object) => Promise<Page>,
  itemsOf: (page: Page) => readonly Item[],
): Pages<Page, Item> {
  return new Pages(read, (page) => {
    const items = itemsOf(page);
    const last = items.at(-1);
    return { items, next: page.has_more && last !== undefined ? { after: last.id } : null };
  });
}
