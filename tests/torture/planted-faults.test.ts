import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { plantedFaults, supplierFaults } from "../../rigs/torture/planted/faults.ts";
import { fundingFaults } from "../../rigs/torture/planted/funding-faults.ts";
import { faultyFiles } from "../../rigs/torture/planted/plant.ts";

const projectRoot = path.resolve(import.meta.dirname, "../..");

describe("what the torture is shown to notice can still be planted", () => {
  test.each([...plantedFaults, ...supplierFaults, ...fundingFaults])(
    "the sources have the place for $name",
    async (fault) => {
      const files = await faultyFiles(fault, projectRoot);
      const added = (fault.adds ?? []).map(({ file }) => file);
      for (const [file, text] of files) {
        const present = added.includes(file) ? "" : await readFile(path.join(projectRoot, file), "utf8");
        expect(text).not.toBe(present);
      }
      expect(files.size).toBeGreaterThan(0);
    },
  );

  test("a text that no longer stands there once is told by its file", async () => {
    const { file } = plantedFaults[0]!.edits[0]!;
    const gone = { ...plantedFaults[0]!, edits: [{ file, from: "nobody ever wrote this", to: "" }] };
    await expect(faultyFiles(gone, projectRoot)).rejects.toThrow(`${file} has no single place`);
  });

  test("there are the nine that the money's rules name, one about silence and one about goods, four about suppliers' words, and three about money that comes in", () => {
    expect(plantedFaults.map(({ name }) => name)).toHaveLength(11);
    expect(supplierFaults.map(({ name }) => name)).toHaveLength(4);
    expect(fundingFaults.map(({ name }) => name)).toHaveLength(3);
  });
});
