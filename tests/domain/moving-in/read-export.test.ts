import { expect, test } from "vitest";
import { madeUpExport } from "../../../scripts/made-up-export/made-up-export.ts";
import { readOlderScript } from "../../../src/domain/moving-in/older-script.ts";
import { isDump, readDump } from "../../../src/domain/moving-in/read-dump.ts";

const files = madeUpExport(40);
const textOf = (name: string) => files[name] ?? "";

test("a dump of PostgreSQL and one of MySQL say of each user what the made-up script knows", () => {
  const django = readOlderScript(readDump("pg.sql", textOf("postgres.sql")));
  const php = readOlderScript(readDump("my.sql", textOf("mysql.sql")));
  expect(django.sources.map(({ kind, from, rows }) => [kind, from, rows])).toEqual([
    ["users", "table app_customuser of pg.sql", 40],
    ["tokens", "table authtoken_token of pg.sql", 37],
    ["plans", "table app_plan of pg.sql", 6],
    ["networks", "table app_network of pg.sql", 4],
  ]);
  expect(php.sources.map(({ kind, from, rows }) => [kind, from, rows])).toEqual([
    ["users", "table subscribers of my.sql", 40],
    ["plans", "table dataplans of my.sql", 6],
    ["networks", "table networkid of my.sql", 4],
  ]);
  const [first] = django.users;
  expect(first).toEqual({
    ...{
      id: "1",
      place: { file: "pg.sql", line: 13, row: null },
      email: "bola.okafor1@shop.example",
      name: "Bola Okafor 1",
    },
    ...{ phone: "08036181246", userType: "Smart Earner", blockedBy: null },
    balances: [{ text: "39519.87", place: { file: "pg.sql", line: 13, row: null } }],
    tokens: [{ text: "8615861d29eb092c29374d13bf89e821110d6147", place: { file: "pg.sql", line: 56, row: null } }],
  });
  expect(php.users[0]).toMatchObject({ name: "Bola O'Okafor 1", userType: "1", blockedBy: null });
  const same = (script: typeof php) => script.users.map(({ id, email, balances }) => [id, email, balances[0]?.text]);
  expect(same(php)).toEqual(same(django));
  expect(php.networks).toEqual({ MTN: 1, AIRTEL: 2, GLO: 3, "9MOBILE": 4 });
  expect(
    php.prices.slice(0, 3).map(({ planId, size, payer, price }) => [planId, size, payer.name, price.text]),
  ).toEqual([
    ["2", "1GB", "1", "650"],
    ["2", "1GB", "2", "645"],
    ["2", "1GB", "3", "640"],
  ]);
});

test("values of a dump come as they are written, whatever stands in its texts", () => {
  const text = `INSERT IGNORE INTO \`users\` (\`id\`, \`email\`, \`balance\`, \`name\`) VALUES
(1, 'a@b.example', 1250.50, 'it''s; (a) "name"'), -- a remark; with a sign
(2,'c@d.example',-3e5,'back\\\\slash \\'quoted\\'\\n'),(3,NULL,NULL,_binary 'x')
ON DUPLICATE KEY UPDATE name = 'y';
insert into other (a) values (1);`;
  const [table] = readDump("a.sql", text);
  expect(table?.rows).toEqual([
    { line: 2, row: 1, cells: ["1", "a@b.example", "1250.50", `it's; (a) "name"`] },
    { line: 3, row: 2, cells: ["2", "c@d.example", "-3e5", "back\\slash 'quoted'\n"] },
    { line: 3, row: 3, cells: ["3", null, null, "x"] },
  ]);
  const postgres = `-- PostgreSQL database dump
INSERT INTO public.users (id, email, balance, name) VALUES (1, 'a@b.example', '1.50'::numeric, E'it\\'s \\\\ here');
INSERT INTO public.users (id, email, balance, name) VALUES (2, 'a\\b@b.example', 2, 'plain \\');`;
  expect(readDump("b.sql", postgres)[0]?.rows).toEqual([
    { line: 2, row: 1, cells: ["1", "a@b.example", "1.50", "it's \\ here"] },
    { line: 3, row: 1, cells: ["2", "a\\b@b.example", "2", "plain \\"] },
  ]);
});

test("a dump that was cut off or bent is refused with the line", () => {
  const cut = textOf("postgres.sql").slice(0, 1_500);
  expect(() => readDump("cut.sql", cut)).toThrow(/of cut\.sql can't be read: (the file ends within a table|a row has)/);
  const open = "insert into users (id, email, balance) values\n(1, 'a@b.example', 1),\n(2, 'never closed, 2);";
  expect(() => readDump("open.sql", open)).toThrow(
    "Line 3 of open.sql can't be read: a text begins here and never ends.",
  );
  expect(() => readDump("none.sql", "insert into users values (1, 'a@b.example', 1);")).toThrow(
    "Line 1 of none.sql can't be read: nothing says what the columns of users are: export CREATE TABLE as well.",
  );
  const short = "insert into users (id, email, balance) values (1, 'a@b.example');";
  expect(() => readDump("short.sql", short)).toThrow("a row has 2 values for 3 columns");
});

test("CSV is told from a dump, and files that are about nothing, or twice about users, are refused", () => {
  expect([isDump(textOf("users.csv")), isDump(textOf("mysql.sql")), isDump(textOf("postgres.sql"))]).toEqual([
    ...[false, true, true],
  ]);
  const users = {
    file: "a.csv",
    name: null,
    columns: ["email", "name"],
    rows: [{ line: 2, row: null, cells: ["a@b.example", "A"] }],
  };
  expect(() => readOlderScript([users, { ...users, file: "b.csv" }])).toThrow(
    "a.csv and b.csv are both about users: give one file of them.",
  );
  expect(() => readOlderScript([{ ...users, columns: ["when", "what"] }])).toThrow(/^No users were found/);
});

test("tokens of sessions and of forgotten passwords, and balances of old sales, are none of a dump's users", () => {
  const text = `insert into users (id, email, password, name, wallet, type) values (1, 'a@b.example', 'x', 'A', '5.00', 'agent');
insert into password_resets (email, token) values ('a@b.example', 'reset-me-please-now-12345');
insert into personal_access_tokens (id, user_id, token) values (1, 1, 'a-session-of-somebody-12345');
insert into wallet_history (id, user_id, amount, balance) values (1, 1, '5', '900.00');
insert into messages (id, email, name) values (1, 'z@b.example', 'Z');`;
  const script = readOlderScript(readDump("laravel.sql", text));
  expect(script.sources.map(({ kind }) => kind)).toEqual(["users"]);
  expect(script.users).toMatchObject([{ userType: "agent", tokens: [], balances: [{ text: "5.00" }] }]);
});

test("of the many tables of a PHP script's dump those of users, data plans and networks are taken, and none that look alike", () => {
  const prices = "`name` varchar(255), `price` varchar(255), `userprice` varchar(255), `agentprice` varchar(255)";
  const more = "`vendorprice` varchar(255), `planid` varchar(255), `type` varchar(255)";
  const plansOf = (table: string, id: string, last: string, row: string) =>
    `CREATE TABLE \`${table}\` (\n\`${id}\` int,\n${`${prices}, ${more}, ${last}`.replaceAll(", ", ",\n")}\n);
INSERT INTO \`${table}\` VALUES ${row};\n`;
  const dump = `-- MySQL dump
${plansOf("cableplans", "cpId", "`cableprovider` tinyint, `day` varchar(9)", "(1,'Small','90','100','99','98','1',NULL,1,'30')")}
${plansOf("datapins", "dpId", "`datanetwork` tinyint, `day` varchar(9)", "(1,'1GB','90','100','99','98','1','SME',1,'30')")}
${plansOf("dataplans", "pId", "`datanetwork` tinyint, `day` varchar(9)", "(7,'1 GB','216','235','230','225','1','SME',1,'30')")}
INSERT INTO \`contact\` (\`msgId\`, \`sId\`, \`name\`, \`contact\`) VALUES (1, 0, 'MTN', 'a@b.example');
INSERT INTO \`networkid\` (\`nId\`, \`networkid\`, \`smeId\`, \`network\`, \`smeStatus\`) VALUES
(1, '1', '1', 'MTN', 'On'),(2, '2', '2', 'GLO', 'On'),(3, '3', '3', '9MOBILE', 'On'),(4, '4', '4', 'AIRTEL', 'Off');
INSERT INTO \`subscribers\` (\`sId\`, \`sApiKey\`, \`sFname\`, \`sLname\`, \`sEmail\`, \`sPhone\`, \`sPass\`, \`sType\`, \`sWallet\`,
 \`sRefWallet\`, \`sRegStatus\`) VALUES
(3, 'aB3', 'Ada', 'Obi', 'ada@shop.example', '08031234567', 'x', 2, 1200, 7, 0);
INSERT INTO \`sysusers\` (\`sysId\`, \`sysName\`, \`sysToken\`) VALUES (1, 'Admin', 'x');`;
  const script = readOlderScript(readDump("php.sql", dump));
  expect(script.sources.map(({ kind, from, leftOut }) => [kind, from, leftOut])).toEqual([
    ["users", "table subscribers of php.sql", []],
    ["plans", "table dataplans of php.sql", []],
    ["networks", "table networkid of php.sql", []],
  ]);
  expect(script.prices.map(({ planId, size, payer, price }) => [planId, size, payer.name, price.text])).toEqual([
    ["7", "1 GB", "1", "235"],
    ["7", "1 GB", "2", "230"],
    ["7", "1 GB", "3", "225"],
  ]);
  expect(script.users).toMatchObject([{ id: "3", name: "Ada Obi", userType: "2", balances: [{ text: "1200" }] }]);
});

const head = "insert into users (id, email, balance) values";

test.each([
  [
    "in a row",
    `${head} (1, 'a@b.example', 1),`,
    "Line 1 of cut.sql can't be read: the file ends within this statement",
  ],
  ["behind a row", `${head} (1, 'a@b.example', 1)`, "the file ends within this statement: it was cut off"],
  ["in another table", `${head} (1, 'a@b.example', 1);\ncreate table plans (id int`, "Line 2 of cut.sql can't be read"],
  [
    "between statements, by mysqldump",
    `-- MySQL dump 10.13  Distrib 8.0.36\n${head} (1, 'a@b.example', 1);\n`,
    "The file cut.sql was cut off: it does not end with “-- Dump completed”. Export it again.",
  ],
  [
    "between statements, by phpMyAdmin",
    `-- phpMyAdmin SQL Dump\nSTART TRANSACTION;\n${head} (1, 'a@b.example', 1);\n`,
    "it does not end with “COMMIT”",
  ],
  [
    "between statements, by pg_dump",
    "--\n-- PostgreSQL database dump\n--\nCOPY public.users (id, email, balance) FROM stdin;\n1\ta@b.example\t1\n\\.\n",
    "it does not end with “database dump complete”",
  ],
  [
    "by PHP, within rows",
    `${head} (1, 'a@b.example', 1),\n<br />\n<b>Fatal error</b>:  Maximum execution time of 300 seconds exceeded in <b>x</b>`,
    "Line 2 of cut.sql can't be read: the program that exported has written an error here (Fatal error:  Maximum",
  ],
  [
    "by PHP, behind a statement",
    `${head} (1, 'a@b.example', 1);\nPHP Fatal error:  Allowed memory size of 134217728 bytes exhausted`,
    "Line 2 of cut.sql can't be read: the program that exported has written an error here (Fatal error:  Allowed",
  ],
  [
    "by mysqldump's own error",
    `${head} (1, 'a@b.example', 1);\nmysqldump: Error 2013: Lost connection to MySQL server during query`,
    "written an error here (mysqldump: Error 2013",
  ],
])("an export that ends too early is refused by its name: %s", (_where, text, complaint) => {
  expect(() => readDump("cut.sql", text)).toThrow(complaint);
});

test("procedures, triggers and their delimiters are passed over, and nothing behind them is lost", () => {
  const dump = `mysqldump: [Warning] Using a password on the command line interface can be insecure.
-- MySQL dump 10.13  Distrib 8.0.36
-- it's a remark
CREATE TABLE \`users\` (\`id\` int, \`email\` varchar(99) DEFAULT 'a,b' COMMENT 'it''s (a) key', \`wallet\` decimal(12,2), \`active\` bit(1), \`note\` text, PRIMARY KEY (\`id\`), KEY \`e\` (\`email\`)) ENGINE=InnoDB;
DELIMITER ;;
/*!50003 CREATE*/ /*!50017 DEFINER=\`root\`@\`localhost\`*/ /*!50003 TRIGGER t AFTER INSERT ON users FOR EACH ROW BEGIN
INSERT INTO users (id) VALUES (7);
END */;;
DELIMITER ;
DELIMITER $$
CREATE DEFINER=\`root\`@\`localhost\` PROCEDURE \`p\` () BEGIN
  -- don't stop here; $$ neither
  # nor 'here
  SELECT 'a;b', \`x\`;
INSERT INTO users (id, email) VALUES (8, 'x');
END$$
create trigger u before update on users for each row if new.wallet < 0 then set new.wallet = 0; end if$$
DELIMITER ;
REPLACE INTO \`users\` VALUES
(1,'a@b.example',10.50,b'1','costs $5 and $$'),(2,"c@d.example",20.00,_binary '\\0',0x6869);
INSERT  IGNORE INTO \`users\` VALUES (3,'e@f.example',30.00,b'0',_utf8mb4'x');
-- Dump completed on 2024-01-01 10:00:00
`;
  const [table, ...others] = readDump("my.sql", dump);
  expect([table?.columns, others]).toEqual([["id", "email", "wallet", "active", "note"], []]);
  expect(table?.rows.map(({ cells }) => cells)).toEqual([
    ["1", "a@b.example", "10.50", "1", "costs $5 and $$"],
    ["2", "c@d.example", "20.00", "0", "hi"],
    ["3", "e@f.example", "30.00", "0", "x"],
  ]);
  const postgres = `--
-- PostgreSQL database dump
--
CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
INSERT INTO users (id) VALUES (1); -- don't
END; $body$;
CREATE TABLE public.users (id integer, email character varying(99), balance numeric(12,2), key character varying(40), CONSTRAINT c CHECK ((balance >= (0)::numeric)));
INSERT INTO public.users VALUES (1, 'a@b.example', 1.50, E'it\\'s; $x$');
COMMENT ON TABLE public.users IS E'it\\'s; (';
COPY public.users (id, email, balance, key) FROM stdin;
2\tc@d.example\t2.50\t$1
\\.
--
-- PostgreSQL database dump complete
--
`;
  expect(readDump("pg.sql", postgres)[0]?.rows.map(({ cells }) => cells)).toEqual([
    ["1", "a@b.example", "1.50", "it's; $x$"],
    ["2", "c@d.example", "2.50", "$1"],
  ]);
});

test("rows of a table that were not read are noticed by the lines that begin them", () => {
  // An apostrophe that no server would have written hides the table of tokens, and its own next rows.
  const dump = `${head} (1, 'a@b.example', 1);
insert into notes (a) values ('it's');
insert into authtoken_token (user_id, \`key\`) values (1, 'x');
insert into notes (a) values (' hidden 'x');`;
  expect(() => readDump("bent.sql", dump)).toThrow(
    "bent.sql has 2 INSERT or COPY of notes, and 1 were read: a quote before one of them is never closed.",
  );
});

test("tables of one name in two databases, and a copy of a table, are never mixed up", () => {
  const two = `use old;\n${head} (1, 'a@b.example', 1);\nuse new;\n${head} (1, 'a@b.example', 2);`;
  expect(readDump("two.sql", two).map(({ rows }) => rows.length)).toEqual([1, 1]);
  const copy = `${head} (1, 'a@b.example', 1);\n${head.replace("users", "users_backup")} (1, 'a@b.example', 900);`;
  expect(() => readOlderScript(readDump("copy.sql", copy))).toThrow(
    "table users of copy.sql and table users_backup of copy.sql are both about users: dump one of them.",
  );
  const other = `${head} (1, 'a@b.example', 1);\ninsert into users (id, balance, email) values (2, 2, 'c@d.example');`;
  expect(() => readDump("other.sql", other)).toThrow("users has other columns than before");
});
