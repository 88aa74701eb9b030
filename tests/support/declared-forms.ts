import type { MemberClient, StaffClient, TestConsole } from "./console.ts";
import { setEndpoint } from "./endpoints.ts";
import { enterProvider, keep } from "./payments/kept-payments.ts";
import { enqueueEvent, logAttempt } from "./webhooks.ts";

/** Null: a box that isn't ticked, or what a page sends along. */
export type Values = Readonly<Record<string, string | null>>;

export interface DeclaredForm {
  /** The page that shows the form. */
  readonly page: string | (() => Promise<string>);
  /** Values that fit, other ones for 0, 1 and 2. */
  readonly values: (nth: number) => Values;
  /** What doesn't fit, where a text of 3,000 letters does. */
  readonly wrong?: Values;
  /** What is left out of a form that is sent as it was shown. */
  readonly untouched?: Values;
  /** People who ask a second one, and for what, where an admin does as much alone; `taken`: what the next one is told, if anything. */
  readonly asks?: {
    readonly by?: readonly [StaffClient, StaffClient];
    readonly values?: Values;
    readonly taken?: string | null;
  };
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

interface People {
  readonly maker: StaffClient;
  readonly catalogue: readonly [StaffClient, StaffClient];
  readonly owner: MemberClient;
}

/** The declared forms by their routes, each with a page that shows it and with what fits its fields. */
export async function declaredForms(
  service: TestConsole,
  { maker, catalogue, owner }: People,
): Promise<Readonly<Record<string, DeclaredForm>>> {
  const { pool } = service.app.fresh;
  const { database } = service.app.services;
  const wallet = { merchantId: service.app.merchant.id, mode: "live" } as const;
  const merchant = `/operator/merchants/mer_${service.app.merchant.id}`;
  const rows = async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows;
  const [{ id: pins }] = await rows(
    "select p.id from products p join billers b on b.slug = p.biller_slug where b.category = 'recharge_pin' limit 1",
  );
  await rows(`insert into suppliers (name, connector, settings, state) values
  ('shelf', 'voucher-stock', '{}', 'enabled'), ('capped', 'vtpass', '{"base_url":"https://vt.example"}', 'enabled')`);
  await rows("insert into supplier_routes (product_id, supplier, supplier_code, cost) values ($1, 'shelf', 'S', 1)", [
    pins,
  ]);
  await rows(
    "insert into supplier_category_hours values ('capped', date_trunc('hour', now()), 'data', 70, 0, 0, 0, '{}')",
  );
  const [{ rate }] = await rows("select fx_rate::integer as rate from products where face_currency = 'USD' limit 1");

  const booking = { merchant: `mer_${service.app.merchant.id}`, amount: "5,000", reason: "Transfer" };
  const credited = (bank_reference: string) => ({ ...booking, bank_reference, no_reference: null });
  let count = 0;

  return {
    "/operator/sales/:id/refund": {
      async page() {
        count += 1;
        const body = { reference: `declared-${count}`, product_id: 1002, phone: "08031234567" };
        const sold = await service.app.call(service.app.merchant.liveKey ?? "", "/data/purchase", { body });
        return `/operator/sales/${sold.body.transaction_id}`;
      },
      values: () => ({ reason: "customer waited for two hours" }),
      isAct: true,
    },
    "/operator/money/credit": {
      page: "/operator/money/credit",
      values: (at) => credited(`NIP ${at}`),
      isAct: true,
      asks: { values: { ...credited("NIP/BIG"), amount: "250,000" }, taken: "entered before" },
    },
    "/operator/money/debit": {
      page: "/operator/money/credit?take=back",
      values: () => ({ ...booking, amount: "1,000" }),
      isAct: true,
      asks: { taken: null },
    },
    "/operator/money/credits/:number/take-back": {
      async page() {
        count += 1;
        await maker.send("/operator/money/credit", { ...booking, bank_reference: `BACK/${count}` });
        return `/operator/money/credits/${(await rows("select max(id) as id from wallet_credits"))[0].id}/take-back`;
      },
      values: () => ({ reason: "of another merchant" }),
      isAct: true,
    },
    "/operator/payments/:number/match": {
      async page() {
        count += 1;
        await enterProvider(service.app);
        await keep(service.app, `declared-${count}`, { merchantId: null });
        return `/operator/payments/${(await rows("select max(number) as number from payments"))[0].number}`;
      },
      values: () => ({ merchant: `mer_${service.app.merchant.id}`, reason: "its receipt names it" }),
      isAct: true,
    },
    "/operator/payments/:number/contradiction": {
      async page() {
        count += 1;
        await enterProvider(service.app);
        await keep(service.app, `declared-${count}`, { merchantId: null });
        const text = `update payments set contradiction = 'its status is failed'
           where number = (select max(number) from payments) returning number`;
        return `/operator/payments/${(await rows(text))[0].number}`;
      },
      values: () => ({ end: "written_off", note: "its desk, case 7" }),
      isAct: true,
    },
    "/operator/merchants/:id/change/legacy": {
      page: `${merchant}/change`,
      values: (at) => ({
        data_networks: `1=MTN,2=AIRTEL,3=GLO,4${at}=9MOBILE`,
        airtime_networks: "1=MTN,2=AIRTEL,3=GLO,4=9MOBILE",
        checks_prefixes: null,
      }),
      wrong: { checks_prefixes: null },
    },
    "/operator/settings/sandbox": {
      page: "/operator/settings",
      values: (at) => ({ position: at === 0 ? "off" : "on" }),
    },
    "/operator/prices/rates": {
      page: "/operator/prices/rates?currency=USD",
      values: (at) => ({ currency: "USD", rate: (rate / 100 + at + 1).toFixed(2) }),
      asks: { by: catalogue, values: { rate: (rate / 100 + 9).toFixed(2) } },
    },
    "/operator/prices/products/new": {
      page: "/operator/prices/products/new",
      values: (at) => ({
        biller: "mtn-data",
        name: `MTN ${at}`,
        code: `mtn-${at}`,
        price: "985.00",
        plan: `${at + 70}GB`,
      }),
      isAct: true,
      asks: {
        by: catalogue,
        values: { biller: "mtn-data", name: "MTN", code: "mtn-9", price: "985.00", plan: "79GB" },
      },
    },
    "/operator/prices/products/:id/names": {
      page: "/operator/prices/products/1003",
      ...nth("name", "MTN by name", "MTN by another", "MTN by a third"),
    },
    "/operator/prices/products/:id/sale": {
      page: "/operator/prices/products/1004",
      ...{ ...nth("replaced_by", "1002", "1002", "1002"), isAct: true },
    },
    "/operator/suppliers/:supplier/limits": {
      page: "/operator/suppliers/capped",
      values: (at) => ({ cap: `${at + 1},000,000`, cap_sales: "5,000", floor: "", alarm: "" }),
      asks: { values: { cap_sales: "1" } },
    },
    "/operator/vouchers/products/:id/threshold": {
      page: `/operator/vouchers/products/${pins}`,
      ...nth("low_at", "1,500", "1,600", "1,700"),
    },
    "/operator/vouchers/products/:id/format": {
      page: `/operator/vouchers/products/${pins}`,
      values: (at) => ({ pin_digits: String(12 + at), serial_prefix: "MT-", serial_digits: "10" }),
    },
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
        await logAttempt(database, wallet, await enqueueEvent(database, wallet), {
          successful: false,
          httpStatus: 500,
        });
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
}
