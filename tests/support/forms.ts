import type { ConsoleAnswer, ConsoleClient } from "./console.ts";

/** A form as a page shows it. */
export interface ShownForm {
  readonly action: string;
  /** Where its buttons send it that have an address of their own. */
  readonly otherActions: readonly string[];
  /** What would be sent untouched. */
  readonly fields: Record<string, string>;
  readonly required: readonly string[];
  /** The values of each select. */
  readonly choices: Readonly<Record<string, readonly string[]>>;
}

/** The page's forms that post, in their order. */
export function formsOf({ text }: ConsoleAnswer): readonly ShownForm[] {
  return [...text.matchAll(/<form ((?:[^>"]|"[^"]*")*)>(.*?)<\/form>/gs)]
    .filter(([, attributes = ""]) => /method="post"/.test(attributes))
    .map(([, attributes = "", content = ""]) => formIn(attribute(attributes, "action") ?? "", content));
}

/** The page's one form whose action, or whose button's own, ends so. */
export function formOf(answer: ConsoleAnswer, ending: string | RegExp): ShownForm {
  const fits = (action: string) => (typeof ending === "string" ? action.endsWith(ending) : ending.test(action));
  const found = formsOf(answer)
    .flatMap((form) => [form.action, ...form.otherActions].map((action) => ({ ...form, action })))
    .find(({ action }) => fits(action));
  if (found === undefined) throw new Error(`no form to ${ending} in ${answer.status}: ${answer.text.slice(0, 3_000)}`);
  return found;
}

/** Sends a form as it was shown, with these fields changed, as a browser would. */
export function submit(
  client: ConsoleClient,
  { action, fields, required }: ShownForm,
  changed: Readonly<Record<string, string>> = {},
): Promise<ConsoleAnswer> {
  const sent = { ...fields, ...changed };
  const empty = required.filter((name) => (sent[name] ?? "") === "");
  if (empty.length > 0) throw new Error(`a browser asks for ${empty.join(", ")} first`);
  return client.send(action, sent);
}

function formIn(action: string, content: string): ShownForm {
  const fields: Record<string, string> = {};
  const choices: Record<string, string[]> = {};
  const required: string[] = [];
  const note = (attributes: string, value: string) => {
    const name = attribute(attributes, "name");
    if (name === null) return;
    fields[name] = value;
    if (/\srequired(\s|$|=)/.test(` ${attributes}`)) required.push(name);
  };
  for (const [, attributes = ""] of content.matchAll(/<input ((?:[^>"]|"[^"]*")*?)\/?>/g)) {
    const isChoice = /type="(radio|checkbox)"/.test(attributes);
    if (!isChoice || /\schecked/.test(attributes)) note(attributes, attribute(attributes, "value") ?? "");
  }
  for (const [, attributes = "", text = ""] of content.matchAll(/<textarea ([^>]*)>(.*?)<\/textarea>/gs)) {
    note(attributes, unescaped(text));
  }
  for (const [, attributes = "", options = ""] of content.matchAll(/<select ([^>]*)>(.*?)<\/select>/gs)) {
    const each = [...options.matchAll(/<option ([^>]*)>/g)].map(([, own = ""]) => own);
    const chosen = each.find((own) => /\sselected/.test(` ${own}`)) ?? each[0] ?? "";
    note(attributes, attribute(chosen, "value") ?? "");
    choices[attribute(attributes, "name") ?? ""] = each.map((own) => attribute(own, "value") ?? "");
  }
  const otherActions = [...content.matchAll(/<button [^>]*formaction="([^"]*)"/gi)].map(([, own = ""]) =>
    unescaped(own),
  );
  return { action, otherActions, fields, required, choices };
}

function attribute(attributes: string, name: string): string | null {
  const found = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1];
  return found === undefined ? null : unescaped(found);
}

function unescaped(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}
