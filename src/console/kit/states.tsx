import type { VNode } from "preact";
import { choiceFilter, type ListFilter } from "./list-page.tsx";
import { Status, type StatusKind } from "./parts/text.tsx";

/** How a state is said: its word, and how it is meant. */
type Said = readonly [word: string, kind: StatusKind];

/** The states of one kind of thing: each one's word, look and filter. */
export interface States<S extends string> {
  readonly said: Readonly<Record<S, Said>>;
  /** The state by word, shape and colour. */
  status(state: S): VNode;
  /** A list's filter, with every state. */
  filter(label: string): ListFilter<S>;
}

export function states<S extends string>(said: Readonly<Record<S, Said>>): States<S> {
  const all = Object.keys(said) as S[];
  return {
    said,
    status: (state) => <Status kind={said[state][1]}>{said[state][0]}</Status>,
    filter: (label) =>
      choiceFilter(
        label,
        all.map((value) => ({ value, label: said[value][0] })),
      ),
  };
}
