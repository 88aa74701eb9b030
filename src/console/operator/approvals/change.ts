import type { Facts, Fields } from "../../../domain/staff/change-kinds.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import type { Database, Queryable } from "../../../platform/database/database.ts";
import { type Answer, goTo } from "../../kit/answer.tsx";
import { type ChangeForm, changeForm, type FormShape, type Read } from "../../kit/change.tsx";
import type { FieldSet } from "../../kit/fields.ts";
import type { Declared } from "../../kit/routes.ts";
import { type Capability, matrix, type StaffVisit } from "../access.ts";
import { changing } from "../audited.ts";
import type { OperatorServices } from "../services.ts";
import { changeOrAsk, type KindServices, type TwoPeople } from "./two-people.ts";

type Shape<Found, Values> = FormShape<OperatorServices, StaffVisit, Capability, Found, Values>;
type StaffForm<Found> = ChangeForm<OperatorServices, StaffVisit, Capability, Found>;

/** All that is written by these is by one database. */
type Running = Pick<OperatorServices, Exclude<keyof OperatorServices, "reads">>;

/** A form of the company's console that a function of its own carries out. */
export function changeBy<Found, Values>(
  shape: Shape<Found, Values>,
  declared: Declared,
  act: (services: OperatorServices, visit: StaffVisit, read: Read<Found, Values>) => Promise<Answer>,
): StaffForm<Found> {
  return changeForm(shape, declared, act);
}

export interface Alone<Found, Values> extends Shape<Found, Values> {
  /** As the audit log has it. */
  readonly command: string;
  /** Where one form does several things. */
  readonly commandOf?: (read: Read<Found, Values>) => string;
  /** What the audit log calls what is changed. */
  readonly about?: (found: Found) => Readonly<Record<string, unknown>>;
  /** What it has of the change besides: from one value to another, or all fields, unless told. */
  readonly details?: (read: Read<Found, Values>, services: OperatorServices) => Readonly<Record<string, unknown>>;
  /** @returns what is true now, or a page. @throws Refusal */
  readonly run: (services: Running, read: Read<Found, Values>, visit: StaffVisit) => Promise<string | Answer>;
}

/** A change that one person makes alone, entered in the audit log. */
export function changeAlone<Found, Values>(change: Alone<Found, Values>): StaffForm<Found> {
  const { command, doneAt, about = () => ({}), details = fromTo } = change;
  return changeForm(change, { kind: null, command }, async (services, visit, read) => {
    const database = changing(services, visit, change.commandOf?.(read) ?? command, {
      ...{ ...about(read.found), ...details(read, services) },
    });
    const done = await change.run(writingBy(services, database), read, visit);
    return typeof done === "string" ? goTo(doneAt(visit, read.values), done) : done;
  });
}

function fromTo<Values>({ set, values, stored }: Read<unknown, Values>) {
  const frozen = set.freeze(values);
  const [name, ...others] = Object.keys(frozen);
  if (stored === null || name === undefined || others.length > 0) return frozen;
  return { from: set.freeze(stored)[name], to: frozen[name] };
}

function writingBy<Services extends KindServices>(services: Services, database: Database): Services {
  return { ...services, database, people: { ...services.people, database } };
}

interface OfTwo<Found, Values> extends Shape<Found, Values>, Pick<TwoPeople, "kind" | "approve" | "show"> {
  readonly fields: FieldSet<Values>;
  /** One open request for each. */
  readonly subjects?: (frozen: Fields) => readonly string[];
  readonly facts?: (services: KindServices, db: Queryable, frozen: Fields) => Promise<Facts | null>;
  readonly summary: (read: Read<Found, Values>) => string;
  /** A person who may do it without a second one, and what the audit log calls it then; there is none, unless told. */
  readonly alone?: {
    readonly command: string;
    readonly may: (services: OperatorServices, visit: StaffVisit, read: Read<Found, Values>) => boolean;
  };
  /** What is frozen: its fields, unless told. */
  readonly freeze?: (read: Read<Found, Values>, visit: StaffVisit, services: OperatorServices) => JsonObject;
  /** What of it nobody may read: sealed until it is carried out. */
  readonly secret?: (read: Read<Found, Values>) => string | null;
  /** By what was frozen; what is no field of it stands in `frozen`. @returns what is true now. @throws Refusal */
  readonly run: (
    services: Omit<KindServices, "reads">,
    values: Values,
    frozen: Fields,
    secret: string | null,
  ) => Promise<string>;
}

/** A change that a second person agrees to: its form, and its kind for `kinds.ts`. */
export function changeOfTwo<Found, Values>(
  change: OfTwo<Found, Values>,
): StaffForm<Found> & { readonly kind: TwoPeople } {
  const { kind, approve, subjects, show, facts, fields, alone, doneAt, secret = () => null } = change;
  const { freeze = ({ values }: Read<Found, Values>) => fields.freeze(values) } = change;
  const two: TwoPeople = {
    ...{ kind, approve, ask: matrix[change.may].roles },
    ...(subjects === undefined ? {} : { subjects }),
    ...(show === undefined ? {} : { show }),
    by: (services) => ({
      readFacts: facts === undefined ? undefined : (db, frozen) => facts(services, db, frozen),
      carryOut: (database, asking) =>
        change.run(writingBy(services, database), fields.thaw(asking.fields), asking.fields, asking.secret),
    }),
  };
  const form = changeForm(change, { kind, command: alone?.command ?? null }, (services, visit, read) =>
    changeOrAsk(services, visit, two, {
      ...{ summary: change.summary(read), fields: freeze(read, visit, services), secret: secret(read) },
      ...{ mayAlone: alone?.may(services, visit, read) === true, command: alone?.command ?? "" },
      doneAt: doneAt(visit, read.values),
    }),
  );
  return { ...form, kind: two };
}
