import { CopyButton, Facts, Timeline } from "../../../src/console/kit/parts/data.tsx";
import { Filters } from "../../../src/console/kit/parts/filters.tsx";
import { ButtonLink, CloseLink, Detail, PageHead, Sheet, Split } from "../../../src/console/kit/parts/layout.tsx";
import { Pager, Table } from "../../../src/console/kit/parts/list.tsx";
import { Moment, Money, Status } from "../../../src/console/kit/parts/text.tsx";
import { saleColumns, sales } from "./overview.tsx";

const at = (second: string) => <Moment at={`2026-11-23T14:04:${second}+01:00`} style="millisecond" />;

/** The second page of the look: a list with filters, and one thing of it open. */
export function Transactions() {
  return (
    <>
      <PageHead
        title="Transactions"
        actions={
          <ButtonLink href="/x.csv" isDownload>
            Export 1,934 rows
          </ButtonLink>
        }
      >
        1,934 today · <Money amount="642900.00" /> charged · 27 failed and refunded
      </PageHead>
      <Filters
        action="/test/transactions"
        kept={{ order: "oldest" }}
        filters={[
          {
            kind: "choice",
            name: "status",
            label: "Status",
            value: "failed",
            options: ["successful", "pending", "failed"].map((value) => ({ value, label: value })),
          },
          { kind: "date", name: "from", label: "From", value: "2026-11-23" },
          { kind: "date", name: "to", label: "To", value: "" },
          {
            kind: "choice",
            name: "category",
            label: "Category",
            value: "",
            options: [{ value: "data", label: "Data" }],
          },
          { kind: "text", name: "phone", label: "Phone", value: "" },
        ]}
      />
      <Split detail={<Open />}>
        <Sheet isPadded={false}>
          <Table
            caption="Transactions"
            columns={saleColumns}
            rows={sales}
            href={({ reference }) => `?open=${reference}`}
            isCurrent={({ reference }) => reference === "ORD-88207"}
            empty=""
          />
        </Sheet>
        <Pager previousHref={null} nextHref="?page=2" from={1} to={50} total={1934} />
      </Split>
    </>
  );
}

function Open() {
  const closeLink = <CloseLink href="/test/transactions" label="ORD-88207" />;
  return (
    <Detail label="ORD-88207" closeHref="/test/transactions" listName="Transactions">
      <Sheet title={<Status>failed, refunded</Status>} note={closeLink}>
        <p class="amount-large">
          <Money amount="500.00" />
        </p>
        <p>
          Glo ₦500 airtime for <span class="phone">0805 000 0002</span>
        </p>
        <Facts
          facts={{
            Reference: <span class="id">ORD-88207</span>,
            Transaction: "SBX01KB3W8Q6ZC0M5R2T9",
            Why: (
              <>
                The number can't receive airtime <code>RECIPIENT_NOT_ELIGIBLE</code>
              </>
            ),
          }}
        />
      </Sheet>
      <WhatHappened />
    </Detail>
  );
}

function WhatHappened() {
  return (
    <Sheet
      title="What happened"
      actions={
        <>
          <ButtonLink href="/x/resend" size="small" icon="hook">
            Resend webhook
          </ButtonLink>
          <CopyButton text="curl" subject="the request" label="Copy as curl" kind="small" />
        </>
      }
    >
      <Timeline
        label="What happened"
        steps={[
          {
            state: "done",
            at: at("41.102"),
            title: "Request from 102.89.33.14",
            children: (
              <>
                key …Qe2 · <code>POST /airtime/purchase</code> · 422 in 38 ms
              </>
            ),
          },
          {
            state: "cash",
            at: at("41.109"),
            title: "Wallet charged",
            children: "1,284,800.50 → 1,284,310.50",
          },
          {
            state: "failed",
            at: at("41.131"),
            title: "Supplier declined",
            children: "attempt 1 of 1 · 22 ms",
          },
          { state: "noted", at: at("41.150"), title: "Looked at by support" },
          {
            state: "waiting",
            at: at("41.201"),
            title: "Webhook failed",
            children: "transaction.failed to shop.example. 502 from your server · next try 14:09:12",
          },
        ]}
      />
    </Sheet>
  );
}
