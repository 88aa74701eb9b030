import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { describe, test } from "vitest";
import { startAnswering } from "../support/answering-server.ts";
import { closing } from "../support/closing.ts";
import { isAtHand } from "../support/program-languages.ts";
import { makeScratchDirectory } from "../support/scratch-directory.ts";
import { judge } from "../support/sdk-judges.ts";
import { placeSdks, sdkClients } from "../support/sdk-languages.ts";

/** Never answers. */
const server = closing(await startAnswering(() => {}));
const url = `http://127.0.0.1:${server.port}`;
const php = sdkClients.find(({ name }) => name === "PHP");

describe.concurrent("a purchase that is stopped from outside keeps its reference, and may have been bought", () => {
  for (const language of sdkClients) {
    const there = isAtHand(language);
    test.runIf(there)(`in ${language.name}${there ? "" : " (not installed here)"}`, async ({ expect }) => {
      const line = { kind: "stop", language: language.name, url };
      const verdicts = await judge(language, [{ ...line, after: 0.5 }]);
      expect(verdicts).toEqual([{ charged: "unknown", isKept: true }]);
      // What was not sent yet charged nothing.
      if (language.name !== "Node") return;
      expect(await judge(language, [{ ...line, after: 0 }])).toEqual([{ charged: "no", isKept: true }]);
    });
  }

  const isThere = php !== undefined && isAtHand(php);
  const program = async (code: string) => {
    const scratch = await makeScratchDirectory();
    const found = await placeSdks(scratch.folder);
    await writeFile(path.join(scratch.folder, "main.php"), `<?php require 'vendor/autoload.php'; ${code}`);
    const environment = { ...process.env, ...found, DISPENSE_URL: url, DISPENSE_KEY: "ds_test_php" };
    const options = { cwd: scratch.folder, env: environment };
    const ended: Promise<{ stdout: string; stderr: string }> = promisify(execFile)("php", ["main.php"], options);
    return ended.catch((failed) => failed).finally(() => scratch.remove());
  };

  test.runIf(isThere)("PHP that a time limit ends says in its log which purchase was under way", async ({ expect }) => {
    const { stderr } = await program(`

      $factory = new GuzzleHttp\\Psr7\\HttpFactory();
      $busy = function () { while (true) { hash('sha256', 'busy'); } };
      $sender = new Dispense\\Sender('ds_test_php', '${url}', new GuzzleHttp\\Client(), $factory, $factory, sleep: $busy, timeout: 0.3);
      set_time_limit(1);
      (new Dispense\\Dispense($sender))->buyAirtime(reference: 'cut-1', network: 'MTN', phone: '08031234567', amount: '100');`);
    expect(stderr).toContain("cut-1 may have been bought");
  });

  test.runIf(isThere)("PHP's calls end within 25 seconds, and sooner where one call is told so", async ({ expect }) => {
    const { stdout } = await program(`
      use Dispense\\{CallOptions, Dispense};
      $waits = [new CallOptions(deadline: 1.0), new CallOptions(timeout: 0.2, attemptsMax: 2), null];
      foreach ($waits as $options) {
        $began = microtime(true);
        try {
          Dispense::create()->buyAirtime(network: 'MTN', phone: '08031234567', amount: '100', options: $options);
        } catch (\\Dispense\\Errors\\NoAnswerException $error) {
          echo round(microtime(true) - $began), ' ', $error->charged, ' ';
        }
      }`);
    expect(stdout).toMatch(/^1 unknown 1 unknown 25 unknown $/);
  });
});
