import { expect, test } from "vitest";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { untilFelt } from "../support/felt-change.ts";
import { operate } from "../support/operate.ts";

let references = 0;

const app = closing(await startApp());

const run = (...words: string[]) => operate(words, { DATABASE_URL: app.fresh.url });

async function withinASecond(path: string, wish: object, expected: object) {
  const buy = () => {
    references += 1;
    return app.call(app.merchant.testKey, path, { body: { reference: `new-${references}`, ...wish } });
  };
  const { body } = await untilFelt(buy, ({ status }) => status === 201);
  expect(body).toMatchObject(expected);
}

test("a new plan of a known biller is listed and bought within a second, and its price changes", async () => {
  const words = "product add mtn-sme-7gb-30d --biller mtn-data --plan 7GB --plan-type SME --legacy-plan 901".split(" ");
  const rest = ["--name", "MTN 7GB SME (30 days)", "--validity", "30 days", "--price", "2985.00", "--json"];
  const [added] = (await run("--as", "ada", ...words, ...rest)).lines;
  expect(added).toEqual({ product_id: 100_000, code: "mtn-sme-7gb-30d", biller: "mtn-data" });
  const plan = { product_id: 100_000, phone: "08031234567" };
  await withinASecond("/data/purchase", plan, { plan: "7GB", total_deducted: "2985.00" });
  const listed = await app.call(app.merchant.testKey, "/billers/mtn-data/products");
  expect(listed.body.products).toContainEqual(
    expect.objectContaining({ product_id: 100_000, api_price: "2985.00", validity: "30 days", available: true }),
  );
  await run("set-price", "100000", "2700.00", "--fee", "10.00");
  await withinASecond("/data/purchase", { ...plan, expected_price: "2710.00" }, { total_deducted: "2710.00" });
  expect((await run("audit", "list", "--json")).lines).toMatchObject([
    { who: "ada", command: "product add", details: { name: "MTN 7GB SME (30 days)", biller: "mtn-data" } },
    { command: "set-price" },
  ]);
  expect((await run("product", "list", "mtn-data", "--json")).lines).toContainEqual(
    expect.objectContaining({ product_id: 100_000, price: "2700.00", fee: "10.00", available: true }),
  );
});

test("a new biller with a product of any amount, and a card in a new currency, are bought", async () => {
  const disco = ["biller", "add", "lagos-solar", "--name", "Lagos Solar", "--category", "electricity"];
  expect((await run(...disco, "--meter-types", "prepaid")).out).toContain("product add CODE --biller lagos-solar");
  const range = ["--price", "99.5%", "--min", "1000.00", "--max", "200000.00", "--meter-type", "prepaid"];
  await run("product", "add", "lagos-solar-prepaid", "--biller", "lagos-solar", "--name", "Lagos Solar", ...range);
  const meter = { meter_number: "45012345678", phone: "08031234567", amount: "5000.00" };
  const byBiller = { ...meter, biller: "lagos-solar", meter_type: "prepaid" };
  await withinASecond("/electricity/purchase", byBiller, { biller: "Lagos Solar", total_deducted: "4975.00" });

  const card = ["--price", "100%", "--face", "1000.00", "--currency", "JPY", "--fx-rate", "10.00", "--fee", "1%"];
  const facts = ["--attributes", '{"brand":"Nintendo","has_pin":true}'];
  const yen = await run(
    "product",
    "add",
    "nintendo-jp-1000",
    "--biller",
    "nintendo-us",
    "--name",
    "J",
    ...card,
    ...facts,
  );
  expect(yen.out).toMatch(
    /^Product 100002, nintendo-jp-1000, is on offer\.\nLive purchases need a route: route set 100002/,
  );
  await withinASecond(
    "/giftcard/purchase",
    { product_id: 100_002 },
    {
      total_deducted: "10100.00",
      delivery: { brand: "Nintendo", face_currency: "JPY", face_value: "1000.00" },
    },
  );
});

test.each([
  [
    ["--biller", "nobody", "--price", "1.00"],
    /^There is no biller nobody\. Choose one that is there, or add it first\.\n$/,
  ],
  [["--biller", "mtn-data", "--price", "97%"], /^price: This product has no face value: set an amount/],
  [["--biller", "sms-dnd", "--price", "6.00"], /^attributes\.route is missing\.\n$/],
  [["--biller", "waec", "--price", "6.00", "--attributes", "{"], /It must be a JSON object/],
  [
    ["--biller", "mtn-airtime", "--price", "97%", "--min", "50", "--max", "500"],
    /means product 2001, .*take that off sale first/,
  ],
])("product add %j says what to do", async (words, reason) => {
  const { code, error } = await run("product", "add", "a-code", "--name", "A", ...words);
  expect([code, error]).toEqual([1, expect.stringMatching(reason)]);
});

test("product rename spells a name anew and gives a plan without one its number for older clients", async () => {
  const stored = async () =>
    (await app.fresh.pool.query("select name, legacy_plan_id from products where id = 1004")).rows[0];
  await app.fresh.pool.query("update products set legacy_plan_id = null where id = 1004");
  expect((await run("product", "rename", "1004", "--legacy-plan", "905")).out).toBe("Product 1004 is changed.\n");
  const { name } = await stored();
  expect(name).not.toBe("MTN, anew");
  await run("product", "rename", "1004", "--name", "MTN, anew");
  expect(await stored()).toEqual({ name: "MTN, anew", legacy_plan_id: 905 });
  const other = await run("product", "rename", "1004", "--legacy-plan", "906");
  expect([other.code, other.error]).toEqual([1, expect.stringContaining("It is 905, and stays so")]);
  const cable = await run("product", "rename", "4001", "--legacy-plan", "907");
  expect([cable.code, cable.error]).toEqual([1, expect.stringContaining("legacy_plan")]);
});
