import { createTransport } from "nodemailer";

/** An email on its way: plain text to one address. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Hands emails to a mail server. */
export interface Mailer {
  /** Returns once the server has taken it. @throws MailRefused */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** The mail server did not take an email. Its message is what the server said. */
export class MailRefused extends Error {
  override readonly name = "MailRefused";
  /** Whether the server said that it never will, to this address; anything else may be mended meanwhile. */
  readonly isFinal: boolean;

  constructor(error: SmtpError) {
    super(error.message, { cause: error });
    this.isFinal = error.command === "RCPT TO" && (error.responseCode ?? 0) >= 500;
  }
}

/** What nodemailer says of a conversation that failed. */
type SmtpError = Error & { readonly command?: string; readonly responseCode?: number };

const connectMs = 10_000;
const answerMs = 30_000;
const connectionsMax = 2;

/**
 * Opens a way to a mail server: `smtps://user:password@mail.example.ng:465`, or `smtp://…`, which goes over to TLS where
 * the server offers it. Connects when something is sent. `from` is an address, with a name or without.
 */
export function openMailer({ url, from }: { readonly url: string; readonly from: string }): Mailer {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: connectionsMax,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: answerMs,
    // An email is a text and nothing else: no path or address in it is ever followed.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ to, subject, text }) {
      try {
        // As an object: in a text commas, groups and names would mean something.
        await transport.sendMail({
          from,
          to: { name: "", address: to },
          subject,
          text,
          headers: { "Auto-Submitted": "auto-generated" },
        });
      } catch (error) {
        throw new MailRefused(error as SmtpError);
      }
    },
    close: () => transport.close(),
  };
}
