import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { Readable } from "node:stream";
import { expect, test } from "vitest";
import { closing } from "../support/closing.ts";
import { ownDatabase } from "../support/merchants.ts";
import { operate } from "../support/operate.ts";

// Merchants are made 250 at a time. Their keys are shown once, so whoever exists must have been shown.
const own = closing(await ownDatabase());

const words = (name: string, count: number) => [
  ...["create-merchant", "--name", name, "--email", "load@example.com", "--approve", "--credit", "100.00"],
  ...["--no-bank-reference", "--count", String(count)],
];

/** The command in a process of its own, which can be sent signals and have its output closed. */
function begin(...given: string[]): ChildProcessByStdio<null, Readable, Readable> {
  const program = path.resolve(import.meta.dirname, "../../dist/operator.js"); // the global setup bundled it
  const child = spawn(process.execPath, [program, ...given], {
    env: { PATH: process.env.PATH ?? "", DATABASE_URL: own.fresh.url },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const output of [child.stdout, child.stderr]) output.setEncoding("utf8");
  return child;
}

async function textOf(output: Readable): Promise<string> {
  let text = "";
  for await (const part of output) text += part;
  return text;
}

async function existing(name: string): Promise<string[]> {
  const { rows } = await own.fresh.pool.query(
    "select 'mer_' || id as id from merchants m where name like $1 order by m.id",
    [`${name} %`],
  );
  return rows.map(({ id }) => id);
}

const shownIn = (out: string) => out.match(/mer_\d+/g) ?? [];

test.each(["SIGINT", "SIGTERM"] as const)(
  "%s in the middle leaves no merchant whose keys were not shown",
  async (signal) => {
    const child = begin(...words(signal, 5_000));
    const [out, error] = [textOf(child.stdout), textOf(child.stderr)];
    await expect.poll(() => existing(signal).then(({ length }) => length)).toBeGreaterThan(0);
    child.kill(signal);
    const [code] = await once(child, "close");
    expect(code).toBe(signal === "SIGINT" ? 130 : 143);
    const made = await existing(signal);
    expect(made.length).toBeLessThan(5_000);
    expect(shownIn(await out)).toEqual(made);
    expect((await out).match(/ds_live_/g)).toHaveLength(made.length);
    expect(await error).toBe(
      `Interrupted. ${made.length} of 5000 merchants exist; their keys were written out, this once. Those not read: create-key makes others.\n`,
    );
  },
);

test("an output that nobody reads any more ends it quietly, before it makes them all", async () => {
  const child = begin(...words("Unread", 5_000), "--json");
  const error = textOf(child.stderr);
  await once(child.stdout, "data");
  child.stdout.destroy();
  const [code] = await once(child, "close");
  const made = await existing("Unread");
  const [said, from, to] = /mer_(\d+) to mer_(\d+) went nowhere: nobody was reading\.\n$/.exec(await error) ?? [];
  expect([code, await error]).toEqual([
    1,
    expect.stringMatching(new RegExp(`^Interrupted\\. ${made.length} of 5000 merchants exist; `)),
  ]);
  // Exactly one set could not be told, and it is the last that exists.
  expect([said === undefined, `mer_${to}`, Number(to) - Number(from)]).toEqual([false, made.at(-1), 249]);
  expect(made.length).toBeLessThan(5_000);
});

test("a failure in the middle says how many exist, after their keys", async () => {
  await own.fresh.pool.query("alter table merchants add constraint unwanted check (name <> 'Halfway 600')");
  const { code, out, error } = await operate(words("Halfway", 1_000), { DATABASE_URL: own.fresh.url });
  const made = await existing("Halfway");
  expect([code, made.length, shownIn(out)]).toEqual([1, 500, made]);
  expect(error).toContain("500 of 1000 merchants exist; their keys were written out, this once.");
  expect(error).toContain(`merchants --after ${made.at(-1)}\n`);
});

test("a reader that has enough, as head has, is no failure of a command", async () => {
  await operate(words("Many", 1_000), { DATABASE_URL: own.fresh.url });
  const child = begin("merchants", "--json");
  const error = textOf(child.stderr);
  child.stdout.destroy();
  const [code] = await once(child, "close");
  expect([code, await error]).toEqual([0, ""]);
});
