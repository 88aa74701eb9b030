import { afterAll, describe, expect, test } from "vitest";
import { closing } from "../support/closing.ts";
import { type ConsoleAnswer, type ConsoleClient, startConsole } from "../support/console.ts";
import { declaredForms, type Values } from "../support/declared-forms.ts";
import { openFakeSupplier } from "../support/fake-supplier.ts";
import { formOf, type ShownForm } from "../support/forms.ts";

// Every form that is declared keeps the same promises: they are read from its route, with what fits its fields from here.

const service = closing(await startConsole({ suppliers: [openFakeSupplier()] }));
const { pool } = service.app.fresh;
// No sale brought these: the books are checked at the end.
afterAll(() => pool.query("delete from webhook_outbox; delete from webhook_deliveries"));
const [owner, partner] = [await service.member("owner"), await service.member("owner")];
const [maker, checker] = [await service.staff("admin"), await service.staff("admin")];
const catalogue = [await service.staff("catalogue"), await service.staff("catalogue")] as const;
const outsider = await service.staff("support");
const cases = await declaredForms(service, { maker, catalogue, owner });

const declared = [...service.operatorRoutes, ...service.routes].flatMap(({ method, path, mode, declared: known }) =>
  method === "POST" && mode !== "test" && known !== undefined ? [{ path, ...known }] : [],
);

test("every declared form is looked at here", () => {
  expect(declared.map(({ path }) => path).sort()).toEqual(Object.keys(cases).sort());
});

describe.each(declared)("the form at $path", ({ path, kind, command }) => {
  const one = cases[path];
  if (one === undefined) return;
  const [first, second] = path.startsWith("/operator/") ? [maker, checker] : [owner, partner];
  const ending = new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}$`);
  const shown = async (client: ConsoleClient) => {
    const page = await client.get(typeof one.page === "string" ? one.page : await one.page());
    return { page, form: formOf(page, ending) };
  };

  test("says all that is wrong at once, each at its field, and does nothing", async () => {
    const { page, form } = await shown(first);
    const names = typedNames(page, form).filter((name) => one.wrong?.[name] !== null);
    const before = await written();
    const wrong = Object.fromEntries(names.map((name) => [name, one.wrong?.[name] ?? "x".repeat(3_000)]));
    const { status, text } = await send(first, form, wrong);
    expect([status, names.filter((name) => !text.includes(`id="${name}-error"`)), await written()]).toEqual([
      ...[names.every((name) => isBox(page, name)) ? 303 : 400, names.filter((name) => isBox(page, name)), before],
    ]);
  });

  if (one.isAct !== true || path.endsWith("/status")) {
    test("replaces nothing that somebody else changed meanwhile, and keeps what was typed", async () => {
      const [late, { form }] = [await shown(second), await shown(first)];
      expect(late.form.fields.seen).toBe(form.fields.seen);
      expect((await send(first, form, one.values(0))).status).toBe(303);
      if (kind !== null && command === null) await decide(second, await waitingId(kind));
      // Some of it is read from memory, which feels a change within a second.
      await expect
        .poll(async () => (await shown(second)).form.fields.seen, { timeout: 5_000 })
        .not.toBe(form.fields.seen);
      const before = await written();
      const sent = await send(second, late.form, one.values(1));
      expect([sent.status, sent.text.includes("Someone else changed this meanwhile"), await written()]).toEqual([
        ...[400, true, before],
      ]);
      for (const [name, value] of Object.entries(one.values(1))) {
        if (value !== null) expect(valueIn(formOf(sent, ending), name)).toBe(value);
      }
    });
  }

  if (one.isAct !== true) {
    test("says that nothing was changed where nothing was, and does nothing", async () => {
      const { form } = await shown(first);
      const before = await written();
      const sent = await first.follow(await send(first, form, one.untouched ?? {}));
      expect([sent.text.includes("Nothing was changed."), await written()]).toEqual([true, before]);
    });
  }

  if (kind === null || command !== null) {
    test("is carried out by one person, with an entry in the audit log", async () => {
      const { form } = await shown(first);
      const answer = await send(first, form, one.values(2));
      expect([200, 303], answer.text).toContain(answer.status);
      const entry = "select command from audit_log where who like '%:' || $1 order by number desc limit 1";
      expect((await pool.query(entry, [first.email])).rows).toEqual([{ command: one.command ?? command }]);
    });
  }

  if (kind !== null) {
    test("waits for a second person of the right role, who isn’t the one who asked, and is carried out once", async () => {
      const {
        by: [asker, other] = [maker, checker],
        values = one.values(2),
        taken = "asked for this already",
      } = one.asks ?? {};
      const { form } = await shown(asker);
      await send(asker, form, values);
      const id = await waitingId(kind);
      expect(await lastRequest(asker.email, "console approval ask")).toBe(id);
      if (one.isAct !== true) expect((await shown(asker)).form.fields.seen).toBe(form.fields.seen);
      if (taken !== null) expect((await other.follow(await send(other, form, values))).text).toContain(taken);
      expect(await decide(asker, id)).toContain("You asked for this yourself");
      expect(await decide(outsider, id)).toContain("can’t decide");
      expect(await stateOf(id)).toBe("waiting");
      await decide(second, id);
      expect([await stateOf(id), await lastRequest(second.email, "console approval approve")]).toEqual(["done", id]);
      expect(await decide(second, id)).toContain("Someone has decided this already");
    });
  }
});

function isBox({ text }: ConsoleAnswer, name: string): boolean {
  return new RegExp(`id="${name}"[^>]*type="checkbox"`).test(text);
}

/** Names of what is typed or chosen in a form, not of what its page sends along. */
function typedNames(page: ConsoleAnswer, { fields }: ShownForm): readonly string[] {
  return Object.keys(fields).filter((name) => page.text.includes(`id="${name}"`));
}

function valueIn({ fields }: ShownForm, name: string): string {
  return (fields[name] ?? "").replaceAll("\r\n", "\n");
}

function send(client: ConsoleClient, { action, fields }: ShownForm, values: Values): Promise<ConsoleAnswer> {
  const all = Object.entries({ ...fields, ...values }).flatMap(([name, value]) =>
    value === null ? [] : [[name, value]],
  );
  const { once: _once, ...sent } = Object.fromEntries(all) as Record<string, string>;
  return client.send(action, sent);
}

/** What would show that something was done. */
async function written(): Promise<unknown> {
  const { rows } = await pool.query(
    "select (select count(*) from audit_log)::int as entries, (select count(*) from changes)::int as changes",
  );
  return rows[0];
}

async function waitingId(kind: string): Promise<number> {
  const { rows } = await pool.query("select id::int from changes where kind = $1 and state = 'waiting'", [kind]);
  expect(rows).toHaveLength(1);
  return rows[0].id;
}

async function rows(text: string, values: readonly unknown[] = []) {
  return (await pool.query(text, [...values])).rows;
}

async function stateOf(id: number): Promise<string> {
  return (await pool.query("select state from changes where id = $1", [id])).rows[0].state;
}

async function lastRequest(email: string, command: string): Promise<unknown> {
  const entry =
    "select details from audit_log where who = 'staff:' || $1 and command = $2 order by number desc limit 1";
  return JSON.parse((await rows(entry, [email, command]))[0].details).approval;
}

async function decide(client: ConsoleClient, id: number): Promise<string> {
  return (await client.follow(await client.send(`/operator/approvals/${id}`, { do: "approve" }))).text;
}
