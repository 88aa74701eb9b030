import { memberDatabase } from "../../../domain/memberships/owners.ts";
import type { PeopleServices } from "../../../domain/people/people-services.ts";
import type { FindByReference } from "../../../domain/purchases/find.ts";
import type { MintSecret } from "../../../domain/webhooks/endpoints/secret.ts";
import type { SettingsServices } from "../../../domain/webhooks/endpoints/settings.ts";
import type { DestinationRules } from "../../../domain/webhooks/endpoints/url-guard.ts";
import type { MintDeliveryId } from "../../../domain/webhooks/events/event.ts";
import type { LimitRecovery } from "../../../domain/webhooks/log/recovery-limit.ts";
import type { Clock, WallTime } from "../../../kernel/clock.ts";
import type { TransactionIds } from "../../../kernel/ids.ts";
import type { Database } from "../../../platform/database/database.ts";
import type { ResolveName } from "../../../platform/outbound-http/resolve-name.ts";
import type { RevisionWatch } from "../../../platform/revisions.ts";
import type { SecretBox } from "../../../platform/sealing/secret-box.ts";
import type { ModeVisit } from "../../kit/visit.ts";

/** What the pages about webhooks need. */
export interface WebhookPageServices {
  readonly database: Database;
  readonly clock: Clock;
  readonly wallTime: WallTime;
  /** The name of the deployment's time zone. */
  readonly timeZone: string;
  readonly findByReference: FindByReference;
  readonly transactionIds: TransactionIds;
  readonly people: Pick<PeopleServices, "clock" | "secretBox" | "company">;
  readonly webhooks: {
    readonly mintDeliveryId: MintDeliveryId;
    readonly mintSecret: MintSecret;
    readonly secretBox: SecretBox;
    readonly rules: DestinationRules;
    readonly resolveName: ResolveName;
    readonly watch: Pick<RevisionWatch, "refreshAnew">;
    readonly limitRecovery: LimitRecovery;
    readonly wake: () => void;
  };
}

/** For a change of an endpoint by the visit's person, with its entry in the audit log. */
export function savingAs(
  { database, people, clock, webhooks }: WebhookPageServices,
  visit: ModeVisit,
  change: { readonly command: string; readonly details: Readonly<Record<string, unknown>> },
): SettingsServices {
  const entered = { by: visit.session.person, merchantId: visit.member.merchantId, ...change };
  return { ...webhooks, clock, database: memberDatabase({ ...people, database }, entered) };
}
