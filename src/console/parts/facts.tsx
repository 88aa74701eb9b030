import type { ComponentChildren } from "preact";

export interface Fact {
  readonly name: string;
  readonly value: ComponentChildren;
}

/** What is known of a thing, name by name. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
