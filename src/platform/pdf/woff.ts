import { inflateSync } from "node:zlib";
import { assert } from "../../kernel/assert.ts";

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
