import type { JsonObject } from "../../../kernel/json.ts";
import type { StartingPart } from "../starting-product.ts";
import { describe, fixed, naira } from "../starting-product.ts";

// How many digits a PIN has stands where it is known: imports of vouchers are held to it (`vouchers format` changes it).
const waecCheck = "https://www.waecdirect.org";
const waecSerial = { pin_digits: 12, serial_prefix: "WRN", serial_digits: 9 };
/** A profile code names one candidate, so these are bought one at a time. */
const oneCandidate = { requires_profile_code: true, pin_digits: 16, check_url: "https://efacility.jamb.gov.ng" };

type Row = readonly [
  id: number,
  code: string,
  biller: string,
  name: string,
  faceNaira: number,
  priceNaira: number,
  isSample?: boolean,
];

const rows: readonly Row[] = [
  [5001, "waec-checker", "waec", "WAEC Result Checker PIN", 3_500, 3_250],
  [5002, "waec-gce-checker", "waec", "WAEC GCE Result Checker PIN", 3_500, 3_250, true],
  [5011, "waec-registration", "waec-registration", "WAEC Registration PIN", 14_450, 14_200],
  [5021, "neco-token", "neco", "NECO Result Token", 1_300, 1_230],
  [5031, "nabteb-checker", "nabteb", "NABTEB Result Checker PIN", 1_000, 940],
  [5041, "nbais-checker", "nbais", "NBAIS Result Checker PIN", 1_200, 1_130, true],
  [5051, "jamb-utme", "jamb", "JAMB UTME PIN without mock", 6_200, 6_050],
  [5052, "jamb-utme-mock", "jamb", "JAMB UTME PIN with mock", 7_700, 7_550],
  [5053, "jamb-direct-entry", "jamb", "JAMB Direct Entry PIN", 5_700, 5_550, true],
];

/** What each is for, by its code. */
const exams: Readonly<Record<string, JsonObject>> = {
  "waec-checker": { exam: "WASSCE", check_url: waecCheck, ...waecSerial },
  "waec-gce-checker": { exam: "WASSCE for private candidates", check_url: waecCheck, ...waecSerial },
  "waec-registration": { exam: "WASSCE registration", check_url: "https://registration.waecdirect.org", ...waecSerial },
  "neco-token": { exam: "SSCE", check_url: "https://results.neco.gov.ng", pin_digits: 12 },
  "nabteb-checker": { exam: "NABTEB", check_url: "https://eworld.nabteb.gov.ng" },
  "nbais-checker": { exam: "SAISSCE", check_url: "https://resultchecker.nbais.com.ng" },
  "jamb-utme": { exam: "UTME", ...oneCandidate },
  "jamb-utme-mock": { exam: "UTME with mock", ...oneCandidate },
  "jamb-direct-entry": { exam: "Direct Entry", ...oneCandidate },
};

/** Result checkers and registrations. Ids from 5001. */
export const education: StartingPart = {
  billers: [
    { slug: "waec", name: "WAEC Result Checker" },
    { slug: "waec-registration", name: "WAEC Registration" },
    { slug: "neco", name: "NECO" },
    { slug: "nabteb", name: "NABTEB" },
    { slug: "nbais", name: "NBAIS" },
    { slug: "jamb", name: "JAMB" },
  ].map((biller) => ({ ...biller, category: "education", customerField: "phone", customerLabel: "Phone number" })),
  products: rows.map(([id, code, biller, name, faceNaira, priceNaira, isSample = false]) => ({
    id,
    code,
    biller,
    name,
    plan: name,
    face: naira(faceNaira),
    maxQuantity: exams[code]?.requires_profile_code === true ? 1 : 5,
    attributes: exams[code] ?? {},
    price: fixed(priceNaira),
    description: describe(isSample),
  })),
};
