import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadStartingCatalogue } from "../../src/domain/catalogue/starting/starting-catalogue.ts";
import { ownDatabase } from "../support/merchants.ts";
import { type Operated, operate as operateIn } from "../support/operate.ts";

let own: Awaited<ReturnType<typeof ownDatabase>>;
let folder: string;
let product: string;

beforeAll(async () => {
  own = await ownDatabase();
  await loadStartingCatalogue(own.database);
  folder = mkdtempSync(path.join(tmpdir(), "dispense-vouchers-"));
  const { rows } = await own.fresh.pool.query(
    "select p.id from products p join billers b on b.slug = p.biller_slug where b.category = 'recharge_pin' limit 1",
  );
  product = String(rows[0].id);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await own.drop();
});

function environment() {
  const key = Buffer.alloc(32, 9).toString("base64");
  return { DATA_DIR: folder, DATABASE_URL: own.fresh.url, ENCRYPTION_KEY: key };
}

function operate(...words: string[]): Promise<Operated> {
  return operateIn(["vouchers", ...words], environment());
}

function file(text: string): string {
  const name = path.join(folder, `${Math.abs(text.length)}-${Date.now()}.csv`);
  writeFileSync(name, text);
  return name;
}

test("a file is put on sale, what is refused is named by line and reason, and no code is printed", async () => {
  const name = file(
    "\uFEFFPIN,Serial,Expires On\n1111-2222-3333-4444,A1,\n1111222233334444,A2,\n,A3,\n5555222233334444,A4,2020-01-01\n",
  );
  const reply = await operate("import", name, "--product", product);
  expect(reply.error).toBe("");
  expect(reply.out).toBe(
    [
      `Vouchers of product ${product}: 1 were added, 1 were there already; 1 are on sale.`,
      "Refused: 1 no code, 1 expired.",
      "  line 4: no code",
      "  line 5: expired",
      "",
    ].join("\n"),
  );
  const again = await operate("import", name, "--product", product, "--json");
  expect([reply.code, again.code]).toEqual([1, 1]);
  expect(JSON.parse(again.out)).toMatchObject({ imported: 0, refused: { duplicate: 2, "no code": 1, expired: 1 } });
  expect(JSON.parse((await operate("stock", "--json")).out)).toMatchObject({
    unsold: 1,
    sold: 0,
    expired: 0,
    low: true,
  });
});

test("a program reads from the exit code whether all of a file is there, also when it sends the file again", async () => {
  const sent = async (text: string, to = product) => {
    const { code, lines } = await operate("import", file(text), "--product", to, "--json");
    return [code, lines[0].imported, lines[0].refused];
  };
  const whole = "pin\n8888222233334441\n8888222233334442\n";
  expect(await sent(whole)).toEqual([0, 2, {}]);
  expect(await sent(whole)).toEqual([0, 0, { duplicate: 2 }]);
  expect(await sent(`${whole}8888222233334443\n`)).toEqual([0, 1, { duplicate: 2 }]);
  expect(await sent("pin\n")).toEqual([0, 0, {}]);
  expect(await sent("pin,expires_on\n8888222233334444,2020-01-01\n")).toEqual([1, 0, { expired: 1 }]);
  expect(await sent("pin\n8888222233334445\n;\n")).toEqual([1, 1, { "unreadable code": 1 }]);
  const { rows } = await own.fresh.pool.query(
    "select id from products where biller_slug = (select biller_slug from products where id = $1) and id <> $1 limit 1",
    [product],
  );
  expect(await sent(whole, String(rows[0].id))).toEqual([1, 0, { "of another product": 2 }]);
});

test("a file that breaks part-way tells where and how much is on sale, and once corrected it may be sent whole", async () => {
  const good = Array.from({ length: 6_000 }, (_, at) => `44440000${10_000 + at}`);
  const { rows } = await own.fresh.pool.query("select count(*)::int as before from vouchers");
  const [{ before }] = rows;
  const broken = file(`pin\n${good.join("\n")}\n"4444999999999\n${"44441111222233\n".repeat(2_000)}`);
  const reply = await operate("import", broken, "--product", product, "--json");
  expect([reply.code, reply.lines]).toEqual([1, [expect.objectContaining({ imported: 6_000, refused: {} })]]);
  expect(reply.error).toBe(
    `Line 6002 of ${broken} is no CSV (CSV_MAX_RECORD_SIZE). 6000 vouchers before it were put on sale. ` +
      "Correct the file and import all of it again: what is there already is not added twice.\n",
  );
  const corrected = file(`pin\n${[...good, "44441111222233"].join("\n")}\n`);
  expect(await operate("import", corrected, "--product", product)).toMatchObject({
    code: 0,
    error: "",
    out: expect.stringContaining(`1 were added, 6000 were there already; ${before + 6_001} are on sale.\n`),
  });
});

test("a product is low where its operator says so", async () => {
  await operate("import", file("pin\n7777222233334441\n7777222233334442\n"), "--product", product);
  const stock = async () => JSON.parse((await operate("stock", "--json")).out);
  const { unsold } = await stock();
  expect(unsold).toBeGreaterThan(1);
  expect((await operate("threshold", product, String(unsold - 1))).out).toContain(`${unsold - 1} or fewer`);
  expect(await stock()).toMatchObject({ low_at: unsold - 1, low: false });
  await operate("threshold", product, String(unsold));
  expect(await stock()).toMatchObject({ low_at: unsold, low: true });
  expect((await operate("threshold", "999999", "5")).code).toBe(1);
  expect((await operate("threshold", product, "0")).code).toBe(1);
  // 1001 is data, which no shelf holds.
  expect(await operate("threshold", "1001", "5")).toMatchObject({
    code: 1,
    out: "",
    error: "Products of data are not sold from a stock of vouchers.\n",
  });
  expect((await own.fresh.pool.query("select product_id from voucher_thresholds")).rows).toEqual([
    { product_id: Number(product) },
  ]);
});

test("what is no CSV, names no codes or is not there stops with a sentence that repeats no line", async () => {
  const broken = await operate(
    "import",
    file('pin,serial\n1111222233339999,A1\n"1111222233338888,A2\n'),
    "--product",
    product,
  );
  expect(broken.code).toBe(1);
  expect(broken.error).toMatch(/^Line 3 of .+ is no CSV \(CSV_QUOTE_NOT_CLOSED\)\. 1 vouchers before it .+\.\n$/);
  expect(broken.out + broken.error).not.toContain("1111");
  const unnamed = await operate("import", file("serial\nA1\n"), "--product", product);
  expect(unnamed.error).toBe(
    "The file's first line must name one column pin or code, or one of each for cards with both.\n",
  );
  const empty = await operate("import", file(""), "--product", product);
  expect(empty).toMatchObject({ code: 1, out: "", error: unnamed.error });
  const aFolder = await operate("import", folder, "--product", product);
  expect(aFolder).toMatchObject({ code: 1, out: "", error: `The file ${folder} can't be read (EISDIR).\n` });
  expect((await operate("import", "/nowhere.csv", "--product", product)).error).toBe(
    "The file /nowhere.csv can't be read (ENOENT).\n",
  );
});

test("a file of cards names codes and their PINs; where a code is all that is sold, such lines are refused", async () => {
  const { rows } = await own.fresh.pool.query(
    "select p.id from products p join billers b on b.slug = p.biller_slug where b.category = 'giftcard' limit 1",
  );
  const cards = file("Code,PIN,Serial\n6006491111112222,4821,A1\n6006491111113333,,A2\n");
  const reply = await operate("import", cards, "--product", String(rows[0].id), "--json");
  expect([reply.code, reply.lines[0]]).toEqual([0, expect.objectContaining({ imported: 2, refused: {} })]);
  const recharge = await operate("import", file("pin,code\n4821,9999222233334441\n"), "--product", product, "--json");
  const because = "pin beside a code that is all its category hands over";
  expect([recharge.code, recharge.lines[0].refused]).toEqual([1, { [because]: 1 }]);
  const doubtful = await operate("import", file("code,pin,pin\n1,2,3\n"), "--product", product);
  expect(doubtful.error).toContain("one of each for cards with both");
});

const waec = "5001";

test("a PIN or a serial that is none of the product's is refused by its line, and the good ones get in", async () => {
  const { code, out } = await operate(
    "import",
    file(
      "pin,serial\n123,WRN123456789\n4821-0773-6590,WRN123456780\n482107736591,XYZ123456781\n48210773659A,\n482107736592,\n",
    ),
    "--product",
    waec,
  );
  expect([code, out]).toEqual([
    1,
    [
      `Vouchers of product ${waec}: 2 were added, 0 were there already; 2 are on sale.`,
      "Refused: 2 the PIN is not 12 digits, 1 the serial is not WRN and 9 digits.",
      "  line 2: the PIN is not 12 digits",
      "  line 4: the serial is not WRN and 9 digits",
      "  line 5: the PIN is not 12 digits",
      "",
    ].join("\n"),
  ]);
});

test("where nobody said what a product's PINs look like, they are 4 to 30 letters, digits and dashes", async () => {
  const text = "pin\n123\n1-2-3\nA1_B2\nSPEC-4821-ABCD\n";
  const { lines } = await operate("import", file(text), "--product", product, "--json");
  const because = "the PIN is not 4 to 30 letters, digits and dashes";
  expect(lines).toMatchObject([{ imported: 1, refused: { [because]: 3 } }]);
  expect(lines[0].lines).toEqual([2, 3, 4].map((line) => ({ line, because })));
});

test("an operator says what a product's PINs look like, and takes it back", async () => {
  const sent = async (pin: string) =>
    (await operate("import", file(`pin\n${pin}\n`), "--product", "5031", "--json")).lines[0].imported;
  const format = async (...words: string[]) => (await operate("format", "5031", ...words, "--json")).lines[0];
  expect(await sent("48210773")).toBe(1);
  const ten = { product_id: 5031, pin_digits: 10, serial_prefix: "NB", serial_digits: null };
  expect(await format("--pin-digits", "10", "--serial-prefix", "NB")).toEqual(ten);
  expect([await sent("48210774"), await sent("4821077512")]).toEqual([0, 1]);
  expect(await format("--pin-digits", "any")).toEqual({ ...ten, pin_digits: null });
  expect(await sent("48210774")).toBe(1);
  const said = await operate("format", "5031", "--serial-prefix", "any");
  expect(said.out).toBe("Product 5031: a PIN is 4 to 30 letters, digits and dashes; a serial is anything.\n");
  expect((await operate("format", "1002", "--pin-digits", "10")).error).toBe(
    "Product 1002 has no PINs whose digits could be said.\n",
  );
  expect((await operate("format", "5031", "--pin-digits", "3")).error).toContain("It must be 4 to 30, or any.");
});

test("of many wrong lines the first hundred are named, and it is said how many more there are", async () => {
  const { out } = await operate("import", file(`pin\n${"12\n".repeat(130)}`), "--product", product);
  expect(out.split("\n").filter((line) => line.startsWith("  line "))).toHaveLength(100);
  expect(out).toContain("  line 101: the PIN is not 4 to 30 letters, digits and dashes\n  and 30 more\n");
});

test("an import that is interrupted tells how many it put on sale, and may be repeated", async () => {
  const pins = Array.from({ length: 200_000 }, (_, at) => `55550000${100_000 + at}`);
  const name = file(`pin\n${pins.join("\n")}\n`);
  const count = async () => (await own.fresh.pool.query("select count(*)::int as count from vouchers")).rows[0].count;
  const before = await count();
  const program = path.resolve(import.meta.dirname, "../../dist/operator.js"); // the global setup bundled it
  const child = spawn(process.execPath, [program, "vouchers", "import", name, "--product", product, "--json"], {
    env: { PATH: process.env.PATH ?? "", ...environment() },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let error = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    error += text;
  });
  await expect.poll(count, { interval: 20 }).toBeGreaterThan(before);
  child.kill("SIGINT");
  const [code] = await once(child, "close");
  const stored = (await count()) - before;
  expect([code, error]).toEqual([
    130,
    `Interrupted: ${stored} vouchers were put on sale. ` +
      "Import all of the file again: what is there already is not added twice.\n",
  ]);
  expect(stored).toBeLessThan(pins.length);
});

test("a file that is imported again is said to be there already, and nothing of it is refused", async () => {
  const name = file("pin\n6666222233334441\n6666222233334442\n");
  await operate("import", name, "--product", product);
  const { code, out } = await operate("import", name, "--product", product);
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/^Vouchers of product \d+: 0 were added, 2 were there already; \d+ are on sale\.\n$/),
  ]);
});
