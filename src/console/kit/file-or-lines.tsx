import type { ComponentChildren } from "preact";
import { foreignContent } from "../../platform/csv.ts";
import type { Form, Typed } from "./form.ts";
import { TextAreaField, TextField } from "./parts/fields.tsx";

interface FileOrLinesProps {
  readonly typed: Typed;
  /** The field of what is pasted; the file's is `file`. */
  readonly name: string;
  readonly label: string;
  readonly hint: ComponentChildren;
  readonly rows: number;
  readonly linesLabel?: string;
  readonly linesHint?: string;
}

/** A list that is uploaded or pasted. The browser doesn't send a file again: what can be read of it stands in the box. */
export function FileOrLines(props: FileOrLinesProps) {
  const { typed, name, label, hint, rows, linesLabel = "Or paste its lines", linesHint } = props;
  const fromFile = typed.form.raw("file");
  const pasted = fromFile !== "" && foreignContent(fromFile) === null ? fromFile : typed.value(name);
  const isEither = { isRequired: false, isOptional: false };
  return (
    <>
      <TextField name="file" type="file" accept=".csv,.txt,text/csv,text/plain" {...{ label, hint, ...isEither }} />
      <TextAreaField
        {...{ name, rows, value: pasted, error: typed.error(name), ...isEither }}
        label={linesLabel}
        {...(linesHint === undefined ? {} : { hint: linesHint })}
        isCode
      />
    </>
  );
}

/** What was uploaded, else what was pasted under the name. */
export function fileOrLinesIn(form: Pick<Form, "raw">, name: string): string {
  return form.raw("file") || form.raw(name);
}
