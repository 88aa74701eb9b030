import {
  createKey,
  type RotationGrace,
  revokeOwnKey,
  rotateOwnKey,
  rotationGraces,
} from "../../../domain/merchants/api-keys.ts";
import { listApiKeys, type UsedApiKeyRow } from "../../../domain/merchants/key-queries.ts";
import { formatApiKeyId, parseApiKeyId } from "../../../domain/merchants/merchant.ts";
import { auditName } from "../../../domain/people/person.ts";
import type { ApiKeyId } from "../../../kernel/ids.ts";
import { type Refusal, refuse, refuseField } from "../../../kernel/problems.ts";
import { goTo, type PageAnswer } from "../../kit/answer.ts";
import { emptyForm, type Form } from "../../kit/form.ts";
import type { GateServices } from "../../kit/gate.ts";
import { notFoundPage } from "../../kit/gate-pages.tsx";
import { momentFormat } from "../../kit/parts/text.tsx";
import type { ModeRoutes } from "../../kit/routes.ts";
import { type ModeVisit, modePath } from "../../kit/visit.ts";
import { changingKeys } from "./changing-keys.ts";
import { keyListPage } from "./key-list.tsx";
import { keyPage, madeKeyPage, revokePage } from "./key-page.tsx";

export type KeyPageServices = GateServices & { readonly timeZone: string };

const here = (visit: ModeVisit) => modePath(visit, "keys");
/** Whoever holds a live key can spend the wallet's money: a change asks for a fresh factor. */
const capability = { live: "hold_live_keys", test: "develop" } as const;

/** The keys that can call, and when each last did; a key more, another in its place, or one less. */
export function keyPages(routes: ModeRoutes, services: KeyPageServices): void {
  const { people } = services;
  const format = momentFormat(services.timeZone);

  const list = async (visit: ModeVisit, form: Form, refusal: Refusal | null) =>
    keyListPage(visit, { keys: await keysOf(services, visit), form, refusal, now: people.clock.now(), format });

  async function one(visit: ModeVisit, show: typeof keyPage, refusal: Refusal | null = null): Promise<PageAnswer> {
    const key = (await keysOf(services, visit)).find(({ id }) => id === keyIdOf(visit));
    return key === undefined ? notFoundPage() : show(visit, { key, refusal, now: people.clock.now(), format });
  }

  routes.page("/keys", { capability, show: (visit) => list(visit, emptyForm, null) });
  routes.page("/keys/:key", { capability, show: (visit) => one(visit, keyPage) });
  routes.page("/keys/:key/revoke", { capability, show: (visit) => one(visit, revokePage) });

  routes.form("/keys", {
    capability,
    doneAt: here,
    refused: list,
    async send(visit, form) {
      const label = form.text("label");
      if (label === "") throw refuseField("VALIDATION_ERROR", "label", "Give it a name, such as the program's.");
      const about = { command: "console key create", details: { mode: visit.mode, label } };
      const what = `made the ${visit.mode} key “${label}”`;
      const { merchantId } = visit.member;
      const createdBy = auditName(visit.session.person);
      const changing = changingKeys(services, visit, { ...about, what });
      return madeKeyPage(visit, await createKey(changing, { merchantId, mode: visit.mode, label, createdBy }), null);
    },
  });

  routes.form("/keys/:key/rotate", {
    capability,
    doneAt: here,
    refused: (visit, _form, refusal) => one(visit, keyPage, refusal),
    async send(visit, form) {
      const grace = graceIn(form);
      const keyId = keyIdOf(visit) ?? unknown(visit);
      const about = { command: "console key rotate", details: { key_id: formatApiKeyId(keyId), grace } };
      const what = `rotated the ${visit.mode} key ${formatApiKeyId(keyId)}`;
      const { merchantId } = visit.member;
      const createdBy = auditName(visit.session.person);
      const changing = changingKeys(services, visit, { ...about, what });
      return madeKeyPage(
        visit,
        await rotateOwnKey(changing, { merchantId, mode: visit.mode, keyId, grace, createdBy }),
        grace,
      );
    },
  });

  routes.form("/keys/:key/revoke", {
    capability,
    doneAt: here,
    refused: (visit, _form, refusal) => one(visit, revokePage, refusal),
    async send(visit) {
      const keyId = keyIdOf(visit) ?? unknown(visit);
      const about = { command: "console key revoke", details: { key_id: formatApiKeyId(keyId) } };
      const what = `revoked the ${visit.mode} key ${formatApiKeyId(keyId)}`;
      const changing = changingKeys(services, visit, { ...about, what });
      await revokeOwnKey(changing, { merchantId: visit.member.merchantId, mode: visit.mode, keyId });
      return goTo(here(visit), `${formatApiKeyId(keyId)} is revoked: it is refused within a second from now.`);
    },
  });
}

async function keysOf({ people }: KeyPageServices, { member, mode }: ModeVisit): Promise<UsedApiKeyRow[]> {
  return (await listApiKeys(people.database, member.merchantId)).filter((key) => key.mode === mode);
}

function keyIdOf({ request }: ModeVisit): ApiKeyId | null {
  return parseApiKeyId((request.params as { readonly key: string }).key);
}

function unknown({ request }: ModeVisit): never {
  throw refuse("NOT_FOUND", { message: `There is no key ${(request.params as { readonly key: string }).key}.` });
}

function graceIn(form: Form): RotationGrace {
  const grace = Object.keys(rotationGraces).find((each) => each === form.text("grace"));
  if (grace === undefined) throw refuseField("VALIDATION_ERROR", "grace", "Choose how long the old key still works.");
  return grace as RotationGrace;
}
