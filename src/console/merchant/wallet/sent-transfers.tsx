import { listAnnouncements, updateAnnouncementEnded } from "../../../domain/funding/statements/announcement-queries.ts";
import { announceTransfer } from "../../../domain/funding/statements/announcements.ts";
import { formatTransferReference } from "../../../domain/funding/statements/transfer-reference.ts";
import { auditName } from "../../../domain/identity/people/person.ts";
import { formatNaira } from "../../../kernel/money.ts";
import { wholeNumber } from "../../../kernel/typed-text.ts";
import { type Answer, goBack, goTo } from "../../kit/answer.tsx";
import { naira, text } from "../../kit/field-kinds.tsx";
import { fields } from "../../kit/fields.ts";
import { type Form as SentForm, type Typed, wrong } from "../../kit/form.ts";
import { list } from "../../kit/list.tsx";
import { CopyButton } from "../../kit/parts/data.tsx";
import { TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { Empty, Sheet } from "../../kit/parts/layout.tsx";
import { announcementStates } from "../../kit/transfer-states.tsx";
import { type ModeRoutes, type ModeVisit, useVisit } from "../access.ts";
import { changing } from "../exports.ts";
import type { MerchantServices } from "../services.ts";

const here = "/wallet/transfers";
/** A slip of 2 MiB, and what is larger and refused with its sentence. */
const bytesMax = 5 * 1_048_576;
const liveAlone = { live: "see_money" } as const;

const sent = fields({
  amount: naira("Amount"),
  bank: text("Bank you sent it from", { lengthMax: 60 }),
  sender: text("Name of that account", { lengthMax: 100, hint: "As the bank shows it to whoever gets the money." }),
});

/** What a merchant says it sent to the company's bank account, and what became of it. */
export function sentTransferPages(routes: ModeRoutes, services: MerchantServices): void {
  const show = list(routes, {
    at: here,
    may: liveAlone,
    title: "Transfers you sent",
    filters: {},
    placeIn: wholeNumber,
    async read({ visit, before, limit, typed }) {
      const rows = await listAnnouncements(services.reads, visit.wallet.merchantId, { limit, before });
      return { rows, over: <Announce typed={typed} reference={formatTransferReference(visit.wallet.merchantId)} /> };
    },
    place: ({ number }) => number,
    note: "We check our bank account and add the money to your wallet",
    heading: "Transfers you told us about",
    columns: ({ lead, sub, when, state, amount, act }) => [
      lead("From", ({ senderName, bank }) => `${senderName}, ${bank}`),
      when("Told us", ({ announcedAt }) => announcedAt),
      sub("Slip", ({ slipType }) => (slipType === null ? "none" : "attached")),
      sub("Note", ({ endedBecause }) => endedBecause),
      state("State", announcementStates, ({ state: is }) => is),
      amount("Amount", ({ amount: of }) => of),
      act("Withdraw", ({ number, state: is }) => (is === "waiting" ? <Withdraw number={number} /> : null)),
    ],
    empty: <Empty title="No transfers yet">Tell us about a transfer, and we look for it at our bank.</Empty>,
  });
  const route = { capability: liveAlone, doneAt: (visit: ModeVisit) => visit.to("wallet/transfers"), show };
  routes.form(here, { ...route, bytesMax, send: (visit, form) => announce(services, visit, form) });
  routes.form(`${here}/withdraw`, { ...route, send: (visit, form) => withdraw(services, visit, form) });
}

async function announce(services: MerchantServices, visit: ModeVisit, form: SentForm): Promise<Answer> {
  const { amount, bank, sender: senderName } = sent.read(form);
  if (form.has("slip") && form.bytes("slip") === null && form.raw("slip") !== "")
    throw wrong("slip", "Choose the slip’s file.");
  const { people, secretBox } = services;
  const details = { amount: formatNaira(amount), bank };
  const database = changing(services, visit, { command: "console transfer announce", details });
  await announceTransfer(
    { database, clock: people.clock, secretBox },
    {
      ...{ merchantId: visit.wallet.merchantId, amount, bank, senderName },
      ...{ slip: form.bytes("slip"), announcedBy: auditName(visit.session.person) },
    },
  );
  return goTo(visit.to("wallet/transfers"), "Thanks. We look for it at our bank and add it to your wallet.");
}

async function withdraw(services: MerchantServices, visit: ModeVisit, form: SentForm): Promise<Answer> {
  const back = visit.to("wallet/transfers");
  const number = wholeNumber(form.text("number"));
  const database = changing(services, visit, { command: "console transfer withdraw", details: { number } });
  const { merchantId } = visit.wallet;
  const ended = { as: "withdrawn", because: null, merchantId } as const;
  const isEnded = number !== null && (await database.transaction((tx) => updateAnnouncementEnded(tx, number, ended)));
  return isEnded
    ? goTo(back, "Withdrawn. We don’t look for it any more.")
    : goBack(back, "This transfer has ended already.");
}

function Withdraw({ number }: { readonly number: number }) {
  const action = useVisit().to("wallet/transfers/withdraw");
  return <Form {...{ action }} submit="Withdraw" kind="plain" hidden={{ number: String(number) }} isInline />;
}

function Announce({ typed, reference }: { readonly typed: Typed; readonly reference: string }) {
  return (
    <Sheet title="I’ve sent money">
      <p>
        Write <code>{reference}</code> <CopyButton text={reference} subject="the reference" /> in the transfer’s
        description. It’s always the same for your business.
      </p>
      <Form action={useVisit().to("wallet/transfers")} submit="Tell us" isUpload>
        {sent.draw(typed, null)}
        <TextField
          name="slip"
          type="file"
          label="Slip"
          accept="image/png,image/jpeg,image/webp,application/pdf"
          error={typed.error("slip")}
          hint="A screenshot or a PDF, up to 2 MB. Only we see it."
          isRequired={false}
        />
      </Form>
    </Sheet>
  );
}

/** On the wallet's page: what to write into a transfer, and where to tell of it. */
export function SentMoney() {
  const { member } = useVisit();
  const reference = formatTransferReference(member.merchantId);
  return (
    <p>
      Write <code>{reference}</code> <CopyButton text={reference} subject="your transfer reference" /> in the transfer’s
      description. Then <a href="/live/wallet/transfers">tell us about it</a>: we find it sooner.
    </p>
  );
}
