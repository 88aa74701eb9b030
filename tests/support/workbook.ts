import { crc32, deflateRawSync } from "node:zlib";

/** A part of a workbook. `says`: how long its directory says it is, where that is a lie. */
export interface Part {
  readonly name: string;
  readonly content: string | Buffer;
  readonly says?: number;
}

/** A zip as spreadsheets write it. */
export function zipOf(parts: readonly Part[]): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, content, says } of parts) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(bytes), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(says ?? bytes.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), fields, Buffer.from(name), packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    directory.push(
      Buffer.concat([Buffer.from("PK\u0001\u0002"), Buffer.from([20, 0]), fields, place, Buffer.from(name)]),
    );
    bodies.push(local);
    at += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...bodies, listed, Buffer.from("PK\u0005\u0006"), end]);
}

/** A text, a number as the workbook has it, a day by its number, or nothing. */
type WorkbookCell = string | null | { readonly number: string } | { readonly day: number };

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

function letters(at: number): string {
  return String.fromCharCode(65 + at);
}

/** The parts of a workbook whose first sheet has these rows. Texts are shared, as spreadsheets do. */
export function workbookParts(rows: readonly (readonly WorkbookCell[])[]): readonly Part[] {
  const strings: string[] = [];
  const cellOf = (cell: WorkbookCell, place: string): string => {
    if (cell === null) return "";
    if (typeof cell === "string") return `<c r="${place}" t="s"><v>${strings.push(cell) - 1}</v></c>`;
    return "day" in cell ? `<c r="${place}" s="1"><v>${cell.day}</v></c>` : `<c r="${place}"><v>${cell.number}</v></c>`;
  };
  const sheetRows = rows.map((cells, at) => {
    const line = at + 1;
    return `<row r="${line}">${cells.map((cell, column) => cellOf(cell, `${letters(column)}${line}`)).join("")}</row>`;
  });
  const relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  return [
    {
      name: "xl/workbook.xml",
      content: `${head}<workbook xmlns:r="${relation}"><sheets><sheet name="Statement" sheetId="1" r:id="rId7"/><sheet name="Other" sheetId="2" r:id="rId8"/></sheets></workbook>`,
    },
    {
      name: "xl/_rels/workbook.xml.rels",
      content: `${head}<Relationships><Relationship Id="rId8" Target="worksheets/other.xml"/><Relationship Id="rId7" Target="worksheets/sheet1.xml"/></Relationships>`,
    },
    {
      name: "xl/styles.xml",
      content: `${head}<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd\\-mmm\\-yyyy"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>`,
    },
    {
      name: "xl/worksheets/sheet1.xml",
      content: `${head}<worksheet><sheetData>${sheetRows.join("")}</sheetData></worksheet>`,
    },
    {
      name: "xl/sharedStrings.xml",
      content: `${head}<sst>${strings.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join("")}</sst>`,
    },
  ];
}

/** The number by which a workbook keeps a day. */
export function dayNumber(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 86_400_000 + 25_569;
}
