/** What a supplier is told at its start. */
export interface SupplierSettings {
  readonly name: string;
  readonly seed: number;
  /** The file of its book. */
  readonly book: string;
  /** Where it calls when something has ended there. */
  readonly callbacks: readonly string[];
}

/** What its calls are signed with. */
export const callbackSecret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
