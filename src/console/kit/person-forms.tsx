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
      <select name="role" aria-label={`Role of ${person.name}`}>
        {roles.map((role) => (
          <option key={role} value={role} selected={role === person.role}>
            {spoken(role)}
          </option>
        ))}
      </select>
    </Form>
  );
}

/** Takes a person off a list, after a second look: `do` is `remove`. */
export function RemoveForm({ action, person: { personId, name, role } }: PersonFormProps) {
  const hidden = { person: String(personId), do: "remove", ...seen(role) };
  return (
    <details>
      <summary>Remove</summary>
      <p>Remove {name}? They’re logged out everywhere at once.</p>
      <Form {...{ action, hidden }} submit={`Remove ${name}`} kind="danger" isInline />
    </details>
  );
}
