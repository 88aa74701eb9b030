import { listLinesMax } from "../../../domain/suppliers/route-lists/read-list.ts";
import { FileOrLines } from "../../kit/file-or-lines.tsx";
import type { Typed } from "../../kit/form.ts";
import { CheckField } from "../../kit/parts/fields.tsx";
import { grouped } from "../../kit/parts/text.tsx";

/** Where a list is chosen, pasted or mended. */
export function ListFields({ typed }: { readonly typed: Typed }) {
  return (
    <>
      <FileOrLines
        {...{ typed, name: "list", rows: 10 }}
        label="Upload the list"
        hint={`CSV: a line of headings with product, code, cost and, if you like, priority; then a line for each route, up to ${grouped(listLinesMax)}.`}
      />
      <CheckField
        name="whole"
        label="Remove this supplier’s routes that the list doesn’t have"
        isChecked={typed.form.has("whole")}
      />
    </>
  );
}
