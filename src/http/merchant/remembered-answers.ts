/** Some 32 MB: how long a list is, is the operator's to say, and merchants with prices of their own have lists of their own. */
const charactersMax = 16_000_000;
/** An answer costs as much memory as so many characters, beside its text. */
const charactersEach = 200;

/** The answer under `key`, as JSON; made when it is not remembered. */
export type RememberedAnswers<Of> = (of: Of, key: string, make: () => unknown) => string;

/**
 * Answers about one state of things, kept as text: rendering a list costs a hundred times what sending it does. Forgets
 * them all when it is asked about another state, and when they are too many.
 */
export function rememberAnswers<Of>(): RememberedAnswers<Of> {
  const rendered = new Map<string, string>();
  let renderedOf: Of | null = null;
  let characters = 0;

  function remember(key: string, text: string): void {
    const taken = key.length + text.length + charactersEach;
    if (taken > charactersMax) return;
    if (characters + taken > charactersMax) forget();
    rendered.set(key, text);
    characters += taken;
  }

  function forget(): void {
    rendered.clear();
    characters = 0;
  }

  return (of, key, make) => {
    if (renderedOf !== of) forget();
    renderedOf = of;
    const known = rendered.get(key);
    if (known !== undefined) return known;
    const text = JSON.stringify(make());
    remember(key, text);
    return text;
  };
}
