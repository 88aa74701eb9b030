import { CodeBlock, Secret } from "../../../src/console/kit/parts/data.tsx";
import {
  CheckField,
  PasswordField,
  RadioField,
  SelectField,
  TextAreaField,
  TextField,
} from "../../../src/console/kit/parts/fields.tsx";
import { Flash, Form } from "../../../src/console/kit/parts/form.tsx";
import {
  Button,
  ButtonLink,
  Buttons,
  Columns,
  Empty,
  PageHead,
  Sheet,
} from "../../../src/console/kit/parts/layout.tsx";
import { Pager, Table } from "../../../src/console/kit/parts/list.tsx";
import { Money, Status } from "../../../src/console/kit/parts/text.tsx";

const networks = ["MTN", "Airtel", "Glo", "9mobile"].map((label) => ({ value: label.toLowerCase(), label }));

/** Every other part in every state. */
export function Forms() {
  return (
    <>
      <PageHead title="All the other parts" actions={<ButtonLink href="/x">Export</ButtonLink>}>
        In every state
      </PageHead>
      <Flash kind="good">Saved. The next event goes to the new address.</Flash>
      <Flash kind="waiting">Two of 40 lines are still being bought.</Flash>
      <Flash kind="note">
        The wallet is low: <a href="/x">top up</a>.
      </Flash>
      <Columns>
        <Sheet title="A form">
          <BuyForm />
        </Sheet>
        <Sheet title="States">
          <p>
            {["successful", "pending", "failed", "refunded", "in review", "suspended"].map((word) => (
              <>
                <Status>{word}</Status>{" "}
              </>
            ))}
          </p>
          <p>
            <Money amount="1284310.5" isSigned /> <Money amount={-50000n} isSigned /> <Money amount="0.00" isSigned />
          </p>
          <Buttons>
            <Button>Plain</Button>
            <Button kind="main">Main</Button>
            <Button kind="danger">Revoke</Button>
            <Button kind="quiet">Quiet</Button>
            <Button isDisabled>Disabled</Button>
          </Buttons>
          <Secret label="The live key" value="ds_live_4fA9kKq0000000000000000000000000000Qe2" />
        </Sheet>
      </Columns>
      <Sheet title="No sales" isPadded={false}>
        <Table
          caption="Sales"
          columns={[]}
          rows={[]}
          empty={
            <Empty
              title="No sales yet"
              action={
                <ButtonLink href="/x/buy" kind="main">
                  Buy something
                </ButtonLink>
              }
            >
              Each sale stands here within a second, whether it came by the API or from this console.
            </Empty>
          }
        />
      </Sheet>
      <CodeBlock
        label="The request as curl"
        code={`curl -X POST https://api.example/api/v1/merchant/airtime/purchase \\\n  -H "Authorization: Bearer $KEY" -d '{"reference":"ORD-88207","phone":"08050000002","network":"glo","amount":"500.00"}'`}
      />
      <Ledger />
      <Pager previousHref="?page=1" nextHref={null} from={1901} to={1934} total={1934} />
      <Form action="/x/revoke" submit="Revoke" kind="danger" cancelHref="/x">
        <p>Programs that use it are refused from the next request on.</p>
      </Form>
    </>
  );
}

function BuyForm() {
  return (
    <Form action="/live/buy" submit="Buy" error="One field needs another look." cancelHref="/live">
      <TextField
        name="phone"
        label="Phone"
        type="tel"
        hint="Eleven digits"
        value="0803"
        error="Seven digits are missing."
      />
      <SelectField name="network" label="Network" choices={networks} value="glo" placeholder="Choose" />
      <TextField name="amount" label="Amount" unit="₦" keys="decimal" value="500.00" />
      <TextField name="email" label="Receipt to" type="email" isRequired={false} autocomplete="email" />
      <TextField name="from" label="From" type="date" value="2026-11-23" />
      <PasswordField name="password" label="Password" autocomplete="current-password" lengthLeast={12} />
      <TextField name="code" label="Code" keys="numeric" autocomplete="one-time-code" isCode />
      <TextAreaField name="lines" label="Lines" hint="One a line" value={"08031234567,mtn,500"} isCode />
      <RadioField
        name="when"
        label="When"
        value="now"
        choices={[
          { value: "now", label: "Now" },
          { value: "later", label: "Later", hint: "At midnight in Lagos" },
        ]}
      />
      <CheckField name="sure" label="I have looked at the numbers" hint="Live money is charged" />
    </Form>
  );
}

const lines = [
  { day: "23 Nov", what: "Top-up by transfer", amount: "500000.00", after: "1284310.50" },
  { day: "23 Nov", what: "MTN 2 GB, 30 days", amount: "-1240.00", after: "784310.50" },
];

function Ledger() {
  return (
    <Sheet title="Wallet" isPadded={false}>
      <Table
        caption="Wallet"
        rows={lines}
        empty=""
        columns={[
          { title: "Day", cell: ({ day }) => day },
          { title: "What", cell: ({ what }) => what, place: "lead" },
          { title: "Amount", cell: ({ amount }) => <Money amount={amount} isSigned />, align: "end", place: "amount" },
          { title: "After", cell: ({ after }) => <Money amount={after} />, align: "end" },
          { title: "Actions", isTitleHidden: true, cell: () => <a href="/x">Receipt</a>, place: "state" },
        ]}
      />
    </Sheet>
  );
}
