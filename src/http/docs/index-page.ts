import { cards, forDevelopers, forPrograms } from "./cards.ts";
import { escapeHtml } from "./html-text.ts";
import { type KeyNotice, takesKey } from "./key-samples.ts";
import { sitePage } from "./site-page.ts";

/** `/docs`: the way to every part, and the first request to send. */
export function indexPage(apiPath: string, keyNotice: KeyNotice): string {
  const sample = `export DISPENSE_URL=http://127.0.0.1:8080
export DISPENSE_KEY=ds_test_…
curl "$DISPENSE_URL${apiPath}/data/purchase" \\
  -H "Authorization: Bearer $DISPENSE_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"product_id": 1001, "phone": "08031234567", "reference": "first-1"}'`;
  const main = `<h1>Documentation</h1>
<p>Programs buy with one request, and a key that says who buys. With a sandbox key (<code>ds_test_…</code>) everything is
played and nothing costs money:</p>
<pre tabindex="0"><code>${escapeHtml(sample)}
</code></pre>
<p>Send it twice: the second answer is the same purchase, and it is charged once. A number that ends in 0002 fails and is
refunded; numbers that end in 0003 or 0004 are pending for a while.</p>
<h2>For developers</h2>
${cards(forDevelopers)}
<h2>For programs</h2>
${cards(forPrograms)}
`;
  return sitePage({ title: "Documentation", part: null, main, notice: takesKey(main) ? keyNotice("/docs") : "" });
}
