import type { TidyRule } from "./tidy-rule.ts";
import { findIn, inCode, inside, isHandWritten, isSql, lineCount } from "./tidy-rule.ts";

/** The only files that may ask which mode it is: everywhere else mode chooses a wallet or a connector, never a branch. */
export const filesThatAskForMode = [
  "src/domain/purchases/buying/route-for.ts",
  "src/domain/suppliers/routing/routing.ts",
  "src/domain/bulk-orders/bulk-object.ts",
  "src/domain/merchants/limits/limits.ts",
  "src/domain/merchants/keyring.ts",
  "src/domain/resolution/requery/reschedule-requery.ts",
  "src/domain/purchases/transaction-object.ts",
  "src/domain/webhooks/events/event.ts",
  "src/http/merchant/verification.ts",
  "src/http/merchant/wallet.ts",
  // Pages that say what differs: live keys need approved access, and only the sandbox is reset.
  "src/console/merchant/keys/keys.tsx",
  "src/console/merchant/keys/key.tsx",
  "src/console/merchant/transactions/receipt.tsx",
];

export const codeRules: readonly TidyRule[] = [
  {
    name: "the domain and the edge refuse or assert; they never make a bare Error",
    style: 8,
    applies: inside("src/domain/", "src/http/"),
    faults: inCode(/\bnew (Type|Range)?Error\(/),
    red: ["src/domain/wallet/wallet.ts", 'throw new Error("no money");'],
    green: ["src/domain/wallet/wallet.ts", '// never new Error(\nthrow refuse("INSUFFICIENT_BALANCE");'],
  },
  {
    name: "time and chance are parameters in the kernel and the domain",
    style: 24,
    applies: inside("src/domain/", "src/kernel/"),
    faults: inCode(
      /\bDate\.now\b|\bMath\.random\b|\b(set(Timeout|Interval|Immediate)|random(Bytes|UUID|Int|FillSync)|getRandomValues)\b|\bnew Date\(\s*\)|\bperformance\.now\b/,
    ),
    red: ["src/domain/wallet/wallet.ts", "const now = new Date();"],
    green: ["src/domain/wallet/wallet.ts", "const now = new Date(clock.now());"],
  },
  {
    name: "a hand-written file of SQL is at most 300 lines long",
    style: 19,
    applies: isSql,
    faults: (file) => (isHandWritten(file) && lineCount(file.text) > 300 ? [`${lineCount(file.text)} lines`] : []),
    red: ["migrations/0001_wallets.sql", "x;\n".repeat(301)],
    green: ["migrations/0001_wallets.sql", "x;\n".repeat(300)],
  },
  {
    name: "the sandbox is not an if: only the listed files ask for the mode",
    style: 4,
    applies: (path) => inside("src/")(path) && !filesThatAskForMode.includes(path),
    faults: inCode(
      // An assert is no branch.
      /(?<!\bassert\([^\n]*)\b[mM]ode\s*[!=]==?\s*"(test|live)"|"(test|live)"\s*[!=]==?\s*[\w.]*\b[mM]ode\b|\bcase "(test|live)":/,
    ),
    red: ["src/domain/purchases/buying/buy.ts", 'if (principal.mode === "test") return;'],
    green: ["src/domain/suppliers/routing/routing.ts", 'if (mode === "test") return simulatorAlone;'],
  },
  {
    name: "no network call where a transaction can be open",
    style: 11,
    applies: inside("src/"),
    faults: (file) =>
      /\bfrom "[^"]*(http-client|undici)(\.ts)?"/.test(file.code) && /\bTx\b|\.transaction\(/.test(file.code)
        ? ["the HTTP client and a transaction in one file"]
        : [],
    red: [
      "src/domain/webhooks/delivery/deliver.ts",
      'import { post } from "../../platform/http-client.ts";\nexport async function deliver(tx: Tx) {}',
    ],
    green: ["src/domain/webhooks/delivery/deliver.ts", 'import { post } from "../../platform/http-client.ts";'],
  },
  {
    name: "a rounding of money has a name: no bare Math.round, toFixed or parseFloat",
    style: 3,
    applies: inside("src/kernel/", "src/domain/", "src/providers/"),
    faults: inCode(/\bMath\.round\b|\.toFixed\(|\bparseFloat\b/),
    red: ["src/domain/catalogue/pricing.ts", "const price = Math.round(face * 0.975);"],
    green: ["src/domain/catalogue/pricing.ts", "const price = discountKoboFloor(face, basisPoints(250n));"],
  },
  {
    name: "everything has a bound: no endless loop",
    style: 25,
    applies: inside("src/"),
    faults: inCode(/\bwhile\s*\(\s*(true|1)\s*\)|\bfor\s*\(\s*;\s*;\s*\)/),
    red: ["src/workers/requery-pending.ts", "while (true) await next();"],
    green: ["src/workers/requery-pending.ts", "while (!stopping) await next();"],
  },
  {
    name: "no module augmentation, ambient types or patched prototypes",
    style: 22,
    applies: (path) => inside("src/", "tests/", "rigs/", "scripts/")(path),
    faults: (file) => [
      ...findIn(file.code, /\bdeclare (module|global)\b|\b[A-Z]\w+\.prototype\.\w+\s*=[^=]/),
      ...(file.path.endsWith(".d.ts") ? ["an ambient file"] : []),
    ],
    red: ["src/main/build-http.ts", "BigInt" + ".prototype.toJSON = toText;"],
    green: ["src/kernel/ids.ts", "declare const brand: unique symbol;"],
  },
  {
    name: "the compiler is never silenced",
    style: 1,
    applies: inside("src/"),
    faults: (file) => findIn(file.text, /@ts-(ignore|nocheck|expect-error)\b/),
    red: ["src/main/build-http.ts", "// @ts-expect-error it works"],
    green: ["src/main/build-http.ts", "// it works"],
  },
];
