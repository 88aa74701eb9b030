import type { Tx } from "../../platform/database/database.ts";
import { emailText, type Frame } from "../identity/emails/email-texts.ts";
import type { EmailText } from "../identity/emails/emails.ts";
import { type PeopleServices, sendNotice } from "../identity/people/send-notice.ts";
import type { Actor } from "./actor.ts";
import type { Change } from "./change-queries.ts";
import type { StaffMember } from "./staff-queries.ts";

type EmailServices = Pick<PeopleServices, "clock" | "secretBox" | "company" | "publicUrl">;
type Asking = Pick<Change, "id" | "summary"> & { readonly by: Pick<Actor, "name"> };

/** Writes to everybody who may agree to a change that it waits. */
export async function writeToApprovers(
  tx: Tx,
  services: EmailServices,
  approvers: readonly Pick<StaffMember, "email" | "name">[],
  asking: Asking,
): Promise<void> {
  for (const approver of approvers) {
    await sendNotice(tx, services, approver, (frame) => changeRequested(frame, asking, services.publicUrl));
  }
}

export interface Ended {
  readonly state: "done" | "refused" | "expired" | "stale";
  readonly by: Pick<Actor, "name"> | null;
  readonly reason: string | null;
}

/** Writes to who asked for a change what became of it; a name that a command gave has no address. */
export async function writeToRequester(tx: Tx, services: EmailServices, change: Change, ended: Ended): Promise<void> {
  const { requesterEmail: email, requesterName: name } = change;
  if (email !== null)
    await sendNotice(tx, services, { email, name }, (frame) => changeEnded(frame, change, ended, services.publicUrl));
}

function whereToLook(id: Change["id"], publicUrl: string | null): string {
  return publicUrl === null
    ? "See it in the company’s console, under Approvals."
    : `See it here: ${publicUrl}/operator/approvals/${id}`;
}

function changeRequested(frame: Frame, { id, by, summary }: Asking, publicUrl: string | null): EmailText {
  return emailText(frame, `Approval needed: ${summary}`, [
    `${by.name} asked for a change that needs a second person:`,
    summary,
    `${whereToLook(id, publicUrl)} It expires after 24 hours.`,
  ]);
}

const words = {
  done: "was approved",
  refused: "was refused",
  expired: "expired",
  stale: "was not carried out",
} as const;

function changeEnded(frame: Frame, { id, summary }: Change, ended: Ended, publicUrl: string | null): EmailText {
  const { state, by, reason } = ended;
  const who = by === null ? "" : ` by ${by.name}`;
  return emailText(frame, `Your request ${words[state]}: ${summary}`, [
    `Your request ${words[state]}${who}.`,
    summary,
    ...(reason === null ? [] : [`Reason: ${reason}`]),
    ...(state === "stale" && reason === null
      ? ["What it rests on changed after you asked. Nothing was done. You can ask again."]
      : []),
    ...(state === "expired" ? ["Nobody decided within 24 hours. Nothing was done. You can ask again."] : []),
    whereToLook(id, publicUrl),
  ]);
}
