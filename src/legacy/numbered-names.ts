import { refuseField } from "../kernel/problems.ts";

/** Something that these clients name by a number, or by one of several names. */
export interface NumberedName {
  readonly number: number;
  /** As answers write it. */
  readonly name: string;
  /** Other names, as letters and digits in lower case. */
  readonly others: readonly string[];
}

/** Cable operators, by the biller's slug. Numbers are those of most deployments of the older script. */
export const cableNames: Readonly<Record<string, NumberedName>> = {
  gotv: { number: 1, name: "GOTV", others: [] },
  dstv: { number: 2, name: "DSTV", others: [] },
  startimes: { number: 3, name: "STARTIME", others: ["startimes"] },
  showmax: { number: 4, name: "SHOWMAX", others: [] },
};

/** Discos, by the biller's slug. */
export const discoNames: Readonly<Record<string, NumberedName>> = {
  "ikeja-electric": { number: 1, name: "Ikeja Electric", others: ["ikedc"] },
  "eko-electric": { number: 2, name: "Eko Electric", others: ["ekedc"] },
  "abuja-electric": { number: 3, name: "Abuja Electric", others: ["aedc"] },
  "kano-electric": { number: 4, name: "Kano Electric", others: ["kedco"] },
  "enugu-electric": { number: 5, name: "Enugu Electric", others: ["eedc"] },
  "portharcourt-electric": { number: 6, name: "Port Harcourt Electric", others: ["phed", "phedc"] },
  "ibadan-electric": { number: 7, name: "Ibadan Electric", others: ["ibedc"] },
  "kaduna-electric": { number: 8, name: "Kaduna Electric", others: ["kaedco"] },
  "jos-electric": { number: 9, name: "Jos Electric", others: ["jed", "jedc"] },
  "benin-electric": { number: 10, name: "Benin Electric", others: ["bedc"] },
  "yola-electric": { number: 11, name: "Yola Electric", others: ["yedc"] },
  "aba-electric": { number: 12, name: "Aba Electric", others: ["abedc"] },
};

/** Exams, by the product's code. */
export const examNames: Readonly<Record<string, NumberedName>> = {
  "waec-checker": { number: 1, name: "WAEC", others: [] },
  "neco-token": { number: 2, name: "NECO", others: [] },
  "nabteb-checker": { number: 3, name: "NABTEB", others: [] },
  "nbais-checker": { number: 4, name: "NBAIS", others: [] },
  "waec-gce-checker": { number: 5, name: "WAEC GCE", others: [] },
  "jamb-utme": { number: 6, name: "JAMB", others: ["jambutme"] },
};

/** Reads what stands for one of these: its number or name, in any case, or its key. @throws Refusal VALIDATION_ERROR */
export function keyOf(names: Readonly<Record<string, NumberedName>>, field: string, sent: string | number): string {
  const word = plainTextOf(String(sent));
  const found = Object.entries(names).find(
    ([key, { number, name, others }]) =>
      word === String(number) || plainTextOf(name) === word || plainTextOf(key) === word || others.includes(word),
  );
  if (found !== undefined) return found[0];
  const known = Object.values(names).map(({ number, name }) => `${number} ${name}`);
  throw refuseField("VALIDATION_ERROR", field, `Must be a number (${known.join(", ")}) or a name.`);
}

/** `Ikeja Electricity` is `ikeja`, as `ikeja-electric` is. */
function plainTextOf(text: string): string {
  const word = text.toLowerCase().replace(/[^a-z0-9]+/g, "");
  return word.replace(/(?<=.)electric(ity)?$/, "");
}
