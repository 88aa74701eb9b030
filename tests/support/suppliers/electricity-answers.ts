/** Answers about electricity, in every spelling that we thought of, and what a sale must come to. */
const [A, B, C, D] = ["11112222333344445555", "66667777888899990000", "26362054405982757802", "98989898767676765454"];
const grouped = (digits: string, sign: string) => digits.replace(/(.{4})(?=.)/g, `$1${sign}`);
export const meterNumber = "45012345678";

export const tokenOfMain = C!;
export const tokensNamed: Readonly<Record<string, string>> = { [A!]: "A", [B!]: "B", [C!]: "C", [D!]: "D" };

export const main = "main C";
const changed = "kct1 A, kct2 B, main C";
const withBonus = "main C, bonus D";
const all = "kct1 A, kct2 B, main C, bonus D";
export const aPerson = "a person with the answer";
const later = "asked again with the answer";

export const answers: readonly (readonly [what: string, goods: object, expected: string])[] = [
  // Names of the token alone.
  ...[
    "token",
    "Token",
    "TOKEN",
    "mainToken",
    "main_token",
    "MainToken",
    "standardToken",
    "standard_token",
    "metertoken",
  ].map((name) => [`named ${name}`, { [name]: C }, main] as const),
  ...["meterToken", "Meter Token", "creditToken", "CreditToken", "energyToken", "purchased_code", "purchasedCode"].map(
    (name) => [`named ${name}`, { [name]: C }, main] as const,
  ),
  ...[
    "stsToken",
    "STS_Token",
    "prepaid_token",
    "recharge_token",
    "tokenNumber",
    "token_no",
    "tokenCode",
    "pin",
    "PIN",
  ].map((name) => [`named ${name}`, { [name]: C }, main] as const),
  // How a text announces it.
  ...[
    "Token : ",
    "Token:",
    "token=",
    "Tok: ",
    "TOKEN - ",
    "STS: ",
    "STS Token: ",
    "Credit Token: ",
    "Prepaid token: ",
  ].map((before) => [`announced by "${before}"`, { token: `${before}${C}` }, main] as const),
  ...[
    "PIN: ",
    "Your token is ",
    "Dear customer, your electricity token is ",
    "Token (20 digits): ",
    "Token No. ",
    "",
  ].map((before) => [`announced by "${before}"`, { token: `${before}${C}` }, main] as const),
  // Its groups.
  ...["-", " ", " - ", "\u2013", "\u2011", "\u2212", "\u00a0", ".", "_", "/"].map(
    (sign) => [`in groups apart by "${sign}"`, { token: `Token: ${grouped(C!, sign)}` }, main] as const,
  ),
  [
    "in other digits",
    {
      token:
        "\uff12\uff16\uff13\uff16\uff12\uff10\uff15\uff14\uff14\uff10\uff15\uff19\uff18\uff12\uff17\uff15\uff17\uff18\uff10\uff12",
    },
    main,
  ],
  ["twice, grouped and not", { token: C, token_formatted: grouped(C!, "-"), purchased_code: `Token : ${C}` }, main],
  ["with its units in one text", { token: `Token: ${C}, Units: 79.9 kWh, Amount: N2,000.00` }, main],
  ["with its units before it", { token: `Units: 79.9kWh Token: ${grouped(C!, " ")} Amount: 100000` }, main],
  [
    "with the meter's number before a key change's",
    { token: C, note: `KCT1 for meter no. ${meterNumber}: ${A}`, kct2: B },
    changed,
  ],
  ["with another meter's number before a key change's", { token: `KCT1 for meter 45098765432: ${A}` }, aPerson],
  ["two numbers of 20 digits together", { token: "12345678 123456789012" }, aPerson],
  ["with the meter's number", { token: `Token for meter ${meterNumber}: ${C}` }, main],
  ["with a date", { token: `${C} 2026-11-20 12:37:04` }, main],
  ["with a receipt's number of 20 digits", { token: `Receipt No: ${D}; Token: ${C}` }, main],
  ["beside references of 20 digits", { token: C, reference: D, receiptNo: A, transaction_id: B }, main],
  ["beside amounts", { token: C, tokenAmount: 100000, tokenValue: 186047, units: "79.9", tokenUnits: 123456 }, main],
  ["with nothing to change", { token: C, kct1: "N/A", kct2: "", bonusToken: "0", resetToken: null }, main],
  ["with nothing to change, in its text", { token: `Token: ${C}, KCT1: N/A, KCT2: N/A` }, main],
  ["within an object", { data: { token: C } }, main],
  ["within a token", { token: { value: C, units: "79.9", amount: 250000 } }, main],
  ["in a list of one", { tokens: [C] }, main],
  // Key changes.
  ...(
    [
      ["kct1", "kct2"],
      ["KCT1", "KCT2"],
      ["Kct1", "Kct2"],
      ["kct_1", "kct_2"],
      ["KCT 1", "KCT 2"],
      ["kctToken1", "kctToken2"],
      ["keyChangeToken1", "keyChangeToken2"],
      ["key_change_token_1", "key_change_token_2"],
      ["Key Change Token 1", "Key Change Token 2"],
      ["firstKct", "secondKct"],
      ["resetToken", "configureToken"],
      ["ResetToken", "ConfigureToken"],
      ["reset_token", "configure_token"],
      ["Reset", "Configure"],
      ["RESET", "CONFIG"],
    ] as const
  ).flatMap(
    ([one, two]) =>
      [
        [`${one} and ${two} before the token`, { [one]: A, [two]: B, token: C }, changed],
        [`${two} and ${one} behind the token`, { token: C, [two]: B, [one]: A }, changed],
        [`${one} and ${two} in one text`, { token: `${one}: ${A}, ${two}: ${B}, Token: ${C}` }, changed],
        [`${one} and ${two} in one text, last`, { token: `Token: ${C} ${two}: ${B} ${one}: ${A}` }, changed],
        [
          `${one} and ${two} as kinds`,
          {
            tokens: [
              { type: two, value: B },
              { type: one, value: A },
              { type: "main", value: C },
            ],
          },
          changed,
        ],
      ] as const,
  ),
  ...[", ", "; ", " | ", "\n", "\r\n", "<br>", "<br/>", " ", "||", "\\n", " / "].map(
    (sign) =>
      [
        `three in one text apart by "${sign}"`,
        { token: [`KCT1: ${A}`, `KCT2: ${B}`, `Token: ${C}`].join(sign) },
        changed,
      ] as const,
  ),
  ["labels without colons", { token: `KCT1 ${A} KCT2 ${B} Token ${C}` }, changed],
  [
    "labels with numbers apart",
    { token: `KCT 1 ${grouped(A!, " ")}, KCT 2 ${grouped(B!, " ")}, Token ${grouped(C!, " ")}` },
    changed,
  ],
  ["labels on lines of their own", { token: `KCT1\n${A}\nKCT2\n${B}\nToken\n${C}` }, changed],
  ["labels on lines of their own, with colons", { token: `KCT1:\n${A}\nKCT2:\n${B}\nToken:\n${C}` }, changed],
  ["labels behind", { token: `${A} (KCT1), ${B} (KCT2), ${C} (Token)` }, changed],
  ["1st and 2nd", { token: `1st KCT: ${A}; 2nd KCT: ${B}; Token: ${C}` }, changed],
  ["two of a field named for both", { token: C, keyChangeTokens: [A, B] }, changed],
  ["40 digits of a field named for both", { token: C, kct: `${A}${B}` }, changed],
  ["objects with their tokens", { kct1: { token: A }, kct2: { token: B }, mainToken: { token: C } }, changed],
  [
    "names and values",
    {
      info: [
        { name: "Token", value: C },
        { name: "KCT1", value: A },
        { name: "KCT2", value: B },
        { name: "Receipt No", value: D },
      ],
    },
    changed,
  ],
  ["a list of objects by name", { tokens: [{ kct1: A }, { kct2: B }, { token: C }] }, changed],
  [
    "a list with kinds in words",
    {
      tokens: [
        { description: "Key Change Token 1", token: A },
        { description: "Key Change Token 2", token: B },
        { description: "Credit Token", token: C },
      ],
    },
    changed,
  ],
  // Bonus tokens.
  ...[
    "bonusToken",
    "BonusToken",
    "bonus_token",
    "Bonus Token",
    "BSST",
    "bsstToken",
    "BSST Token",
    "freeUnitsToken",
  ].map((name) => [`a ${name}`, { [name]: D, token: C }, withBonus] as const),
  ["a bonus in one text", { token: `Token: ${C}, Bonus Token: ${D}` }, withBonus],
  ["a bonus in one text, first", { token: `BSST: ${D} Token: ${C}` }, withBonus],
  [
    "a bonus by kind",
    {
      token: C,
      tokens: [
        { type: "bonus", value: D },
        { type: "main", value: C },
      ],
    },
    withBonus,
  ],
  ["all four", { bonusToken: D, token: C, kct2: B, kct1: A }, all],
  ["all four in one text", { token: `Token: ${C}\nBonus: ${D}\nKCT1: ${A}\nKCT2: ${B}` }, all],
  // What nobody can know.
  ["two in one text", { token: `${A}, ${C}` }, aPerson],
  ["two in one text, blanks apart", { token: `${A} ${C}` }, aPerson],
  ["two in a list", { tokens: [A, C] }, aPerson],
  ["two numbered", { token1: A, token2: C }, aPerson],
  ["two names of the token", { token: A, mainToken: C }, aPerson],
  ["40 digits", { token: `${A}${C}` }, aPerson],
  ["60 digits", { token: `${A}${B}${C}` }, aPerson],
  ["60 digits in groups", { token: grouped(`${A}${B}${C}`, "-") }, aPerson],
  ["a field that nobody knows", { token: C, whatever: D }, aPerson],
  ["only a field that nobody knows", { token: "", whatever: C }, aPerson],
  ["a word that nobody knows", { token: `Clear Tamper Token: ${A}` }, aPerson],
  ["a tamper's token beside it", { token: C, clearTamperToken: A }, aPerson],
  ["a kind that nobody knows", { tokens: [{ type: "clear tamper", token: A }] }, aPerson],
  ["a debt's token", { token: `Token: ${C}, Debt Token: ${D}` }, aPerson],
  ["one key change twice", { token: C, kct1: A, KCT1: B }, aPerson],
  ["a third key change", { token: C, kct1: A, kct2: B, kct3: D }, aPerson],
  ["a field and a text that contradict", { kct1: `KCT2: ${A}`, token: C }, aPerson],
  ["one key change without its number", { token: C, keyChangeToken: A }, aPerson],
  ["key changes alone", { kct1: A, kct2: B }, aPerson],
  ["a bonus alone", { bonusToken: D }, aPerson],
  ["the same digits as key change and token", { token: A, kct1: A, kct2: B }, aPerson],
  ["labels that may stand before or behind", { token: `${A} KCT1 ${B} KCT2 ${C} Token` }, aPerson],
  ["labels that may stand before or behind, in lines", { token: `${A}\nKCT1\n${B}\nKCT2\n${C}` }, aPerson],
  ["labels of two kinds", { token: `Tokens: ${A} KCT1 ${B} KCT2 ${C}` }, aPerson],
  ["one label for all", { token: `Tokens (KCT1, KCT2 and main): ${A}, ${B}, ${C}` }, aPerson],
  ["19 digits", { token: C!.slice(1) }, aPerson],
  ["21 digits", { token: `${C}1` }, aPerson],
  ["21 digits in groups", { token: `${grouped(C!, "-")}-1` }, aPerson],
  ["19 digits of a key change", { token: C, kct1: A!.slice(1), kct2: B }, aPerson],
  ["the meter's number", { token: meterNumber }, aPerson],
  ["the receipt's number of 20 digits", { token: C, reference: C }, aPerson],
  // What says no, and delivers.
  [
    "a failure beside a token",
    {
      Status: "failed",
      statuscode: "500",
      status: "ORDER_CANCELLED",
      code: "016",
      content: { transactions: { status: "failed" } },
      token: C,
    },
    aPerson,
  ],
  // What follows, as a rule.
  ["no token yet", { token: "" }, later],
  ["a word instead of a token", { token: "Token generation pending" }, later],
  ["nothing but key changes that are none", { token: "N/A", kct1: "N/A", kct2: "N/A" }, later],
];
