import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { playWalkthrough } from "../../scripts/walkthrough/play.ts";
import { openMask } from "../../scripts/walkthrough/transcript.ts";
import { closing } from "../support/closing.ts";
import { freshDatabase } from "../support/database.ts";
import { makeScratchDirectory } from "../support/scratch-directory.ts";

const fresh = closing(await freshDatabase());
const scratch = closing(await makeScratchDirectory());

test("the walkthrough goes as docs/walkthrough.out tells it (renew with npm run walkthrough -- --write)", async () => {
  const mask = openMask();
  let transcript = "";
  await playWalkthrough({
    environment: { DATABASE_URL: fresh.url, DATA_DIR: scratch.folder },
    print: (text) => {
      transcript += mask(text);
    },
  });
  const reply = readFileSync(path.resolve(import.meta.dirname, "../../docs/walkthrough.out"), "utf8");
  expect(transcript.split("\n")).toEqual(reply.split("\n"));
});

test("a masked value keeps its number, and another one has another", () => {
  const mask = openMask();
  const [one, other] = ["SBX01M7XRBR6700000QF3QKD12DGC", "SBX01M7XVW9H000000TQ341MS3HQR"];
  expect(mask(`${one} ${other} SIM-${one}-1`)).toBe("SBX<id 1> SBX<id 2> SIM-SBX<id 1>-1");
  expect(mask(`${other} at 2026-11-21T01:33:37+01:00`)).toBe("SBX<id 2> at <time>");
  expect(mask('"secret_hint": "whsec_…YDk=", "secret": "whsec_2b2fpUS3IHDoTNQdQBN/2dGmKYM0k0Yv"')).toBe(
    '"secret_hint": "whsec_…<end>", "secret": "whsec_<secret 1>"',
  );
  expect(mask('"amount": "5000.00", "phone": "08031234567"')).toBe('"amount": "5000.00", "phone": "08031234567"');
});
