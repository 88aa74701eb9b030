// Sells airtime and receives webhooks with Express 5.
//
//   npm install ./dispense-1.0.0.tgz express
//   export DISPENSE_URL=http://127.0.0.1:8080 DISPENSE_KEY=ds_test_… DISPENSE_WEBHOOK_SECRET=whsec_…
//   node express.mjs
//   curl http://127.0.0.1:3000/sales --json '{"reference":"sale-1","phone":"08031234567","amount":"100.00"}'
//   curl http://127.0.0.1:3000/sales/sale-1
//
// Sales and deliveries are in memory here: tables of your database take their place.
import { Dispense, DispenseError, verifyWebhook, WebhookVerificationError } from "dispense";
import express from "express";

const sales = new Map();
const deliveries = new Set();

const app = express();
app.locals.dispense = new Dispense();

// This route has a parser of its own, before express.json(): a body that was parsed and written again has other bytes than
// those that were signed.
app.post("/webhooks/dispense", express.raw({ type: "*/*", limit: "64kb" }), (request, response) => {
  let event;
  try {
    event = verifyWebhook(request.body, request.headers, process.env.DISPENSE_WEBHOOK_SECRET);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return response.status(401).json({ reason: error.reason });
  }
  receive(event);
  response.sendStatus(204);
});

app.use(express.json());

app.post("/sales", async (request, response) => {
  const { reference, phone, amount } = request.body;
  response.json(sales.get(reference) ?? (await sell(request.app.locals.dispense, { reference, phone, amount })));
});

app.get("/sales/:reference", (request, response) => {
  const sale = sales.get(request.params.reference);
  response.status(sale === undefined ? 404 : 200).json(sale ?? null);
});

async function sell(dispense, { reference, phone, amount }) {
  const sale = { reference, status: "pending", events: [] };
  sales.set(reference, sale); // written down before anything is sent
  try {
    settle(await dispense.buyAirtime({ reference, network: "MTN", phone, amount }));
  } catch (error) {
    if (!(error instanceof DispenseError)) throw error;
    // "unknown" stays pending, for it may have been bought: docs/shops shows how to ask for it later.
    if (error.charged === "no") sale.status = "failed";
  }
  return sale;
}

/** Quick work only, in one transaction with the delivery's id: the service waits 15 seconds for an answer. */
function receive({ delivery_id: id, event, mode, data }) {
  // The same delivery comes again where our answer was lost. Both modes share the address.
  if (deliveries.has(id) || !process.env.DISPENSE_KEY.startsWith(`ds_${mode}_`)) return;
  if (event === "transaction.successful" || event === "transaction.failed") {
    settle(data);
    sales.get(data.reference)?.events.push(event);
  }
  deliveries.add(id);
}

/** Final are "successful" and "failed"; "pending" changes nothing. */
function settle({ reference, status }) {
  const sale = sales.get(reference);
  if (sale?.status === "pending") sale.status = status;
}

app.listen(Number(process.env.PORT ?? 3000), "127.0.0.1");
