import { maskedWords } from "../../../domain/history/search/timeline.ts";

const whyMax = 60;
/** Where suppliers put their sentence. */
const sentence = /"(?:message|error|description|reason|msg)"\s*:\s*"([^"]+)"/i;

/** Why a sale waits for a person: its supplier's last sentence, shortened, secrets masked. */
export function whyText(answer: string | null): string {
  if (answer === null) return "No answer";
  const masked = maskedWords(sentence.exec(answer)?.[1] ?? answer).replaceAll(/\s+/g, " ");
  return masked.length > whyMax ? `${masked.slice(0, whyMax - 1)}…` : masked;
}

/** The same for all sales that wait for one cause: without the numbers and names that each answer has of its own. */
export function causeText(answer: string | null): string {
  return whyText(answer).replaceAll(/\S*\d\S*/g, "…");
}
