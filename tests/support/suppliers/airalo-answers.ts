import type { StubAnswer, StubRecord } from "./stub-dialect.ts";

export const airaloToken = "eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiJ9.c2FuZGJveA.signature";

export const success = { message: "success" };

export function listed(data: readonly unknown[]): StubAnswer {
  return { status: 200, body: { data, links: { next: null }, meta: { message: "success" } } };
}

export function refused(code: number, reason: string): StubAnswer {
  return { status: 422, body: { code, reason } };
}

export function sims(record: StubRecord, change: Record<string, unknown> = {}): Record<string, unknown>[] {
  return Array.from({ length: Number(record.calls.body.quantity) }, (_, n) => ({
    id: 11_047 + n,
    created_at: "2026-11-20 11:00:31",
    iccid: `894446540000026722${n}`,
    lpa: "lpa.airalo.com",
    imsis: null,
    matching_id: `K7M9-9QXR-${n}T7H`,
    qrcode: `LPA:1$lpa.airalo.com$K7M9-9QXR-${n}T7H`,
    qrcode_url: `https://www.airalo.com/qr?id=${n}`,
    direct_apple_installation_url: `https://esimsetup.apple.com/x?carddata=LPA:1$lpa.airalo.com$K7M9-9QXR-${n}T7H`,
    apn_type: "manual",
    apn_value: "singleall",
    is_roaming: true,
    confirmation_code: null,
    ...change,
  }));
}

export function order(record: StubRecord, change: Record<string, unknown> = {}): Record<string, unknown> {
  const { package_id, quantity } = record.calls.body;
  return {
    id: Number(record.id),
    code: `20261120-0${record.id}`,
    package_id,
    quantity: String(quantity),
    type: "sim",
    description: record.reference,
    esim_type: "Prepaid",
    validity: 7,
    package: "Kallur Digital-1 GB - 7 Days",
    data: "1 GB",
    price: 9.5,
    net_price: 4.75,
    currency: "USD",
    created_at: "2026-11-20 11:00:31",
    manual_installation: "<p><b>eSIM name:</b> Kallur Digital</p>",
    user: { name: "ADA OBI", email: "reseller@example.com", company: "Us" },
    sims: sims(record, change),
  };
}
