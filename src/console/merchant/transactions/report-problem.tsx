import type { Company } from "../../../domain/identity/company/company.ts";
import { parsePhone } from "../../../kernel/phone.ts";
import { useVisit } from "../access.ts";
import { purchasePath } from "./purchase.tsx";

interface ReportProblemProps {
  readonly company: Pick<Company, "name" | "supportEmail" | "supportPhone">;
  readonly reference: string;
  readonly transactionId: string;
  /** What was sold: `MTN 2GB`. */
  readonly product: string;
}

/** Writes to the company's support about a sale: the message has its ids and its address, and never a token. */
export function ReportProblem({ company, reference, transactionId, product }: ReportProblemProps) {
  const visit = useVisit();
  const { supportEmail, supportPhone } = company;
  const subject = `Problem with ${transactionId}`;
  const text = [
    `${visit.member.name}: a problem with ${product}.`,
    `Transaction ID: ${transactionId}`,
    `Reference: ${reference}`,
    `${visit.place.origin}${purchasePath(visit, reference)}`,
    "",
    "What happened: ",
  ].join("\r\n");
  const whatsApp = supportPhone === null ? null : whatsAppHref(supportPhone, text);
  if (supportEmail === null && whatsApp === null) return null;
  const query = `subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(text)}`;
  return (
    <p class="quiet">
      Something wrong? Report a problem to {company.name} by{" "}
      {supportEmail === null ? null : <a href={`mailto:${encodeURIComponent(supportEmail)}?${query}`}>email</a>}
      {supportEmail === null || whatsApp === null ? null : " or "}
      {whatsApp === null ? null : (
        <a href={whatsApp} rel="noreferrer" target="_blank">
          WhatsApp
        </a>
      )}
      .
    </p>
  );
}

/**
 * A message that is ready to be sent by WhatsApp: to a mobile number, or to whomever its writer chooses where `phone` is
 * null. Null for what is no mobile number: nobody has WhatsApp there.
 */
export function whatsAppHref(phone: string | null, text: string): string | null {
  const message = `text=${encodeURIComponent(text)}`;
  if (phone === null) return `https://wa.me/?${message}`;
  const local = parsePhone(phone.replace(/[().]/g, " "));
  // A letter isn't a digit: nobody is called at what is left of such a number.
  const digits = /[^\d\s().+-]/.test(phone) ? "" : phone.replace(/\D/g, "");
  const isForeign = phone.trim().startsWith("+") && !digits.startsWith("234") && digits.length >= 8;
  if (local === null && !isForeign) return null;
  return `https://wa.me/${local === null ? digits : `234${local.slice(1)}`}?${message}`;
}
