import {
  type AnnouncedTransfer,
  findAnnouncement,
  listAnnouncements,
  listMerchantsOf,
  listWaitingAnnouncements,
  updateAnnouncementEnded,
} from "../../../domain/funding/statements/announcement-queries.ts";
import { openSlip } from "../../../domain/funding/statements/announcements.ts";
import { formatTransferReference } from "../../../domain/funding/statements/transfer-reference.ts";
import { formatMerchantId } from "../../../domain/merchants/merchant.ts";
import { wholeNumber } from "../../../kernel/typed-text.ts";
import { type Answer, goBack, goTo, page } from "../../kit/answer.tsx";
import { detail } from "../../kit/detail.ts";
import { type Form as SentForm, type Typed, wrong } from "../../kit/form.ts";
import { list } from "../../kit/list.tsx";
import { choiceFilter } from "../../kit/list-page.tsx";
import { Facts } from "../../kit/parts/data.tsx";
import { TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { ButtonLink, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { Moment, Money } from "../../kit/parts/text.tsx";
import { announcementStates } from "../../kit/transfer-states.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { personName } from "../audit/audit-words.ts";
import { changing } from "../audited.ts";
import { merchantPath } from "../merchants/found-merchant.ts";
import type { OperatorServices } from "../services.ts";
import { transfersPath } from "./bank-rows.tsx";

const here = `${transfersPath}/announced`;
const crumbs = [["Bank transfers", transfersPath]] as const;

interface Row extends AnnouncedTransfer {
  readonly name: string;
}

/** What merchants say they sent, until a statement has it; with the slip that they sent along. */
export function announcedPages(routes: StaffRoutes, services: OperatorServices): void {
  const { reads } = services;
  list(routes, {
    at: here,
    may: "see_money",
    title: "Announced transfers",
    filters: { state: choiceFilter("State", [{ value: "all", label: "All" }] as const) },
    placeIn: wholeNumber,
    async read({ values, before, limit }) {
      const place = { limit, before };
      const found =
        values.state === null
          ? await listWaitingAnnouncements(reads, place)
          : await listAnnouncements(reads, null, place);
      const ids = found.map(({ merchantId }) => merchantId);
      const merchants = await listMerchantsOf(reads, [...new Set(ids)]);
      return { rows: found.map((one): Row => ({ ...one, name: merchants.get(one.merchantId)?.name ?? "" })) };
    },
    place: ({ number }) => number,
    href: ({ number }) => `${here}/${number}`,
    crumbs,
    note: "What merchants say they sent. A statement’s line with it is proposed under Bank transfers",
    columns: ({ lead, sub, when, state, amount }) => [
      lead("Merchant", ({ name }) => name),
      sub("Sender", ({ senderName, bank }) => `${senderName}, ${bank}`),
      when("Announced", ({ announcedAt }) => announcedAt),
      sub("Slip", ({ slipType }) => (slipType === null ? "none" : "attached")),
      state("State", announcementStates, ({ state: is }) => is),
      amount("Amount", ({ amount: of }) => of),
    ],
    empty: <Empty title="No announced transfers">Merchants tell of a transfer on their wallet’s page.</Empty>,
    noneFits: { text: "Nobody has announced a transfer yet." },
  });
  const find = ({ param }: StaffVisit) => findAnnouncement(reads, wholeNumber(param("number")) ?? 0);
  detail(routes, {
    at: `${here}/:number`,
    may: "see_money",
    find,
    show: (visit, one, typed) => announcedPage(visit, one, typed),
    actions: { close: ["move_money", (visit, one, form) => close(services, visit, one, form)] },
  });
  routes.file(`${here}/:number/slip`, {
    capability: "see_money",
    async show(visit) {
      const one = await find(visit);
      const slip = one === null ? null : await openSlip({ database: reads, secretBox: services.secretBox }, one);
      if (one === null || one.slipType === null || slip === null) return null;
      const name = `slip-${one.number}.${one.slipType.split("/")[1] ?? "bin"}`;
      return { kind: "file", name, type: one.slipType, content: slip };
    },
  });
}

function announcedPage(visit: StaffVisit, one: AnnouncedTransfer, typed: Typed) {
  const { number, merchantId, senderName, bank, amount, slipType, lineNumber, endedBecause, state } = one;
  return page(
    {
      title: `Announced transfer ${number}`,
      crumbs: [...crumbs, ["Announced transfers", here]],
      state: announcementStates.status(state),
      note: "What the merchant says. Only the bank’s statement shows that it came",
      actions:
        slipType === null ? undefined : (
          <ButtonLink href={`${here}/${number}/slip`} icon="download" isDownload>
            Download slip
          </ButtonLink>
        ),
    },
    <>
      <Sheet title="As announced">
        <Facts
          facts={{
            Merchant: <a href={merchantPath(merchantId)}>{formatMerchantId(merchantId)}</a>,
            Amount: <Money amount={amount} />,
            Sender: `${senderName}, ${bank}`,
            "Reference it was given": <code>{formatTransferReference(merchantId)}</code>,
            Announced: <Moment at={one.announcedAt} style="full" />,
            By: personName(one.announcedBy),
            "Bank transfer":
              state !== "credited" ? null : <a href={`${transfersPath}/lines/${lineNumber}`}>{`Line ${lineNumber}`}</a>,
            "Closed because": endedBecause,
          }}
        />
      </Sheet>
      {state !== "waiting" || !visit.may("move_money") ? null : (
        <Sheet title="It never came">
          <Form action={`${here}/${number}/close`} submit="Close announcement" kind="plain">
            <TextField {...typed.field("because")} label="What the merchant is told" lengthMax={200} />
          </Form>
        </Sheet>
      )}
    </>,
  );
}

async function close(
  services: OperatorServices,
  visit: StaffVisit,
  { number, merchantId }: AnnouncedTransfer,
  form: SentForm,
): Promise<Answer> {
  const because = form.text("because");
  if (because.length < 3 || because.length > 200) throw wrong("because", "Say why in 3 to 200 characters.");
  const details = { merchant: formatMerchantId(merchantId), transfer: number, because };
  const database = changing(services, visit, "console transfer close", details);
  const isClosed = await database.transaction((tx) =>
    updateAnnouncementEnded(tx, number, { as: "closed", because, merchantId }),
  );
  return isClosed ? goTo(here, "The announcement is closed.") : goBack(`${here}/${number}`, "It has ended already.");
}
