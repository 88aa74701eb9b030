import type { SourceFile } from "./source-text.ts";
import type { TidyRule } from "./tidy-rule.ts";
import { inCode, inSql, inside, isHandWritten, isSql } from "./tidy-rule.ts";

/** The queries of a domain room live in its `queries.ts`; a second subject may have its own `<subject>-queries.ts`. */
export const isQueriesFile = (path: string): boolean =>
  /^src\/domain\/[^/]+\/([a-z-]+\/)*([a-z-]+-)?queries\.ts$/.test(path);

/** Each invariant is one read-only query beside the sentence that it checks. */
const invariantsFile = "src/domain/wallet/invariants.ts";

/** Makes three statements of a room's declaration of a column; `table-owners` looks at whose table it is. */
const sealedColumnsFile = "src/platform/sealing/sealed-columns.ts";

const sqlWords =
  "select|insert|update|delete|from|where|join|values|returning|create|alter|drop|table|index|function|begin|end|and|or|not|null|order|group|limit|set|on|in|is|as|with|primary|key|references|default|constraint|unique|check|case|when|then|else|language|returns|loop|if";
const upperCaseSql = new RegExp(`\\b(${sqlWords.toUpperCase()})\\b`);

/** What `connection-config.ts` sets for every session of theirs. */
const settingOfBatched =
  /\bset ((enable_seqscan|enable_hashjoin|enable_mergejoin) = off|plan_cache_mode = force_generic_plan)/;

export const sqlRules: readonly TidyRule[] = [
  {
    name: "SQL names its columns",
    style: 14,
    applies: (path) => isSql(path) || inside("src/", "tests/", "rigs/", "scripts/")(path),
    // In a SQL function (schema.sql repeats them all), and where the benchmark fills tables by one, `item.*` may name a CTE
    // whose columns are written out just above it.
    faults: (file) =>
      /^(migrations\/functions\/|migrations\/schema\.sql$|rigs\/bench\/)/.test(file.path)
        ? inSql(/\b(select|returning)\s+\*/i)(file)
        : inSql(/\b(select|returning)\s+(\w+\.)?\*/i)(file),
    red: ["src/domain/wallet/queries.ts", 'const a = "select * from wallets";'],
    green: ["src/domain/wallet/queries.ts", 'const a = "select count(*) from wallets";'],
  },
  {
    name: "SQL is lower case",
    style: 14,
    applies: (path) => isSql(path) || inside("src/", "tests/", "rigs/", "scripts/")(path),
    faults: inSql(upperCaseSql),
    red: ["migrations/0001_merchants.sql", "create table merchants (id bigint NOT NULL);"],
    green: ["migrations/0001_merchants.sql", "-- NOT like this\ncreate table merchants (id bigint not null);"],
  },
  {
    name: "SQL is never glued together",
    style: 14,
    applies: (path) => inside("src/")(path) && path !== sealedColumnsFile,
    faults: (file) => file.sql.filter(({ glued }) => glued).map(({ text }) => text.trim().slice(0, 60)),
    // Written as concatenations, because these samples would be glued themselves.
    red: ["src/domain/wallet/queries.ts", "const a = `select id from wallets $" + "{filter}`;"],
    green: ["src/domain/wallet/queries.ts", "const list = `id, seq`;\nconst a = `select $" + "{list} from wallets`;"],
  },
  {
    name: "SQL of a domain room stands in its queries file; edges have none",
    style: 14,
    applies: (path) =>
      inside("src/")(path) && !inside("src/platform/")(path) && !isQueriesFile(path) && path !== invariantsFile,
    faults: (file) => file.sql.map(({ text }) => text.trim().slice(0, 60)),
    red: ["src/domain/wallet/wallet.ts", "const a = `select id\n from wallets`;"],
    green: ["src/domain/wallet/wallet.ts", 'const a = "Select a product first.";'],
  },
  {
    name: "a statement's name begins with one of the seven verbs, or is the SQL function that it calls",
    style: 15,
    applies: inside("src/"),
    faults: oddStatementNames,
    red: ["src/domain/wallet/queries.ts", 'const a = statement("get_pending", "select id from inflight");'],
    green: ["src/domain/wallet/queries.ts", 'const a = statement("claim_due", "select id from claim_due($1)");'],
  },
  {
    name: "a SQL function that batched connections alone call repeats none of their settings",
    style: 14,
    applies: inside("migrations/functions/"),
    faults: (file) => (/^-- called on: batched/m.test(file.text) ? inCode(settingOfBatched)(file) : []),
    red: [
      "migrations/functions/claim_due.sql",
      "-- called on: batched connections alone\nset enable_seqscan = off\nas $$",
    ],
    green: [
      "migrations/functions/claim_due.sql",
      "-- called on: batched connections alone\nset enable_sort = off\nas $$",
    ],
  },
  {
    name: "SQL files are at most 120 columns wide",
    style: 14,
    applies: isSql,
    faults: (file) =>
      isHandWritten(file)
        ? file.text
            .split("\n")
            .flatMap((line, index) => (line.length > 120 ? [`line ${index + 1}: ${line.length} columns`] : []))
        : [],
    red: ["migrations/0001_merchants.sql", `-- ${"x".repeat(120)}`],
    green: ["migrations/0001_merchants.sql", `-- ${"x".repeat(117)}`],
  },
];

const statementVerbs = /^(find|list|insert|update|claim|count|delete)_/;

/** `statement("…")` names that begin with none of the verbs; a call of a SQL function carries the function's name. */
function oddStatementNames(file: SourceFile): string[] {
  const named = [...file.code.matchAll(/\bstatement\(\s*"([^"]+)"([\s\S]{0,200})/g)];
  return named
    .filter(([, name = "", rest = ""]) => !statementVerbs.test(name) && !new RegExp(`\\b${name}\\s*\\(`).test(rest))
    .map(([, name = ""]) => name);
}
