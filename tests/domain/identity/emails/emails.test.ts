import { afterEach, expect, test } from "vitest";
import { openCompany, setCompany } from "../../../../src/domain/identity/company/company.ts";
import { invited, verifyAddress } from "../../../../src/domain/identity/emails/email-texts.ts";
import { claimDueEmails, purgeEmails, sendEmail, writeEmail } from "../../../../src/domain/identity/emails/emails.ts";
import { type EmailRow, listEmails } from "../../../../src/domain/identity/emails/queries.ts";
import { parseEmail, parseName } from "../../../../src/domain/identity/people/person.ts";
import { sendNotice } from "../../../../src/domain/identity/people/send-notice.ts";
import { openDatabase, openPool } from "../../../../src/platform/database/database.ts";
import { type Mailer, openMailer } from "../../../../src/platform/mail.ts";
import { openLog } from "../../../../src/platform/telemetry/log.ts";
import { startSendingEmails } from "../../../../src/workers/send-emails.ts";
import { closing } from "../../../support/closing.ts";
import { newOwner, ownPeople, publicUrl } from "../../../support/people.ts";
import { startSmtpServer } from "../../../support/smtp-server.ts";

const own = closing(await ownPeople());
const server = closing(await startSmtpServer());
const mailer = closing(openMailer({ url: server.url, from: "Dispense <dispense@example.ng>" }));
afterEach(async () => {
  server.refuse(null);
  await own.fresh.pool.query("delete from emails");
});

const write = (to: string, subject = "A subject", text = "Hello.\n") =>
  own.database.transaction((tx) => writeEmail(tx, own.services, { to, subject, text }));
const claim = () => claimDueEmails(own.services, 10);
async function sendAll() {
  const outcomes: string[] = [];
  for (const email of await claim()) outcomes.push(await sendEmail(own.services, mailer, email));
  return outcomes;
}
const only = async (): Promise<EmailRow> => {
  const [email, ...more] = await listEmails(own.database, 10);
  if (email === undefined || more.length > 0) throw new Error("not one email");
  return email;
};

test("an email goes to the mail server once, as plain text, and is sealed where it is stored", async () => {
  const { emails } = server;
  const before = emails.length;
  await write("ada@example.com", "Confirm", "Here it is:\n\nhttps://console.example.ng/x?token=abc\n");
  expect((await only()).body).toMatch(/^v1\./);
  const loop = startSendingEmails({
    services: own.services,
    mailer: notClosing,
    log: openLog({ level: "silent" }),
    pollMs: 20,
  });
  await expect.poll(() => emails.length).toBe(before + 1);
  await expect.poll(async () => (await only()).sentAt).not.toBeNull();
  await loop.stop();
  const received = emails.at(-1);
  expect(received?.to).toEqual(["RCPT TO:<ada@example.com>"]);
  expect(received?.data).toMatch(/^From: Dispense <dispense@example\.ng>$/m);
  expect(received?.data).toMatch(/^Content-Type: text\/plain/m);
  expect(received?.data).not.toContain("multipart");
  expect(await sendAll()).toEqual([]);
});
const notClosing: Mailer = { send: (mail) => mailer.send(mail), close: () => {} };

test("an email is written with what it tells, or not at all", async () => {
  const undone = own.database.transaction(async (tx) => {
    await writeEmail(tx, own.services, { to: "ada@example.com", subject: "No", text: "No" });
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  expect(await listEmails(own.database, 10)).toEqual([]);
});

test("two processes do not send the same email", async () => {
  for (let turn = 0; turn < 8; turn++) await write(`ada${turn}@example.com`);
  const claims = await Promise.all([claimDueEmails(own.services, 5), claimDueEmails(own.services, 5)]);
  const ids = claims.flat().map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(await claim()).toHaveLength(8 - ids.length);
});

test("an email that is not taken is tried again five times, ever later, and given up", async () => {
  server.refuse("451 later");
  await write("slow@example.com");
  const waits: number[] = [];
  expect(await sendAll()).toEqual(["retried"]);
  for (let turn = 0; turn < 5; turn++) {
    const email = await only();
    expect(email.failure).toContain("451 later");
    const wait = (email.dueAt ?? 0) - own.services.clock.now();
    waits.push(wait / 60_000);
    own.pass(wait - 1);
    expect(await claim()).toEqual([]);
    own.pass(1);
    expect(await sendAll()).toEqual([turn < 4 ? "retried" : "given_up"]);
  }
  expect(waits).toEqual([1, 5, 30, 120, 720]);
  expect(await only()).toMatchObject({ dueAt: null, sentAt: null, attempts: 6 });
});

test("an address that the server will never know is given up at once; anything else may be mended", async () => {
  server.refuse("550 no such person");
  await write("nobody@example.com");
  expect(await sendAll()).toEqual(["given_up"]);
});

test("without a mail server emails wait, and one that comes days later gets none of the old ones", async () => {
  await write("old@example.com");
  own.pass(2 * 86_400_000 + 1);
  await write("new@example.com");
  expect((await claim()).map(({ recipient }) => recipient)).toEqual(["new@example.com"]);
  own.pass(90 * 86_400_000 + 1);
  expect(await purgeEmails(own.services, 10)).toBe(2);
});

test("nothing that is typed adds a header, a recipient or a second email", async () => {
  const before = server.emails.length;
  await write(
    "ada@example.com",
    "Hello\r\nBcc: all@example.com\r\n\r\nA text",
    "Text\r\n.\r\nMAIL FROM:<evil@example.com>\r\n",
  );
  await write("ada@example.com, all@example.com", "Two");
  await sendAll();
  const arrived = server.emails.slice(before);
  const first = arrived.find(({ data }) => data.includes("Subject: Hello"));
  expect(first?.to).toEqual(["RCPT TO:<ada@example.com>"]);
  expect(first?.data).toMatch(/^Subject: Hello Bcc: all@example\.com A text$/m);
  expect(first?.data).not.toMatch(/^Bcc:/m);
  for (const { to } of arrived) expect(to.join()).not.toContain("<all@example.com>");
  for (const address of ["a@b.c\nBcc: x@y.z", "a@b.c,x@y.z", "a <a@b.c>", "a b@c.d", '"a"@b.c']) {
    expect(parseEmail(address)).toBeNull();
  }
});

test("whoever holds the only connection writes an email, though nothing is remembered of the company", async () => {
  const pool = {
    connectionString: own.fresh.url,
    connectionsMax: 1,
    applicationName: "one",
    plans: "ordinary",
  } as const;
  const database = openDatabase(openPool(pool));
  const refresh = () => Promise.reject(new Error("nobody answers"));
  const company = openCompany(database, { known: () => null, refresh, refreshAnew: refresh, stop: () => {} });
  const ada = { email: "ada@example.com", name: "Ada" };
  await database.transaction((tx) =>
    sendNotice(tx, { ...own.services, company }, ada, ({ company: { name } }) => ({ subject: name, text: "" })),
  );
  expect((await only()).recipient).toBe(ada.email);
  await database.close();
});

test("names that would be links in a stranger's email are refused", () => {
  for (const name of ["https://evil.example", "Visit www.evil.example", "a\u0000b", "<b>Ada</b>", "a\u202eb", "  "]) {
    expect(parseName(name, 100)).toBeNull();
  }
  expect(parseName("  Ada  Obi ", 100)).toBe("Ada Obi");
});

test("an email greets by name, has its link on a line of its own, and ends with the company's contact", async () => {
  await setCompany(own.services, {
    name: "Kobo House",
    supportEmail: "help@kobo.example",
    supportPhone: "+234 800 000",
  });
  await newOwner(own.services, "greeted@example.com");
  const company = await own.services.company();
  const frame = { name: "Ada Obi", company };
  const link = `${publicUrl}/verify-email?token=x`;
  const { text } = verifyAddress(frame, { link });
  expect(text).toMatch(/^Hello Ada Obi,\n/);
  expect(text.split("\n")).toContain(link);
  expect(text).toMatch(/\nKobo House\nhelp@kobo\.example, \+234 800 000\n$/);
  const email = invited(frame, { merchant: "M", invitedBy: "x@example.com", role: "a viewer", link });
  expect(email.subject).toBe("Join M");
});
