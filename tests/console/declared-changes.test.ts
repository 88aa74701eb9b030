import { afterAll, describe, expect, test } from "vitest";
import { closing } from "../support/closing.ts";
import { type ConsoleAnswer, type ConsoleClient, startConsole } from "../support/console.ts";
import { setEndpoint } from "../support/endpoints.ts";
import { formOf, type ShownForm } from "../support/forms.ts";
import { enqueueEvent, logAttempt } from "../support/webhooks.ts";

// Every form that is declared keeps the same promises: they are read from its route, with what fits its fields from here.

const service = closing(await startConsole());
const { pool } = service.app.fresh;
const { database } = service.app.services;
const wallet = { merchantId: service.app.merchant.id, mode: "live" } as const;
// No sale brought these: the books are checked at the end.
afterAll(() => pool.query("delete from webhook_outbox; delete from webhook_deliveries"));
const merchant = `/operator/merchants/mer_${service.app.merchant.id}`;
const [owner, partner] = [await service.member("owner"), await service.member("owner")];
const [maker, checker] = [await service.staff("admin"), await service.staff("admin")];
const outsider = await service.staff("catalogue");

/** Null: a box that isn't ticked, or what a page sends along. */
type Values = Readonly<Record<string, string | null>>;

interface Case {
  /** The page that shows the form. */
  readonly page: string | (() => Promise<string>);
  /** Values that fit, other ones for 0, 1 and 2. */
  readonly values: (nth: number) => Values;
  /** What doesn't fit, where a text of 3,000 letters does. */
  readonly wrong?: Values;
  /** What is left out of a form that is sent as it was shown. */
  readonly untouched?: Values;
  /** It does something each time: nothing of it is stored, or not by its fields. */
  readonly isAct?: boolean;
  /** Where the audit log calls it otherwise than its first deed. */
  readonly command?: string;
}

const business = {
  registrationNumber: "RC 1",
  address: "1 Broad Street",
  phone: "08031234567",
  website: "kobo.example",
};
const nth = (name: string, ...all: readonly string[]) => ({ values: (at: number) => ({ [name]: all[at] ?? "" }) });

const cases: Readonly<Record<string, Case>> = {
  "/operator/settings/sign-up": { page: "/operator/settings", ...nth("policy", "confirm", "closed", "open") },
  "/operator/settings/limit-tiers/:tier": {
    page: "/operator/settings/limit-tiers/1",
    values: (at) => ({ name: `Bronze ${at}`, per_sale: `1,00${at}`, per_day: "5,000" }),
  },
  "/operator/settings/price-tiers/:tier": {
    page: "/operator/settings/price-tiers/2",
    ...nth("name", "Resellers", "Shops", "Agents"),
  },
  "/operator/company": {
    page: "/operator/company",
    values: (at) => ({
      ...{ name: `Kobo House ${at}`, "support-email": "help@kobo.example" },
      ...{ "support-phone": "0803 000 0000", bank: "GTBank 0123456789" },
    }),
  },
  "/operator/alerts": {
    page: "/operator/alerts",
    values: (at) => ({ emails: `call-${at}@kobo.example`, url: "" }),
    wrong: { url: null },
  },
  "/operator/staff/invite": {
    page: "/operator/staff",
    values: (at) => ({ email: `staff-${at}@kobo.example`, role: "support" }),
    isAct: true,
  },
  "/operator/new-merchant": {
    page: "/operator/new-merchant",
    values: (at) => ({ name: `Ikeja Phones ${at}`, email: `ikeja-${at}@shop.example` }),
    isAct: true,
  },
  "/operator/merchants/:id/people/invite": {
    page: merchant,
    ...nth("email", "owner-0@shop.example", "owner-1@shop.example", "owner-2@shop.example"),
    isAct: true,
  },
  ...Object.fromEntries(
    Object.entries({
      limits: nth("limit_tier", "2", "3", "1"),
      prices: nth("price_tier", "2", "3", "1"),
      addresses: nth("ranges", "192.0.2.1", "192.0.2.2", "192.0.2.3"),
      guard: nth("seconds", "60", "70", "80"),
      categories: { values: (at: number) => (at === 0 ? { betting: null } : { cable: null }) },
      status: { ...nth("reason", "chargebacks", "more", "settled"), isAct: true, command: "console merchant resume" },
    }).map(([name, one]) => [`/operator/merchants/:id/change/${name}`, { page: `${merchant}/change`, ...one }]),
  ),
  "/operator/merchants/:id/change/recovery": {
    async page() {
      await setEndpoint(database, wallet, "https://shop.example/hook");
      await logAttempt(database, wallet, await enqueueEvent(database, wallet), { successful: false, httpStatus: 500 });
      await pool.query("delete from webhook_outbox");
      return `${merchant}/change`;
    },
    values: () => ({ since: "2020-01-01T00:00", mode: "live" }),
    wrong: { since: null },
    isAct: true,
  },
  "/operator/merchants/:id/access/withdraw": {
    page: `${merchant}/access/withdraw`,
    values: () => ({ reason: "no such business" }),
    isAct: true,
  },
  "/operator/merchants/:id/access/refuse": {
    async page() {
      await pool.query("update merchants set api_approved_at = null");
      await pool.query("update people set email_verified_at = now()");
      await owner.send("/account/business", { ...business, businessName: "Asking", sells: "Airtime", do: "ask" });
      return `${merchant}/access/refuse`;
    },
    values: () => ({ reason: "no such register number" }),
    isAct: true,
  },
  "/account/business": {
    page: "/account/business",
    values: (at) => ({ ...business, businessName: `Tolu Ventures ${at}`, sells: "Airtime", do: null }),
    untouched: { do: null },
  },
};

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
      if (kind !== null) await decide(second, await waitingId(kind));
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

  if (kind === null) {
    test("is carried out by one person, with an entry in the audit log", async () => {
      const { form } = await shown(first);
      const answer = await send(first, form, one.values(2));
      expect([200, 303], answer.text).toContain(answer.status);
      const entry = "select command from audit_log where who like '%:' || $1 order by number desc limit 1";
      expect((await pool.query(entry, [first.email])).rows).toEqual([{ command: one.command ?? command }]);
    });
  } else {
    test("waits for a second person of the right role, who isn’t the one who asked, and is carried out once", async () => {
      const { form } = await shown(first);
      await send(first, form, one.values(2));
      const id = await waitingId(kind);
      expect(await lastEntry(first.email)).toEqual({ command: "console approval ask", id });
      if (one.isAct !== true) expect((await shown(first)).form.fields.seen).toBe(form.fields.seen);
      expect((await second.follow(await send(second, form, one.values(2)))).text).toContain("asked for this already");
      expect(await decide(first, id)).toContain("You asked for this yourself");
      expect(await decide(outsider, id)).toContain("can’t decide");
      expect(await stateOf(id)).toBe("waiting");
      await decide(second, id);
      expect([await stateOf(id), await lastEntry(second.email)]).toEqual([
        ...["done", { command: "console approval approve", id }],
      ]);
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
  const { once: _once, merchant: _merchant, ...sent } = Object.fromEntries(all) as Record<string, string>;
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

async function stateOf(id: number): Promise<string> {
  return (await pool.query("select state from changes where id = $1", [id])).rows[0].state;
}

async function lastEntry(email: string): Promise<unknown> {
  const { rows } = await pool.query(
    "select command, details from audit_log where who = 'staff:' || $1 order by number desc limit 1",
    [email],
  );
  return { command: rows[0].command, id: JSON.parse(rows[0].details).approval };
}

async function decide(client: ConsoleClient, id: number): Promise<string> {
  return (await client.follow(await client.send(`/operator/approvals/${id}`, { do: "approve" }))).text;
}
