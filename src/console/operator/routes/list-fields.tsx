import { listLinesMax } from "../../../domain/suppliers/route-lists/read-list.ts";
import { foreignContent } from "../../../platform/csv.ts";
import type { Typed } from "../../kit/form.ts";
import { CheckField, TextAreaField, TextField } from "../../kit/parts/fields.tsx";
import { grouped } from "../../kit/parts/text.tsx";

/** Where a list is chosen, pasted or mended. */
export function ListFields({ typed }: { readonly typed: Typed }) {
  // The browser doesn't send a file again: what can be read of it stands in the box.
  const fromFile = typed.form.raw("file");
  const pasted = fromFile !== "" && foreignContent(fromFile) === null ? fromFile : typed.value("list");
  return (
    <>
      <TextField
        name="file"
        type="file"
        label="Upload the list"
        accept=".csv,.txt,text/csv,text/plain"
        hint={`CSV: a line of headings with product, code, cost and, if you like, priority; then a line for each route, up to ${grouped(listLinesMax)}.`}
        isRequired={false}
        isOptional={false}
      />
      <TextAreaField
        name="list"
        value={pasted}
        error={typed.error("list")}
        label="Or paste its lines"
        rows={10}
        isRequired={false}
        isOptional={false}
        isCode
      />
      <CheckField
        name="whole"
        label="Remove this supplier’s routes that the list doesn’t have"
        isChecked={typed.form.has("whole")}
      />
    </>
  );
}
