/** Products of our own stock of which nothing is left, as far as this process knows: nobody is charged for those. */
export interface EmptyShelves {
  has(productId: number): boolean;
  /** Changes when the answers may have. */
  readonly version: number;
  /** A purchase found nothing left. */
  add(productId: number): void;
  /** A look at the whole stock found these empty, and no others. */
  replace(productIds: readonly number[]): void;
}

/** Holds what it is told: by each look of `watch-stock`, and in between by the purchases of this process. */
export function openEmptyShelves(): EmptyShelves {
  let empty: ReadonlySet<number> = new Set();
  let version = 0;

  function become(next: ReadonlySet<number>): void {
    const isSame = next.size === empty.size && [...next].every((productId) => empty.has(productId));
    if (!isSame) version += 1;
    empty = next;
  }

  return {
    has: (productId) => empty.has(productId),
    get version() {
      return version;
    },
    add: (productId) => become(new Set(empty).add(productId)),
    replace: (productIds) => become(new Set(productIds)),
  };
}
