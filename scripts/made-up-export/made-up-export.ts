import { type MadeUpUser, madeUpUsers, madeUpUsersLater } from "./made-up-users.ts";

/** Plans as such a script has them: number, network's number, size, type, and the prices of its four types of user. */
const plans: readonly (readonly (number | string)[])[] = [
  [2, 1, "1.0", "GB", "SME", 650, 645, 640, 635],
  [3, 1, "2.0", "GB", "SME", 1_300, 1_290, 1_280, 1_270],
  [23, 1, "1.0", "GB", "CORPORATE GIFTING", 280, 278, 275, 270],
  // Another size here, a network that it is not here, and a number that is no product's.
  [4, 1, "500.0", "MB", "SME", 150, 150, 150, 150],
  [5, 2, "5.0", "GB", "SME", 2_300, 2_300, 2_300, 2_300],
  [998, 1, "40.0", "GB", "SME", 9_900, 9_900, 9_900, 9_900],
];
const planColumns =
  "id,network_id,plan_size,plan_Volume,plan_type,plan_amount,Affilliate_price,TopUser_price,api_price";
const networks = [
  [1, "MTN"],
  [2, "GLO"],
  [3, "9MOBILE"],
  [4, "AIRTEL"],
] as const;

/**
 * A made-up export of a script, as files by their names: CSV, and the same users as two dumps. `isLast`: the one that is made
 * after the last sale.
 */
export function madeUpExport(count: number, { isLast = false } = {}): Readonly<Record<string, string>> {
  const users = isLast ? madeUpUsersLater(count) : madeUpUsers(count);
  return {
    "users.csv": usersCsv(users),
    "tokens.csv": `user_id,key\n${tokensOf(users)
      .map(({ id, token }) => `${id},"${token}"\n`)
      .join("")}`,
    "plans.csv": `${planColumns}\n${plans.map((plan) => `${plan.join(",")}\n`).join("")}`,
    "mysql.sql": mysqlDump(users),
    "postgres.sql": postgresDump(users),
  };
}

function tokensOf(users: readonly MadeUpUser[]) {
  const own = users.flatMap(({ id, token }) => (token === null ? [] : [{ id, token }]));
  return [...own, { id: users.length + 1_000, token: "f".repeat(40) }];
}

function usersCsv(users: readonly MadeUpUser[]): string {
  const lines = users.map(({ id, username, fullName, email, phone, userType, balance, isActive }) =>
    [id, username, fullName, email, phone, userType, `"${balance}"`, isActive ? "True" : "False"].join(","),
  );
  return `id,username,FullName,email,Phone,user_type,Account_Balance,is_active\n${lines.join("\n")}\n`;
}

/** As `mysqldump` writes a PHP script's tables: many rows a line, without the names of columns. */
function mysqlDump(users: readonly MadeUpUser[]): string {
  const types: Readonly<Record<string, number>> = { "Smart Earner": 1, Affilliate: 2, TopUser: 3, API: 3 };
  const rows = users.map(({ id, fullName, email, phone, userType, balance, token, isActive }) => {
    const [first, ...last] = fullName.split(" ");
    const texts = [token ?? "", first, `O'${last.join(" ")}`, email, phone, "secret;('hash"].map(quotedForMysql);
    return `(${[id, ...texts, types[userType] ?? 9, numberForMysql(balance), isActive ? 0 : 1, "'2024-01-01 10:00:00'"].join(",")})`;
  });
  const phpPlans = plans.map(
    ([id, network, size, unit, type, ...prices]) =>
      `(${[id, ...[network, `${Number(size)}${unit}`, 1, ...prices.slice(0, 3), 1_001, type].map((cell) => quotedForMysql(String(cell)))].join(",")})`,
  );
  return `-- MySQL dump 10.13  Distrib 8.0.36, for Linux (x86_64)
/*!40101 SET NAMES utf8mb4 */;
DROP TABLE IF EXISTS \`transactions\`;
CREATE TABLE \`transactions\` (
  \`tId\` int NOT NULL AUTO_INCREMENT,
  \`user_id\` int NOT NULL,
  \`amount\` varchar(10) NOT NULL,
  \`balance\` varchar(20) NOT NULL,
  PRIMARY KEY (\`tId\`)
) ENGINE=InnoDB;
INSERT INTO \`transactions\` VALUES (1,7,'100','5; (gone)'),(2,8,'200','it''s \\'kept\\'');
CREATE TABLE \`subscribers\` (
  \`sId\` int NOT NULL AUTO_INCREMENT,
  \`sApiKey\` varchar(200) NOT NULL,
  \`sFname\` varchar(50) NOT NULL,
  \`sLname\` varchar(50) NOT NULL,
  \`sEmail\` varchar(50) DEFAULT NULL,
  \`sPhone\` varchar(20) NOT NULL,
  \`sPass\` varchar(150) NOT NULL,
  \`sType\` tinyint NOT NULL DEFAULT '1',
  \`sWallet\` decimal(12,2) NOT NULL DEFAULT '0.00',
  \`sRegStatus\` tinyint NOT NULL DEFAULT '3',
  \`sRegDate\` datetime NOT NULL,
  PRIMARY KEY (\`sId\`),
  KEY \`sEmail\` (\`sEmail\`)
) ENGINE=InnoDB AUTO_INCREMENT=9 DEFAULT CHARSET=latin1;
CREATE TABLE \`dataplans\` (
  \`pId\` int NOT NULL AUTO_INCREMENT,
  \`datanetwork\` varchar(10) NOT NULL,
  \`name\` varchar(30) NOT NULL,
  \`price\` varchar(10) NOT NULL,
  \`userprice\` varchar(10) NOT NULL,
  \`agentprice\` varchar(10) NOT NULL,
  \`vendorprice\` varchar(10) NOT NULL,
  \`planid\` varchar(10) NOT NULL,
  \`type\` varchar(20) NOT NULL
);
INSERT INTO \`dataplans\` VALUES ${phpPlans.join(",")};
CREATE TABLE \`networkid\` (
  \`nId\` int NOT NULL AUTO_INCREMENT,
  \`networkid\` varchar(10) NOT NULL,
  \`network\` varchar(20) NOT NULL
);
INSERT INTO \`networkid\` (\`nId\`, \`networkid\`, \`network\`) VALUES (1,'1','MTN'),(2,'2','AIRTEL'),(3,'3','GLO'),(4,'4','9MOBILE');
LOCK TABLES \`subscribers\` WRITE;
INSERT INTO \`subscribers\` VALUES ${rows.join(",")};
UNLOCK TABLES;
-- Dump completed on 2024-01-01 10:00:00
`;
}

/** What a column of numbers can't hold stands in one of texts. */
function numberForMysql(text: string): string {
  return /^-?[0-9.e]+$/.test(text) ? text : quotedForMysql(text);
}

function quotedForMysql(text = ""): string {
  return `'${text.replace(/[\\']/g, (sign) => `\\${sign}`)}'`;
}

/** As `pg_dump` writes a Django script's tables: a COPY each, tabs between the values. */
function postgresDump(users: readonly MadeUpUser[]): string {
  const rows = users.map(({ id, username, fullName, email, phone, userType, balance, isActive }) =>
    [id, "pbkdf2$x\\\\y", username, fullName, email, phone, balance, userType, isActive ? "t" : "f"].join("\t"),
  );
  const copy = (table: string, columns: string, lines: readonly string[]) =>
    `COPY public.${table} (${columns}) FROM stdin;\n${[...lines, "\\."].join("\n")}\n\n`;
  const users_ = 'id, password, username, "FullName", email, "Phone", "Account_Balance", user_type, is_active';
  return `--
-- PostgreSQL database dump
--

SET statement_timeout = 0;
CREATE FUNCTION public.noise() RETURNS void LANGUAGE sql AS $_$ select 'it;s'; $_$;

${copy("app_transactions", "id, user_id, amount, balance_before", ["1\t7\t100\t\\N"])}${copy('"app_customuser"', users_, rows)}${copy(
  "authtoken_token",
  "key, created, user_id",
  tokensOf(users).map(({ id, token }) => [token, "2024-01-01 10:00:00+00", id].join("\t")),
)}${copy(
  "app_network",
  "id, name, msorg_web_net_id",
  networks.map(([id, name]) => [id, name, "\\N"].join("\t")),
)}${copy(
  "app_plan",
  planColumns.split(",").join(", "),
  plans.map((plan) => plan.join("\t")),
)}SELECT pg_catalog.setval('public.app_plan_id_seq', 9, true);
--
-- PostgreSQL database dump complete
--
`;
}
