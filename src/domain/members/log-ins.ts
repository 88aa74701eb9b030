import { auditDetails } from "../audit/audit-log.ts";
import { insertEntry } from "../audit/audit-queries.ts";
import { newPlace } from "../identity/emails/email-texts.ts";
import { choicesLine, momentWords } from "../identity/emails/email-words.ts";
import { browserName } from "../identity/people/browser-name.ts";
import { auditName, type Person } from "../identity/people/person.ts";
import { type PeopleServices, sendNotice } from "../identity/people/send-notice.ts";
import type { Origin } from "../identity/people/sessions.ts";
import { rememberDevice } from "../identity/people/throttle.ts";
import { formatMerchantId } from "../merchants/merchant.ts";
import { listEmailChoices } from "./email-choice-queries.ts";
import { emailKinds } from "./email-kinds.ts";
import { listMembershipRows } from "./queries.ts";

/** Businesses whose log has a log-in; hardly anybody belongs to two. */
const entriesMax = 20;

/**
 * Enters a log-in, before its browser gets its session, in the log of each business that the person belongs to; and writes to
 * the person where the account was used before, but never with this device.
 */
export async function noteLogIn(
  services: PeopleServices,
  {
    person,
    device,
    source,
    origin,
    publicUrl,
  }: {
    readonly person: Person;
    /** What the browser is known again by. */
    readonly device: string;
    /** See `sourceOf`. */
    readonly source: string;
    readonly origin: Origin;
    readonly publicUrl: string | null;
  },
): Promise<void> {
  const { database, clock, wallTime } = services;
  const { address, agent } = origin;
  const browser = browserName(agent);
  await database.transaction(async (tx) => {
    const isNew = await rememberDevice(tx, clock, person, { device, source });
    const chosen = await listEmailChoices(tx, person.id, 0);
    const isOn = chosen.find(({ kind }) => kind === "new_place")?.isOn ?? emailKinds.new_place.isUsual;
    if (isNew && isOn && person.emailVerifiedAt !== null) {
      const at = momentWords(wallTime, clock.now());
      await sendNotice(tx, services, person, (frame) =>
        newPlace(frame, { at, browser, address, choices: choicesLine(publicUrl) }),
      );
    }
    const businesses = (await listMembershipRows(tx, person.id)).slice(0, entriesMax);
    for (const { merchant_id: merchantId } of businesses) {
      const details = auditDetails({ merchant: formatMerchantId(merchantId), browser, address, isNewDevice: isNew });
      await insertEntry(tx, { who: auditName(person), command: "console log-in", details });
    }
  });
}
