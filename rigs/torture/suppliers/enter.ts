import { randomBytes } from "node:crypto";
import { setFxRate } from "../../../src/domain/catalogue/offering.ts";
import { putSupplier, setRoute } from "../../../src/domain/suppliers/administration.ts";
import { importVouchers } from "../../../src/domain/suppliers/vouchers/import.ts";
import type { VoucherRow } from "../../../src/domain/suppliers/vouchers/voucher-format.ts";
import { wallTime } from "../../../src/kernel/clock.ts";
import type { ProductId } from "../../../src/kernel/ids.ts";
import { basisPoints, kobo } from "../../../src/kernel/money.ts";
import type { Database } from "../../../src/platform/database/database.ts";
import { systemClock } from "../../base/merchants.ts";
import { rigSecretBox } from "../../base/service.ts";
import type { Ground } from "../ground.ts";
import { codesOf, type Stand } from "./stands.ts";
import { type OurOwn, type Ware, wares } from "./wares.ts";

/** Well above what a stub takes when it is well, and so short that a slow supplier is given up while the storm goes on. */
const deadlineSeconds = 4;
const ourOwn: readonly OurOwn[] = ["voucher-stock", "manual"];
/** Suppliers whose account is in dollars. */
const inDollars: ReadonlySet<string> = new Set(["esim-access", "airalo", "reloadly"]);
const centsPerUnit = 450n;
const nairaPerDollar = kobo(1_600_00n);

/** Enters every supplier as an operator does, with a route for each ware that it sells. */
export async function enterStands({ postgres: { database } }: Ground, stands: readonly Stand[]): Promise<void> {
  const services = { database, secretBox: rigSecretBox };
  await setFxRate(database, "USD", nairaPerDollar, { mayLeap: true });
  for (const { name, under, stub } of stands) {
    const { settings, credentials } = under.entered({ baseUrl: stub.url, wrongKeys: false });
    const deadlines = Object.fromEntries(wares.map(({ category }) => [category, deadlineSeconds]));
    await putSupplier(services, { name, connector: name, settings: { ...settings, deadlines }, credentials });
  }
  for (const name of ourOwn) await putSupplier(services, { name, connector: name, settings: {}, credentials: {} });
  await prefer(database, stands, orderOf(stands));
}

/** One way to serve a ware. */
interface Way {
  readonly ware: Ware;
  readonly supplier: string;
  readonly code: string;
}

function waysOf(stands: readonly Stand[]): Way[] {
  return wares.flatMap((ware) => [
    ...stands.flatMap(({ name, under }) => {
      const code = codesOf(under).get(ware);
      return code === undefined ? [] : [{ ware, supplier: name, code }];
    }),
    ...(ware.byOurselves ?? []).map((supplier) => ({ ware, supplier, code: "-" })),
  ]);
}

/** The suppliers of each category, for the report. */
export function suppliersByCategory(stands: readonly Stand[]): ReadonlyMap<string, readonly string[]> {
  const ways = waysOf(stands);
  const of = ({ category }: Ware) =>
    ways.filter(({ ware }) => ware.category === category).map(({ supplier }) => supplier);
  return new Map(wares.map((ware) => [ware.category, of(ware)]));
}

/** In which order suppliers are asked: as the registry has them, our own last. */
export function orderOf(stands: readonly Stand[]): readonly string[] {
  return [...stands.map(({ name }) => name), ...ourOwn];
}

/** Says for every ware in which order its suppliers are asked. */
export async function prefer(database: Database, stands: readonly Stand[], order: readonly string[]): Promise<void> {
  for (const { ware, supplier, code } of waysOf(stands)) {
    const cost = inDollars.has(supplier)
      ? ({ kind: "foreign", currency: "USD", hundredths: centsPerUnit, rate: null } as const)
      : ({ kind: "percent", basisPoints: basisPoints(9_000n) } as const);
    const priority = 1 + order.indexOf(supplier);
    const productId = ware.productId as ProductId;
    await setRoute(database, { productId, supplier, supplierCode: code, priority, cost, enabled: true });
  }
}

/** A file of vouchers for each ware that is sold from our own stock: so few that it runs out and is filled again. */
export async function fillShelves(database: Database, batch: number, piecesEach: number): Promise<void> {
  const services = {
    database,
    secretBox: rigSecretBox,
    clock: systemClock,
    wallTime: wallTime("Africa/Lagos"),
    randomness: randomBytes,
  };
  for (const { productId, byOurselves } of wares) {
    if (byOurselves?.includes("voucher-stock") !== true) continue;
    const rows = rowsOf(productId, batch, piecesEach);
    await importVouchers(services, { productId, batch: `file-${batch}`, rows }, (line, because) => {
      if (because !== "duplicate") throw new Error(`line ${line} was refused: ${because}`);
    });
  }
}

/** Twelve digits each: as many as the PINs of the exam that is sold have. */
async function* rowsOf(productId: number, batch: number, count: number): AsyncGenerator<VoucherRow> {
  const digits = (value: number, length: number) => String(value).padStart(length, "0");
  for (let line = 1; line <= count; line++) {
    yield { line, code: `${digits(productId, 5)}${digits(batch, 3)}${digits(line, 4)}`, serial: "", expiresOn: "" };
  }
}
