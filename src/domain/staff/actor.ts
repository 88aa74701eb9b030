import { auditName, type Person, type PersonId } from "../identity/people/person.ts";

/** A person of the company who asks for a change or decides it; while it has none, a name that a command gave. */
export interface Actor extends Pick<Person, "name"> {
  /** Null for a name that a command gave. */
  readonly id: PersonId | null;
  readonly email: string | null;
}

/** As credits and changes bound a name. */
const nameMax = 100;

/** How an actor stands in the audit log and beside a credit: `staff:ada@…`, or the name that a command gave. */
export function actorName({ email, name }: Pick<Actor, "name" | "email">): string {
  return (email === null ? name : auditName({ realm: "staff", email })).slice(0, nameMax);
}

/** Two spellings of one name: capitals and spaces do not tell people apart. */
export function nameKey(name: string): string {
  return name.normalize("NFKC").replace(/\s+/g, " ").trim().toLowerCase();
}

/** Whether both are one person: by its number, or by its name where it has none. */
export function isSameActor(one: Pick<Actor, "id" | "name">, other: Pick<Actor, "id" | "name">): boolean {
  return one.id === other.id && (one.id !== null || nameKey(one.name) === nameKey(other.name));
}
