import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { assert } from "../../../kernel/assert.ts";

/** An instant's parts in the wall time of one zone, ready to be shown. */
export interface WallMoment {
  readonly weekday: string;
  readonly day: string;
  readonly month: string;
  readonly year: string;
  /** `14:05`. */
  readonly minute: string;
  /** `14:05:12`. */
  readonly second: string;
  /** `102`. */
  readonly millisecond: string;
  /** `WAT`, or `GMT+2` where English has no name for it. */
  readonly zone: string;
}

export type MomentFormat = (at: Date) => WallMoment;

/** What every part of a page may ask for without being handed it. */
export interface Surroundings {
  readonly format: MomentFormat;
  /** When the page is made: what is of today is shown by its time alone. */
  readonly now: number;
  /** The address of a script or style by its name, `live.js`. */
  readonly assetUrl: (name: string) => string;
  /** Sent along by every form of the page, such as the token that carries it out once. */
  readonly formFields: Readonly<Record<string, string>>;
  /** What forms and fields of the page say is wrong, for the summary over it. */
  readonly faults?: Fault[];
}

/** What is wrong with a form, or with one field of it. */
export interface Fault {
  readonly text: string;
  /** Null for the form as a whole. */
  readonly field: { readonly id: string; readonly label: string } | null;
}

export const SurroundingsContext = createContext<Surroundings | null>(null);

export function useSurroundings(): Surroundings {
  const surroundings = useContext(SurroundingsContext);
  assert(surroundings !== null, "whoever renders a page gives its surroundings");
  return surroundings;
}
