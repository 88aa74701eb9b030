import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { inflateSync } from "node:zlib";
import { assert } from "../../kernel/assert.ts";

/** A4, in points. */
export const pdfPage = { width: 595.28, height: 841.89 } as const;

export interface TextPlace {
  /** The left edge of the text's place, from the page's. */
  readonly x: number;
  /** The top edge of the line. */
  readonly y: number;
  readonly width: number;
  /** What does not fit in is drawn smaller, never cut: an amount. Any other text is cut, with three dots for it. */
  readonly isWhole?: boolean;
  readonly size: number;
  readonly align?: "start" | "end";
  readonly isBold?: boolean;
  /** `#rrggbb`; black unless told. */
  readonly ink?: string;
}

/** A document that is written page by page. Whatever a text holds is drawn as it is: nothing in it is a command or a link. */
export interface PdfDocument {
  addPage(): void;
  /** One line. */
  text(text: string, place: TextPlace): void;
  /** The text in lines that fit; the last of so many is cut where more would follow. */
  linesOf(text: string, fit: { readonly width: number; readonly size: number; readonly linesMax: number }): string[];
  box(box: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
    readonly fill: string;
  }): void;
  /** A JPEG, or a PNG without transparency; false where it is something else or damaged. */
  picture(bytes: Buffer, place: { readonly x: number; readonly y: number; readonly fit: [number, number] }): boolean;
  /** What was written since the last take; the present page is not yet in it. */
  take(): Buffer;
  /** The rest. */
  end(): Buffer;
}

interface PdfOptions {
  readonly title: string;
  readonly madeAt: Date;
}

/** The built-in fonts of PDF have neither ₦ nor the dotted letters of Nigerian names. */
const fontFiles = {
  regular: "@fontsource/dejavu-sans/files/dejavu-sans-latin-400-normal.woff",
  bold: "@fontsource/dejavu-sans/files/dejavu-sans-latin-700-normal.woff",
} as const;

/** What draws takes 25 MB of memory and at first a quarter of a second, which most processes never need. */
async function load() {
  const { resolve } = createRequire(import.meta.url);
  const [{ default: Document }, regular, bold] = await Promise.all([
    import("pdfkit"),
    readFile(resolve(fontFiles.regular)).then(unpackWoff),
    readFile(resolve(fontFiles.bold)).then(unpackWoff),
  ]);
  return { Document, regular, bold };
}

let loaded: ReturnType<typeof load> | null = null;

export async function openPdf({ title, madeAt }: PdfOptions): Promise<PdfDocument> {
  // Unpacking the fonts holds everybody up for some milliseconds: once.
  loaded ??= load().catch((error) => {
    loaded = null;
    throw error;
  });
  const { Document, regular, bold } = await loaded;
  const document = new Document({
    ...{ size: [pdfPage.width, pdfPage.height], margin: 0, autoFirstPage: false, lang: "en", displayTitle: true },
    // No built-in font: its measures would be read from a file.
    font: null as unknown as string,
    info: { Title: plain(title), CreationDate: madeAt, ModDate: madeAt },
  });
  document.registerFont("regular", regular).registerFont("bold", bold);

  const widthOf = (text: string) => document.widthOfString(text);
  const choose = (size: number, isBold = false) => document.font(isBold ? "bold" : "regular").fontSize(size);
  const take = () => (document.read() as Buffer | null) ?? Buffer.alloc(0);

  return {
    addPage() {
      document.addPage();
      forgetWords(document.font("regular"));
    },
    text(text, { x, y, width, size, align = "start", isBold = false, isWhole = false, ink = "#000000" }) {
      choose(size, isBold);
      const line = plain(text);
      if (isWhole) choose(size * Math.min(1, width / widthOf(line)), isBold);
      const shown = isWhole ? line : cut(line, width, widthOf);
      const start = align === "start" ? x : x + width - widthOf(shown);
      document.fillColor(ink).text(shown, start, y, { lineBreak: false });
    },
    linesOf(text, { width, size, linesMax }) {
      choose(size);
      return wrap(plain(text), { width, linesMax, widthOf });
    },
    box({ x, y, width, height, fill }) {
      document.rect(x, y, width, height).fill(fill);
    },
    picture(bytes, { x, y, fit }) {
      if (!isDrawable(bytes)) return false;
      try {
        document.image(bytes, x, y, { fit });
        return true;
      } catch {
        return false;
      }
    },
    take,
    end() {
      document.end();
      return take();
    },
  };
}

/** Every word that was drawn is kept with its shape, some kilobytes each: those of one page are enough to be quick. */
function forgetWords(document: object): void {
  const { _font: font } = document as { _font?: { layoutCache?: object } };
  if (font?.layoutCache !== undefined) font.layoutCache = Object.create(null);
}

/**
 * One line, without what can't be seen: breaks, control characters, marks that turn the direction of text. The font says
 * where marks stand over a letter by itself, but not over one that has a mark in it already (Ọ́): that one is taken apart.
 */
function plain(text: string): string {
  const line = text.replace(/[\p{C}\p{Z}]+/gu, " ").trim();
  return line.normalize("NFC").replace(/\p{L}\p{M}+/gu, (letter) => letter.normalize("NFD"));
}

type WidthOf = (text: string) => number;

function cut(text: string, width: number, widthOf: WidthOf): string {
  if (widthOf(text) <= width) return text;
  const letters = Array.from(text);
  // The longest beginning that fits, found by halves.
  let [fits, tooLong] = [0, letters.length];
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (widthOf(`${letters.slice(0, middle).join("")}…`) <= width) fits = middle;
    else tooLong = middle;
  }
  return `${letters.slice(0, fits).join("").trimEnd()}…`;
}

function wrap(
  text: string,
  { width, linesMax, widthOf }: { width: number; linesMax: number; widthOf: WidthOf },
): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    const longer = line === "" ? word : `${line} ${word}`;
    if (lines.length === linesMax || line === "" || widthOf(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.map((line) => cut(line, width, widthOf));
}

/**
 * Pictures that are taken into the document as they are. A PNG with transparency or interlaced is unpacked first, outside
 * this call, and a damaged one would end the process there.
 */
function isDrawable(bytes: Buffer): boolean {
  if (bytes.subarray(0, 3).equals(Buffer.from("ffd8ff", "hex"))) return true;
  const [colours, interlacing] = [bytes[25], bytes[28]];
  const isOpaque = (colours === 0 || colours === 2) && interlacing === 0 && !bytes.includes("tRNS");
  return bytes.subarray(1, 4).toString("latin1") === "PNG" && isOpaque;
}

const headerBytes = 44;
const entryBytes = 20;
const plainHeaderBytes = 12;
const plainEntryBytes = 16;

/**
 * The font in a WOFF file as the plain file that it was made from: a reader of WOFF unpacks a table whenever it looks at
 * a glyph, half a second for a document. https://www.w3.org/TR/WOFF/
 */
export function unpackWoff(woff: Buffer): Buffer {
  assert(woff.toString("latin1", 0, 4) === "wOFF", "a file of a font is WOFF");
  const count = woff.readUInt16BE(12);
  const tables = Array.from({ length: count }, (_, at) => tableAt(woff, headerBytes + at * entryBytes));
  const parts = [plainHeader(woff.subarray(4, 8), count)];
  let offset = plainHeaderBytes + count * plainEntryBytes;
  for (const { tag, checksum, bytes } of tables) {
    const entry = Buffer.alloc(plainEntryBytes);
    tag.copy(entry);
    entry.writeUInt32BE(checksum, 4);
    entry.writeUInt32BE(offset, 8);
    entry.writeUInt32BE(bytes.length, 12);
    parts.push(entry);
    offset += paddedLength(bytes.length);
  }
  for (const { bytes } of tables) parts.push(bytes, Buffer.alloc(paddedLength(bytes.length) - bytes.length));
  return Buffer.concat(parts);
}

function tableAt(woff: Buffer, at: number) {
  const [offset, packedLength, length] = [4, 8, 12].map((field) => woff.readUInt32BE(at + field)) as [
    number,
    number,
    number,
  ];
  const packed = woff.subarray(offset, offset + packedLength);
  const bytes = packedLength < length ? inflateSync(packed, { maxOutputLength: length }) : packed;
  return { tag: woff.subarray(at, at + 4), checksum: woff.readUInt32BE(at + 16), bytes };
}

/** The kind of font, how many tables, and what helps to search them by halves. */
function plainHeader(kind: Buffer, count: number): Buffer {
  const header = Buffer.alloc(plainHeaderBytes);
  kind.copy(header);
  const halvings = Math.floor(Math.log2(count));
  const searched = 2 ** halvings * plainEntryBytes;
  for (const [at, value] of [count, searched, halvings, count * plainEntryBytes - searched].entries()) {
    header.writeUInt16BE(value, 4 + at * 2);
  }
  return header;
}

function paddedLength(length: number): number {
  return Math.ceil(length / 4) * 4;
}
