import { expect, test } from "vitest";
import { rememberAnswers } from "../../../src/http/merchant/biller-answers.ts";

/** Asks for texts of a length, and tells which had to be made. */
function open(length: number) {
  const answers = rememberAnswers<object>();
  const made: string[] = [];
  const ask = (of: object, key: string) =>
    answers(of, key, () => {
      made.push(key);
      return "x".repeat(length);
    });
  return { ask, made };
}

const now = {};
const keys = (count: number) => Array.from({ length: count }, (_, n) => `key ${n}`);

test("an answer is made once, until things change", () => {
  const { ask, made } = open(3);
  expect([ask(now, "a"), ask(now, "b"), ask(now, "a")]).toEqual(['"xxx"', '"xxx"', '"xxx"']);
  expect(made).toEqual(["a", "b"]);
  const later = {};
  ask(later, "a");
  ask(later, "a");
  expect(made).toEqual(["a", "b", "a"]);
});

test("long answers are forgotten before they take more than some sixteen million characters together", () => {
  const { ask, made } = open(1_000_000);
  for (const key of keys(15)) ask(now, key);
  for (const key of keys(15)) ask(now, key);
  expect(made).toEqual(keys(15));
  ask(now, "one more");
  ask(now, "key 0");
  expect(made).toEqual([...keys(15), "one more", "key 0"]);
});

test("an answer longer than all that may be remembered is answered, and takes no other's place", () => {
  const answers = rememberAnswers<object>();
  answers(now, "short", () => "as it was");
  expect(answers(now, "long", () => "x".repeat(17_000_000))).toHaveLength(17_000_002);
  expect(answers(now, "long", () => "made again")).toBe('"made again"');
  expect(answers(now, "short", () => "made again")).toBe('"as it was"');
});

test("many short answers are forgotten as well", () => {
  const { ask, made } = open(0);
  for (const key of keys(100_000)) ask(now, key);
  ask(now, "key 0");
  expect(made).toHaveLength(100_001);
});
