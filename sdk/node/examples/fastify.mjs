// Sells airtime and receives webhooks with Fastify 5.
//
//   npm install ./dispense-1.0.0.tgz fastify
//   export DISPENSE_URL=http://127.0.0.1:8080 DISPENSE_KEY=ds_test_… DISPENSE_WEBHOOK_SECRET=whsec_…
//   node fastify.mjs
//   curl http://127.0.0.1:3000/sales --json '{"reference":"sale-1","phone":"08031234567","amount":"100.00"}'
//   curl http://127.0.0.1:3000/sales/sale-1
//
// Sales and deliveries are in memory here: tables of your database take their place.
import { Dispense, DispenseError, verifyWebhook, WebhookVerificationError } from "dispense";
import { fastify } from "fastify";

const sales = new Map();
const deliveries = new Set();

const app = fastify();
app.decorate("dispense", new Dispense());

// In a scope of its own a body stays the bytes that came. Fastify parses JSON everywhere else, and a body that was parsed
// and written again has other bytes than those that were signed.
app.register(async (scope) => {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: 65_536 }, (_request, bytes, done) =>
    done(null, bytes),
  );

  scope.post("/webhooks/dispense", async (request, reply) => {
    let event;
    try {
      event = verifyWebhook(request.body, request.headers, process.env.DISPENSE_WEBHOOK_SECRET);
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      return reply.code(401).send({ reason: error.reason });
    }
    receive(event);
    return reply.code(204).send();
  });
});

app.post("/sales", async ({ body: { reference, phone, amount } }) => {
  return sales.get(reference) ?? (await sell({ reference, phone, amount }));
});

app.get("/sales/:reference", async ({ params }, reply) => {
  return sales.get(params.reference) ?? reply.code(404).send();
});

async function sell({ reference, phone, amount }) {
  const sale = { reference, status: "pending", events: [] };
  sales.set(reference, sale); // written down before anything is sent
  try {
    settle(await app.dispense.buyAirtime({ reference, network: "MTN", phone, amount }));
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

await app.listen({ port: Number(process.env.PORT ?? 3000), host: "127.0.0.1" });
