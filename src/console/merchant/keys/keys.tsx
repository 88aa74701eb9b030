import { activeKeysMax, keyLabelMax } from "../../../domain/merchants/api-keys.ts";
import { formatApiKeyId } from "../../../domain/merchants/merchant.ts";
import { refuseField } from "../../../kernel/problems.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import type { Typed } from "../../kit/form.ts";
import { TextField } from "../../kit/parts/fields.tsx";
import { Flash, Form } from "../../kit/parts/form.tsx";
import { ButtonLink, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { Table } from "../../kit/parts/list.tsx";
import { type ModeRoutes, type ModeVisit, useVisit } from "../access.ts";
import { NotApproved } from "../buy/selling.tsx";
import type { MerchantServices } from "../services.ts";
import {
  capability,
  explained,
  hintOf,
  KeyState,
  keyName,
  keyPages,
  keysOf,
  LastUse,
  madeKeyPage,
  makeKey,
  makerOf,
  type SeenKey,
} from "./key.tsx";

/** The keys that can call, and when each last did; a key more, another in its place, or one less. */
export function keyListPages(routes: ModeRoutes, services: MerchantServices): void {
  routes.both("/keys", {
    capability,
    doneAt: (visit) => visit.to("keys"),
    show: async (visit, typed) => keyListPage(visit, await keysOf(services, visit), typed),
    async send(visit, form) {
      const label = form.text("label");
      if (label === "")
        throw refuseField("VALIDATION_ERROR", "label", "Enter a name, such as the program that uses it.");
      return madeKeyPage(visit, await makeKey(services, visit, label), null);
    },
  });
  keyPages(routes, services);
}

/** Ended keys are shown to find one again in the request log; older ones than these are not. */
const endedShown = 50;

function keyListPage(visit: ModeVisit, keys: readonly SeenKey[], typed: Typed): PageAnswer {
  const active = keys.filter(({ state }) => state === "active");
  const ended = keys.filter(({ state }) => state !== "active").toReversed();
  return page(
    {
      title: "API keys",
      note: `${active.length} of ${activeKeysMax} ${visit.mode} keys in use`,
      actions: visit.may("hold_live_keys") ? (
        <ButtonLink href={visit.to("keys/addresses")}>Allowed addresses</ButtonLink>
      ) : undefined,
    },
    <>
      <Sheet title="Active keys" isPadded={false}>
        <KeyTable keys={active} caption="Active keys" />
      </Sheet>
      <MakeKey typed={typed} isFull={active.length >= activeKeysMax} />
      {ended.length === 0 ? null : (
        <Sheet title="Expired and revoked keys" note="Newest first" isPadded={false}>
          <KeyTable keys={ended.slice(0, endedShown)} caption="Expired and revoked keys" />
        </Sheet>
      )}
    </>,
  );
}

function KeyTable({ keys, caption }: { readonly keys: readonly SeenKey[]; readonly caption: string }) {
  const visit = useVisit();
  return (
    <Table
      caption={caption}
      rows={keys}
      href={({ key }) => visit.to(`keys/${formatApiKeyId(key.id)}`)}
      columns={[
        { title: "Name", cell: ({ key }) => keyName(key), place: "lead" },
        { title: "Key", cell: ({ key }) => <code>{hintOf(key)}</code>, place: "sub" },
        { title: "Created by", cell: ({ key }) => makerOf(key.created_by), isExtra: true },
        { title: "Last used", cell: ({ key }) => <LastUse used={key} /> },
        { title: "Status", cell: (seen) => <KeyState seen={seen} />, place: "state" },
      ]}
      empty={
        <Empty title={`No ${visit.mode} keys yet`} icon="key">
          Your server sells for {visit.member.name} with a key. Create one below.
        </Empty>
      }
    />
  );
}

function MakeKey({ typed, isFull }: { readonly typed: Typed; readonly isFull: boolean }) {
  const visit = useVisit();
  if (visit.mode === "live" && !visit.member.apiApproved) {
    return (
      <Sheet title="Create a key">
        <NotApproved>
          Until then, build with <a href="/test/keys">test keys</a>: later only the key changes.
        </NotApproved>
      </Sheet>
    );
  }
  return (
    <Sheet title="Create a key">
      {isFull && typed.refusal === null ? (
        <Flash kind="note">
          All {activeKeysMax} {visit.mode} keys are in use. Revoke one that nothing needs to create another.
        </Flash>
      ) : null}
      <Form action={visit.to("keys")} submit={`Create ${visit.mode} key`} error={explained(typed)}>
        <TextField
          {...typed.field("label")}
          label="Name"
          hint="For example: shop server, Chidi’s laptop"
          lengthMax={keyLabelMax}
        />
      </Form>
    </Sheet>
  );
}
