import { writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { closing } from "../support/closing.ts";
import { stockedDatabase } from "../support/database.ts";
import { operate } from "../support/operate.ts";
import { makeScratchDirectory } from "../support/scratch-directory.ts";

const fresh = closing(await stockedDatabase());
const scratch = await makeScratchDirectory();
afterAll(() => scratch.remove());

async function plan(name: string, content: string | Buffer, ...words: string[]) {
  const file = `${scratch.folder}/${name}`;
  await writeFile(file, content);
  const planned = await operate(["move-in", "plan", file, ...words], { DATABASE_URL: fresh.url });
  return { ...planned, error: planned.error.replaceAll(`${scratch.folder}/`, "") };
}

const dump = `-- MySQL dump 10.13  Distrib 8.0.36
/*!40101 SET NAMES utf8mb4 */;
insert into users (id, email, name, balance, photo) values (1, 'a@b.example', 'Adé', 10.50, _binary 'x'), (2, 'c@d.example', 'Bola', 1.00, '');
-- Dump completed on 2024-01-01 10:00:00
`;
const broken = Buffer.from(dump.replace("_binary 'x'", "_binary '\u0001'"), "utf8");
broken[broken.indexOf("_binary '\u0001'") + 9] = 0xff;

test.each([
  ["dump.sql.gz", gzipSync(dump)],
  ["picture.sql", broken],
  [
    "windows.csv",
    Buffer.from("id;email;name;balance\r\n1;a@b.example;Ad\xe9;10.50\r\n2;c@d.example;Bola;1.00\r\n", "latin1"),
  ],
])("%s is read, and everything fits: as many users as the file has", async (name, content) => {
  const planned = await plan(name, content);
  expect([planned.code, planned.error]).toEqual([0, ""]);
  expect(planned.out).toContain("Everything fits: 2 users, as many as the files have.");
  expect(planned.out).toContain("11.50");
});

const heading = "id,email,name,balance\n";

test.each([
  ["cut.sql.gz", gzipSync(dump).subarray(0, 100), "The packed file cut.sql.gz ends too early: it was cut off."],
  ["bent.sql.gz", Buffer.from("1f8b08000000", "hex"), "The packed file bent.sql.gz "],
  ["huge.sql.gz", gzipSync(Buffer.alloc(257 * 1_048_576)), "The file huge.sql.gz is above 256 MB"],
  [
    "users.csv.gz",
    gzipSync(`${heading}1,a@b.example,A,1\n`),
    "users.csv.gz is no dump of a database: give a CSV file unpacked",
  ],
  ["tables.json", '[\n{"type":"header"},\n{"type":"table"}]', "tables.json is JSON: export the tables as SQL or CSV."],
  ["users.xml", "<?xml version='1.0'?><users/>", "users.xml is XML or a web page"],
  ["users.zip", Buffer.from("PK\x03\x04…"), "users.zip is a zip archive or a workbook: unpack it"],
  ["pg.dump", Buffer.from("PGDMP\x01\x0e"), "pg.dump is a dump in pg_dump's own format: dump with --format=plain."],
  ["db.sqlite", Buffer.from("SQLite format 3\0"), "db.sqlite is a database of SQLite"],
  [
    "quote.csv",
    `${heading}1,a@b.example,"Ada,1.00\n2,c@d.example,Bola,1.00\n3,e@f.example,Chi",1.00\n`,
    "Line 2 of quote.csv can't be read: a quote begins in it, and ends some lines later.",
  ],
])("%s is refused by its name", async (name, content, complaint) => {
  const planned = await plan(name, content);
  expect([planned.code, planned.out]).toEqual([1, ""]);
  expect(planned.error).toContain(complaint);
});
