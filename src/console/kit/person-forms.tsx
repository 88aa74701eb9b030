import { Form } from "./parts/form.tsx";
import { spoken } from "./parts/text.tsx";
import { seen } from "./stale.ts";

interface PersonFormProps {
  readonly action: string;
  readonly person: { readonly personId: number; readonly name: string; readonly role: string };
}

/** Another role for a person of a list, as `role`; `person` and what the page showed go with it. */
export function RoleForm({ action, person, roles }: PersonFormProps & { readonly roles: readonly string[] }) {
  const hidden = { person: String(person.personId), ...seen(person.role) };
  return (
    <Form {...{ action, hidden }} submit="Change role" kind="plain" isInline>
      <RoleSelect {...{ person, roles }} />
    </Form>
  );
}

interface RoleSelectProps {
  readonly person: Pick<PersonFormProps["person"], "name" | "role">;
  readonly roles: readonly string[];
}

/** The roles that a person may get, the present one chosen. */
export function RoleSelect({ person: { name, role: present }, roles }: RoleSelectProps) {
  return (
    <select name="role" aria-label={`Role of ${name}`}>
      {roles.map((role) => (
        <option key={role} value={role} selected={role === present}>
          {spoken(role)}
        </option>
      ))}
    </select>
  );
}

/** Takes a person off a list, after a second look: `do` is `remove`. */
export function RemoveForm({ action, person: { personId, name, role } }: PersonFormProps) {
  const hidden = { person: String(personId), do: "remove", ...seen(role) };
  return (
    <details>
      <summary>Remove</summary>
      <p>Remove {name}? They lose their place here at their next click.</p>
      <Form {...{ action, hidden }} submit={`Remove ${name}`} kind="danger" isInline />
    </details>
  );
}
