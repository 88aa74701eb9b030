import { inflateSync } from "node:zlib";

type Objects = ReadonlyMap<string, { readonly head: string; readonly content: string }>;

/** The lines of text that a PDF of ours draws, page by page, as a reader who copies them gets them. */
export function readPdf(pdf: Buffer): { readonly pages: readonly (readonly string[])[]; readonly raw: string } {
  const objects = objectsOf(pdf.toString("latin1"));
  const kids = [...objects.values()].find(({ head }) => /\/Type \/Pages\b/.test(head))?.head ?? "";
  const pages = [.../\/Kids \[([^\]]*)\]/.exec(kids)![1]!.matchAll(/(\d+) 0 R/g)].map(([, id]) =>
    linesOf(objects, id!),
  );
  const raw = [...objects.values()].map(({ head, content }) => `${head}\n${content}`).join("\n");
  return { pages, raw };
}

function objectsOf(text: string): Objects {
  const found = text.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g);
  return new Map(
    [...found].map(([, id, body]) => {
      const [head = "", packed] = body!.split(/stream\n/, 2);
      const bytes =
        packed === undefined ? "" : body!.slice(body!.indexOf("stream\n") + 7, body!.lastIndexOf("\nendstream"));
      const content = /FlateDecode/.test(head) ? inflateSync(Buffer.from(bytes, "latin1")).toString("latin1") : bytes;
      return [id!, { head, content }];
    }),
  );
}

function linesOf(objects: Objects, pageId: string): string[] {
  const referred = (name: string, head: string) => new RegExp(`/${name} (\\d+) 0 R`).exec(head)?.[1] ?? "";
  const { head } = objects.get(pageId)!;
  const resources = objects.get(referred("Resources", head))!.head;
  const fonts = new Map(
    [...resources.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name, id]) => {
      const map = objects.get(referred("ToUnicode", objects.get(id!)!.head))!.content;
      return [name!, lettersOf(map)];
    }),
  );
  const lines: string[] = [];
  let letters: readonly string[] = [];
  for (const [, font, shown] of objects
    .get(referred("Contents", head))!
    .content.matchAll(/\/(F\d+) [\d.]+ Tf|\[(.*?)\] TJ/g)) {
    if (font !== undefined) letters = fonts.get(font)!;
    else {
      const codes = [...shown!.matchAll(/<([0-9a-f]+)>/g)].flatMap(([, hex]) => hex!.match(/.{4}/g) ?? []);
      lines.push(codes.map((code) => letters[Number.parseInt(code, 16)] ?? "?").join(""));
    }
  }
  return lines;
}

/** What each number of a font's drawn letters stands for. */
function lettersOf(map: string): string[] {
  const letters: string[] = [];
  for (const [, first, list] of map.matchAll(/<([0-9a-f]+)> <[0-9a-f]+> \[(.*?)\]/g)) {
    for (const [at, [, hex]] of [...list!.matchAll(/<([0-9a-f]+)>/g)].entries()) {
      letters[Number.parseInt(first!, 16) + at] = Buffer.from(hex!, "hex").swap16().toString("utf16le");
    }
  }
  return letters;
}
