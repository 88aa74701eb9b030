import { codeRules } from "./code-rules.ts";
import type { SourceFile } from "./source-text.ts";
import { analyse } from "./source-text.ts";
import { sqlRules } from "./sql-rules.ts";
import type { TidyRule } from "./tidy-rule.ts";
import { walletRules } from "./wallet-rules.ts";
import { wordRules } from "./word-rules.ts";

/** Every rule of the house that neither compiler, Biome nor cruiser can hold. */
export const tidyRules: readonly TidyRule[] = [...codeRules, ...sqlRules, ...walletRules, ...wordRules];

/** All that is wrong with a file, as `path: fault (rule)`. */
export function tidyFaults(file: SourceFile): string[] {
  return tidyRules
    .filter((rule) => rule.applies(file.path))
    .flatMap((rule) =>
      rule.faults(file).map((fault) => `${file.path}: ${fault} (${rule.name}; STYLE.md ${rule.style})`),
    );
}

/** What one rule says about a sample. */
export function faultsOf(rule: TidyRule, [path, text]: readonly [string, string]): readonly string[] {
  return rule.applies(path) ? rule.faults(analyse(path, text)) : [];
}
