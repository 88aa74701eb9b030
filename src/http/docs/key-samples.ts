/** What stands in samples where a reader's own key goes. */
const keyPlaceholder = "ds_test_…";

/** What a page whose samples take a key says of it above its text, as HTML. `path` is the page's: `/docs/examples`. */
export type KeyNotice = (path: string) => string;

export const noNotice: KeyNotice = () => "";

/** Leads to the console, which makes a key and shows the page with it. */
export const leadToKey: KeyNotice = (path) =>
  `<aside class="notice" aria-label="The samples' key">The samples have a placeholder where your key goes.
<a href="${keyFormAt(path)}">Show them with a sandbox key of yours</a></aside>
`;

/** Where the console asks whether a key is to be made for a page. */
function keyFormAt(path: string): string {
  return `/test/try/documents?${new URLSearchParams({ page: path })}`;
}

const samples = /<pre[^>]*>[\s\S]*?<\/pre>/g;

/** Whether a page has a sample with the placeholder. */
export function takesKey(html: string): boolean {
  return html.match(samples)?.some((sample) => sample.includes(keyPlaceholder)) ?? false;
}

/** The page with the key in its samples. A key has letters, digits and underscores alone. */
export function withKey(html: string, key: string): string {
  return html.replace(samples, (sample) => sample.replaceAll(keyPlaceholder, () => key));
}
