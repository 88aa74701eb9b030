import { expect, test } from "vitest";
import { openPdf } from "../../src/platform/pdf/pdf-document.ts";
import { readPdf } from "../support/pdf-text.ts";

const size = 100;

/** How far above its letter each mark of a text is drawn than over a small letter, in points. */
async function raisedBy(text: string): Promise<number[]> {
  const pdf = await openPdf({ title: "A letter", madeAt: new Date(0) });
  pdf.addPage();
  pdf.text(text, { x: 30, y: 50, width: 500, size });
  const { raw } = readPdf(pdf.end());
  const [letter = 0, ...marks] = Array.from(raw.matchAll(/ ([\d.]+) Tm\n/g), ([, y]) => Number(y));
  return marks.map((y) => Math.round(y - letter));
}

test.each(["Ọ́", "Ẹ̀", "Ọ̀", "Ẹ́", "Ṣ́", "Ị́", "Ụ̀", "Ọ̄"])(
  "%s has its upper mark above the capital, not through it",
  async (letter) => {
    for (const spelling of [letter.normalize("NFC"), letter.normalize("NFD")]) {
      const marks = await raisedBy(spelling);
      expect([spelling, Math.max(0, ...marks)]).toEqual([spelling, 18]);
    }
  },
);
