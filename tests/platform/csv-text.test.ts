import { expect, test } from "vitest";
import { readCsvRows, readCsvText } from "../../src/platform/csv-text.ts";

async function rowsOf(text: string): Promise<readonly (readonly [number, ...string[]])[]> {
  const rows: [number, ...string[]][] = [];
  for await (const { line, cells } of readCsvRows(text, "file")) rows.push([line, ...cells]);
  return rows;
}

test("rows are read as spreadsheets write them, with their lines, and empty ones are left out", async () => {
  const text = '\uFEFFa,b\r\n"1,5","say ""yes"""\r\n\r\n , \r\n x , "y" \n="080",5"\r"two\nlines",z';
  expect(await rowsOf(text)).toEqual([
    [1, "a", "b"],
    [2, "1,5", 'say "yes"'],
    [5, "x", "y"],
    [6, '="080"', '5"'],
    [8, "two\nlines", "z"],
  ]);
  expect(await rowsOf('sep=;\na;"b;c"\n1\t;2')).toEqual([
    [2, "a", "b;c"],
    [3, "1", "2"],
  ]);
  expect(await rowsOf("a\tb\n\t2")).toEqual([
    [1, "a", "b"],
    [2, "", "2"],
  ]);
});

test.each([
  ["a quote that stays open", 'a,b\n1,"2\n3,4\n', "after line 1"],
  ["a line that is too long", `a,b\n${"1,".repeat(20_000)}`, "after line 1"],
  ["more lines than any list has", "a\n".repeat(300_000), "More than 250000 lines"],
  ["text that is none", "\uFFFD\uFFFD".repeat(1_000_000), "text in UTF-16"],
])("%s is refused in a sentence", async (_name, text, sentence) => {
  await expect(rowsOf(text)).rejects.toMatchObject({
    detail: { errors: { file: [expect.stringContaining(sentence)] } },
  });
});

test("a statement has its bound of lines and columns, which are counted before they are read", async () => {
  const read = async (text: string) => {
    const reading = { field: "f", checkHeading: () => {}, rowsMax: 10 };
    for await (const { line } of readCsvText(text, reading)) expect(line).toBe(0);
  };
  await expect(read(`a\n${"1\n".repeat(200)}`)).rejects.toThrow();
  await expect(read(`${"a,".repeat(201)}\n1`)).rejects.toMatchObject({
    detail: { errors: { f: ["The first line names more than 200 columns."] } },
  });
});

test("a long list lets others in between while it is read, whatever its lines are like", async () => {
  let turns = 0;
  let isReading = true;
  const count = () => {
    turns += 1;
    if (isReading) setImmediate(count);
  };
  setImmediate(count);
  const lines = Array.from({ length: 95_000 }, (_, n) => (n % 2 === 0 ? `TXN${n}-1,1500.00` : "x"));
  expect((await rowsOf(`reference,amount,more\n${lines.join("\n")}`)).length).toBe(95_001);
  isReading = false;
  expect(turns).toBeGreaterThan(200);
}, 20_000);
