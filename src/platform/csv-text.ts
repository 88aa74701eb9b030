import { Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { refuseField } from "../kernel/problems.ts";
import { typedText } from "../kernel/typed-text.ts";
import { csvOptions, foreignContent, saveAsCsv, separatedText } from "./csv.ts";

/** A line of a list, by the names of its columns. */
export interface TextRecord {
  /** As an editor counts them: the heading is line 1. */
  readonly line: number;
  readonly record: Readonly<Record<string, string>>;
}

interface Reading {
  /** The form's field that the text was typed in: what is wrong with it is said there. */
  readonly field: string;
  /** Refuses headings that won't do. */
  readonly checkHeading: (names: readonly string[]) => void;
}

/** Reads CSV that was pasted or uploaded, line by line. @throws Refusal VALIDATION_ERROR at the field of a form */
export async function* readCsvText(given: string, { field, checkHeading }: Reading): AsyncGenerator<TextRecord> {
  const complain = (sentence: string) => refuseField("VALIDATION_ERROR", field, sentence);
  const foreign = foreignContent(given);
  if (foreign !== null) throw complain(`This is ${foreign}, not CSV: ${saveAsCsv}.`);
  const { separator, text } = separatedText(given);
  const parser = Readable.from(piecesOf(text)).pipe(parse({ ...csvOptions, bom: true, delimiter: separator }));
  let heading: readonly string[] | null = null;
  let records = 0;
  try {
    for await (const { record: cells, info } of parser as AsyncIterable<{
      record: string[];
      info: { lines: number };
    }>) {
      if (cells.every((cell) => cell === "")) continue;
      if (heading === null) {
        heading = cells.map(typedText);
        checkHeading(heading);
        continue;
      }
      records += 1;
      yield {
        line: info.lines,
        record: Object.fromEntries(heading.map((name, at) => [name, typedText(cells[at] ?? "")])),
      };
    }
  } catch (error) {
    // The parser's own sentence may quote the line.
    if (error instanceof CsvError) throw complain(`Isn’t CSV after line ${records + 1} (${error.code}).`);
    throw error;
  }
  if (heading === null) throw complain("Is empty. A statement has a line of headings and a line for each sale.");
}

const pieceLength = 65_536;

/** A long text piece by piece, so that a parser never holds up everybody for all of it. */
export function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += pieceLength) yield text.slice(at, at + pieceLength);
}

/** @throws Refusal VALIDATION_ERROR at the field where the column's name is typed, where a list has no such column */
export function checkColumn(names: readonly string[], field: string, column: string): void {
  if (names.includes(column)) return;
  const there = names.join(", ").slice(0, 300);
  throw refuseField("VALIDATION_ERROR", field, `The file has no column “${column}”. It has: ${there}.`);
}
