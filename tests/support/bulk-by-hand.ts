import { kobo } from "../../src/kernel/money.ts";
import { type ConsoleAnswer, startConsole } from "./console.ts";
import { formOf, submit } from "./forms.ts";

/** The address that a list is paid for at, on the page that checked it. */
export const startForm = /\/bulk\/start\/[\w.:-]+$/;

/** A merchant with plenty of money in its sandbox, and a member who sends lists by hand. */
export async function startBulk() {
  const service = await startConsole();
  const shop = await service.app.createMerchant({ testCredit: kobo(1_000_000_000_00n) });
  const finance = await service.member("finance", shop.id);

  async function checked(lines: string, category = "airtime", reference = ""): Promise<ConsoleAnswer> {
    const form = formOf(await finance.get("/test/bulk/new"), "/bulk/check");
    return submit(finance, form, { category, lines, reference });
  }

  async function phonesOf(reference: string | undefined): Promise<readonly string[]> {
    const { rows } = await service.app.fresh.pool.query(
      "select customer_ref from purchases where bulk_reference = $1 order by bulk_line",
      [reference],
    );
    return rows.map((row) => row.customer_ref);
  }

  return { service, finance, checked, phonesOf, close: () => service.close() };
}

/** The names of the boxes in which lines are corrected. */
export function boxesIn(answer: ConsoleAnswer): readonly string[] {
  return Object.keys(formOf(answer, "/bulk/check").fields).filter((name) => /-\d+$/.test(name));
}

/** The rows of the check: line, number, product or amount, price and verdict. */
export function rowsOf({ text }: { readonly text: string }): readonly string[][] {
  return [...text.matchAll(/<tr( class="(?:wrong|odd)")? role="row">(<td class="sub".*?)<\/tr>/gs)].map(
    ([, , row = ""]) =>
      [...row.matchAll(/<td [^>]*>(.*?)<\/td>/gs)].map(([, cell = ""]) => cell.replace(/<[^>]+>/g, "").trim()),
  );
}
