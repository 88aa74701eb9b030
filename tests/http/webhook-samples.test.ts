import { spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { copyFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { projectRoot } from "../architecture/source-text.ts";
import { isAtHand, mono, type ProgramLanguage, programLanguages } from "../support/program-languages.ts";
import { makeScratchDirectory } from "../support/scratch-directory.ts";

const guide = readFileSync(path.join(projectRoot, "docs/guides/verify-signatures.md"), "utf8");
const drivers = path.join(projectRoot, "tests/fixtures/webhook-samples");

/** What Standard Webhooks publishes. */
const vector = {
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
  timestamp: "1614265330",
  signatures: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  body: '{"test": 2432232314}',
  now: 1_614_265_330,
};
const fitting = vector.signatures;
const other = `v1,${Buffer.alloc(32, 1).toString("base64")}`;

function signedWith(key: string | Buffer): string {
  const { id, timestamp, body } = vector;
  return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
}

const cases: readonly (readonly [name: string, change: Partial<typeof vector>, accepted: boolean])[] = [
  ["the published vector", {}, true],
  ["two signatures, the new secret's first", { signatures: `${fitting} ${other}` }, true],
  ["two signatures, the new secret's last", { signatures: `${other} ${fitting}` }, true],
  ["two signatures, none of them fits", { signatures: `${other} ${other}` }, false],
  ["a body that was parsed and written again", { body: '{"test":2432232314}' }, false],
  ["a body with a line break more", { body: `${vector.body}\n` }, false],
  ["another body", { body: '{"test": 2432232315}' }, false],
  ["an empty body", { body: "" }, false],
  ["another id", { id: "msg_p5jXN8AQM9LWM0D4loKWxJel" }, false],
  ["another timestamp under the same signature", { timestamp: "1614265331" }, false],
  ["an old timestamp", { now: vector.now + 301 }, false],
  ["a timestamp of the future", { now: vector.now - 301 }, false],
  ["a timestamp five minutes old", { now: vector.now + 300 }, true],
  ["another secret", { secret: "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" }, false],
  ["the secret's text as the key", { signatures: signedWith(vector.secret) }, false],
  ["the undecoded part as the key", { signatures: signedWith(vector.secret.slice(6)) }, false],
  ["a signature without its version", { signatures: fitting.slice(3) }, false],
  ["another version", { signatures: fitting.replace("v1,", "v2,") }, false],
  ["the beginning of a signature", { signatures: fitting.slice(0, -1) }, false],
  ["no signature", { signatures: "" }, false],
  ["no timestamp", { timestamp: "" }, false],
  ["a timestamp that is no number", { timestamp: "yesterday" }, false],
  ["a timestamp beyond all numbers", { timestamp: "9".repeat(40) }, false],
  ["a text beside ASCII", { id: "müsli", signatures: "v1,ümlaut" }, false],
];

/** The code of a language as the guide shows it, its only one. */
function sampleOf({ fence }: ProgramLanguage): string {
  const found = [...guide.matchAll(new RegExp(`\`\`\`${fence}\n([\\s\\S]*?)\`\`\``, "g"))].map(
    (match) => match[1] ?? "",
  );
  expect(found, fence).toHaveLength(1);
  return found[0] ?? "";
}

/** What the guide's function says of each case. */
async function judge(language: ProgramLanguage, folder: string): Promise<readonly boolean[]> {
  const { ending } = language;
  const driver = /^\.(java|cs)$/.test(ending) ? `Driver${ending}` : `driver${ending}`;
  await copyFile(path.join(drivers, driver), path.join(folder, driver));
  const sample = ending === ".java" ? "WebhookSignature.java" : `sample${ending}`;
  await writeFile(path.join(folder, sample), sampleOf(language));
  const [program, ...words] = await language.build(folder, driver);
  const input = cases.map(([, change]) => {
    const { secret, id, timestamp, signatures, body, now } = { ...vector, ...change };
    return `${[secret, id, timestamp, signatures, Buffer.from(body).toString("base64"), now].join("\t")}\n`;
  });
  const lines = (await run(folder, program, words, input.join(""))).trim().split("\n");
  expect(lines.filter((line) => !/^(true|false)$/.test(line))).toEqual([]);
  return lines.map((line) => line === "true");
}

function run(cwd: string, program: string, words: readonly string[], input: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const running = spawn(program, words, {
      cwd,
      stdio: ["pipe", "pipe", "inherit"],
      env: { ...process.env, LC_ALL: "C.UTF-8" },
    });
    let printed = "";
    running.stdout.on("data", (chunk: Buffer) => {
      printed += chunk;
    });
    running.on("error", reject);
    running.on("close", (code) => (code === 0 ? resolve(printed) : reject(new Error(`${program} ended with ${code}`))));
    running.stdin.end(input);
  });
}

describe("the guide's functions accept what we signed, and nothing else", () => {
  for (const language of [...programLanguages, mono]) {
    const there = isAtHand(language);
    test.runIf(there)(`in ${language.name}${there ? "" : " (not installed here)"}`, { timeout: 120_000 }, async () => {
      const scratch = await makeScratchDirectory();
      try {
        const verdicts = await judge(language, scratch.folder);
        expect(cases.map(([name], at) => [name, verdicts[at]])).toEqual(
          cases.map(([name, , accepted]) => [name, accepted]),
        );
      } finally {
        await scratch.remove();
      }
    });
  }
});

test("every function compares in constant time", () => {
  const comparisons = /timingSafeEqual|hash_equals|compare_digest|hmac\.Equal|MessageDigest\.isEqual|FixedTimeEquals/;
  for (const language of programLanguages) expect(sampleOf(language), language.name).toMatch(comparisons);
});

test("the guide's vector is the one that is tried here", () => {
  for (const text of [vector.secret, vector.id, vector.timestamp, vector.body, vector.signatures]) {
    expect(guide).toContain(`\`${text}\``);
  }
});
