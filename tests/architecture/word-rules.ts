import type { SourceFile } from "./source-text.ts";
import type { TidyRule } from "./tidy-rule.ts";
import { findIn, inside } from "./tidy-rule.ts";

/** Names of a private vocabulary, each replaced by the trade's own term. */
const replacedNames = `
  Wish PricedWish Inquiry drawUp DrawnUp goods goodsOf Goods handedOver purchaseToldJson hearCallback Hearing
  askAgain Occasion saidBy askAboutCallback CallbackQuestion LateWord hearLateWord followVerdict putOff
  keepUnsent nextQuestion isTakenBack takeBack isWelcome sendElsewhere wordRetryMs throughLosses isUndone
  isServerShort bell pretence teaching Sightings isProof desk leaveDesk turnAway makeWay distrust isSilent
  isProven Pace setSlowAside queueUp letGo forgetOwed giveBack owe OwedEvent breathe linesPerBreath
  isCatalogueNewsDue Listener findUnmistakable meantBy standsFor passOverExpectations takePathsByLetter
  patienceOf atSlotEnds clientBeside takeTurn
`
  .trim()
  .split(/\s+/)
  .join("|");

/** Each meant published, logged, returned, received, due and more: refused as a part of a name. */
const vagueParts =
  "tell tells teller telling told untold owe owes owed hear heard unheard held wanted asked unasked noted"
    .split(" ")
    .map((part) => `[${part.charAt(0).toUpperCase()}${part.charAt(0)}]${part.slice(1)}`)
    .join("|");
const vague = new RegExp(`(^|_|[a-z0-9](?=[A-Z]))(${vagueParts})(?![a-z])`);

/** Words that the glossary replaces: [the word in a name, where it is banned, what to say]. */
const bannedWords: readonly (readonly [RegExp, (path: string) => boolean, string])[] = [
  [
    /[tT]ransaction(?!Id|Object|Summary|Limit)/,
    inside("src/domain/", "src/providers/"),
    "purchase; only the wire has transactions",
  ],
  [/^(is([sS]andbox|[tT]est)\w*|([sS]andbox|[tT]est)(Mode|Flag|Only))$/, inside("src/"), "mode"],
  [
    /[dD]eliver(y|ies)/,
    (path) =>
      inside("src/domain/", "src/providers/")(path) &&
      !inside("src/domain/webhooks/", "src/domain/webhooks/delivery/")(path),
    "fulfilment; a delivery is a webhook's",
  ],
  [/[iI]dempotency/, inside("src/"), "reference"],
  [/[vV]endor/, inside("src/"), "supplier"],
  [
    /^(txn|trx|amt|qty|cfg|msg|ctx|mgr|svc|acct|cust|req|res|err|cb|util|utils|helper|helpers|misc|stuff|foo|bar)$/i,
    inside("src/", "rigs/", "scripts/"),
    "the word in full",
  ],
  [new RegExp(`^(${replacedNames})$`), inside("src/", "tests/", "rigs/", "scripts/"), "the trade's own term"],
  [/^[a-z]\w*Word$/, inside("src/cli/"), "…Value, for what reads an argument"],
];

/** A comment's sentence that names no actor; one that begins with "Those" only where the comment does. */
const noActor =
  /(?<=^|\n)[ \t]*(?:\/\/|\/\*\*?|\*|--)(?: ?Those |(?: ?|.*[.:;!?] )(?:Who|Whom|Whoever|Whose|Nobody)\b)/;

export const wordRules: readonly TidyRule[] = [
  {
    name: "a file is named for its subject, not for being useful",
    style: 21,
    applies: () => true,
    faults: ({ path }) =>
      /(^|\/)(utils?|helpers?|common|shared|types|interfaces|misc|constants|index)(\/|\.[a-z.]+$)/.test(path)
        ? [path]
        : [],
    red: ["src/kernel/string-things/utils.ts", ""],
    green: ["src/kernel/phone.ts", ""],
  },
  {
    name: "one word has one meaning (docs/glossary.md)",
    style: 4,
    applies: inside("src/", "rigs/", "scripts/"),
    faults: bannedNames,
    red: ["src/domain/wallet/wallet.ts", "export function charge(transaction: Purchase) {}"],
    green: ["src/domain/wallet/wallet.ts", "export function charge(purchase: Purchase, transactionId: string) {}"],
  },
  {
    name: "a name says published, received, due or requested, not told, heard, owed or asked",
    style: 4,
    applies: inside("src/", "tests/", "rigs/", "scripts/"),
    faults: ({ names }) => names.filter((name) => vague.test(name)),
    red: ["src/domain/wallet/wallet.ts", "export function announce(untoldOrders: Order[]) {}"],
    green: ["src/domain/wallet/wallet.ts", "export function announce(dueOrders: Order[], threshold: Kobo) {}"],
  },
  {
    name: "a test's name is a promise of at least three words",
    style: 29,
    applies: (path) => /\.test\.tsx?$/.test(path),
    faults: vagueTestNames,
    red: ["tests/domain/wallet/wallet.test.ts", 'test("it works", () => {});'],
    green: ["tests/domain/wallet/wallet.test.ts", 'test("the same reference sent twice charges once", () => {});'],
  },
  {
    name: "a comment names its subject first",
    style: 26,
    applies: (path) => /\.(tsx?|mjs|sql)$/.test(path) && path !== "migrations/schema.sql",
    faults: ({ text }) => findIn(text, noActor),
    red: ["src/domain/wallet/wallet.ts", "/** It is over. Nobody waits any more. */\nexport const answer = 1;"],
    green: [
      "src/domain/wallet/wallet.ts",
      "/** The request whose response tells the end. */\nexport const answer = 1;",
    ],
  },
  {
    name: "nothing is left for later in a comment",
    style: 26,
    applies: (path) => !path.endsWith(".md"),
    faults: (file) =>
      findIn(
        file.text,
        new RegExp(["TO" + "DO", "FIX" + "ME", "X" + "XX", "HA" + "CK"].map((word) => `\\b${word}\\b`).join("|")),
      ),
    red: ["src/domain/wallet/wallet.ts", "// TO" + "DO: later"],
    green: ["src/domain/wallet/wallet.ts", "// later is never"],
  },
];

function bannedNames(file: SourceFile): string[] {
  const allowed = new Set(["inTransaction"]);
  return bannedWords
    .filter(([, applies]) => applies(file.path))
    .flatMap(([word, , instead]) =>
      file.names.filter((name) => word.test(name) && !allowed.has(name)).map((name) => `${name}: say ${instead}`),
    );
}

function vagueTestNames(file: SourceFile): string[] {
  const names = [...file.code.matchAll(/\b(?:test|it)(?:\.\w+(?:\([^)]*\))?)*\(\s*(["'`])(.+?)\1/g)].map(
    (match) => match[2] ?? "",
  );
  return names.filter((name) => name.split(/\s+/).length < 3);
}
