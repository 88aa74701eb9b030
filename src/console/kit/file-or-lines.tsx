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
  /** A file beside pasted lines is refused, and the lines stay; else the file is what counts. */
  readonly keepsLines?: boolean;
}

/** A list that is uploaded or pasted. The browser doesn't send a file again: what can be read of it stands in the box. */
export function FileOrLines(props: FileOrLinesProps) {
  const { typed, name, label, hint, rows, linesLabel = "Or paste its lines", linesHint, keepsLines = false } = props;
  const fromFile = typed.form.raw("file");
  const typedLines = typed.value(name);
  const isFileShown = fromFile !== "" && foreignContent(fromFile) === null && !(keepsLines && typedLines !== "");
  const pasted = isFileShown ? fromFile : typedLines;
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
