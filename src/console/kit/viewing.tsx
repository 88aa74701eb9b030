import { HiddenFields } from "./parts/form.tsx";
import { useSurroundings } from "./parts/surroundings.ts";
import { Moment } from "./parts/text.tsx";
import type { Viewing } from "./shell.ts";

/** Over every page that somebody of the company sees of a merchant's: whose it is, that nothing can be changed, the way back. */
export function ViewingBar({ merchantName, endHref, endsAt }: Viewing) {
  const { formFields } = useSurroundings();
  return (
    <aside class="viewing" aria-label="Read only">
      <p>
        You see <strong>{merchantName}</strong>, read only until <Moment at={endsAt} style="list" />
      </p>
      <form method="post" action={endHref}>
        <HiddenFields fields={formFields} />
        <button type="submit">Stop viewing</button>
      </form>
    </aside>
  );
}
