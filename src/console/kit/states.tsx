import { choiceFilter } from "./list-page.tsx";
import { Status, type StatusKind } from "./parts/text.tsx";

export type States<S extends string> = ReturnType<typeof states<S>>;

/** The states of one kind of thing: of each the word, and how it is meant; and so its look and a list's filter. */
export function states<S extends string>(said: Readonly<Record<S, readonly [word: string, kind: StatusKind]>>) {
  const all = Object.keys(said) as S[];
  const options = all.map((value) => ({ value, label: said[value][0] }));
  return {
    wordOf: (state: S) => said[state][0],
    /** The state by word, shape and colour. */
    status: (state: S) => <Status kind={said[state][1]}>{said[state][0]}</Status>,
    filter: (label: string) => choiceFilter<S>(label, options),
  };
}
