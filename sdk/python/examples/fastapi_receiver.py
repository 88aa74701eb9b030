# Sells airtime and receives webhooks with FastAPI.
#
#   pip install ./dispense-1.0.0-py3-none-any.whl fastapi uvicorn
#   export DISPENSE_URL=http://127.0.0.1:8080 DISPENSE_KEY=ds_test_… DISPENSE_WEBHOOK_SECRET=whsec_…
#   uvicorn fastapi_receiver:app --port 8000
#   curl http://127.0.0.1:8000/sales --json '{"reference":"sale-1","phone":"08031234567","amount":"100.00"}'
#   curl http://127.0.0.1:8000/sales/sale-1
#
# Sales and deliveries are in memory here: tables of your database take their place.
import os
from functools import lru_cache

from fastapi import Depends, FastAPI, HTTPException, Request, Response
from pydantic import BaseModel

from dispense import AsyncDispense, DispenseError, WebhookVerificationError, verify_webhook

app = FastAPI()
sales = {}
deliveries = set()


@lru_cache
def the_client() -> AsyncDispense:
    """One client for all requests, so that connections are kept."""
    return AsyncDispense()


class Wish(BaseModel):
    reference: str
    phone: str
    amount: str


# The route takes the bare request: with a model as its parameter FastAPI would parse the body, and what is written again
# from a model has other bytes than those that were signed.
@app.post("/webhooks/dispense")
async def webhook(request: Request) -> Response:
    try:
        event = verify_webhook(await request.body(), request.headers, os.environ["DISPENSE_WEBHOOK_SECRET"])
    except WebhookVerificationError as error:
        raise HTTPException(401, error.reason)
    receive(event)
    return Response(status_code=204)


@app.post("/sales")
async def sell(wish: Wish, dispense: AsyncDispense = Depends(the_client)) -> dict:
    if wish.reference in sales:
        return sales[wish.reference]
    sale = sales[wish.reference] = {"reference": wish.reference, "status": "pending", "events": []}  # before it is sent
    try:
        settle(
            await dispense.buy_airtime(
                reference=wish.reference, network="MTN", phone=wish.phone, amount=wish.amount
            )
        )
    except DispenseError as error:
        # "unknown" stays pending, for it may have been bought: docs/shops shows how to ask for it later.
        if error.charged == "no":
            sale["status"] = "failed"
    return sale


@app.get("/sales/{reference}")
async def look(reference: str) -> dict:
    if reference not in sales:
        raise HTTPException(404)
    return sales[reference]


def receive(event: dict) -> None:
    """Quick work only, in one transaction with the delivery's id: the service waits 15 seconds for an answer."""
    # The same delivery comes again where our answer was lost. Both modes share the address.
    if event["delivery_id"] in deliveries or not os.environ["DISPENSE_KEY"].startswith(f"ds_{event['mode']}_"):
        return
    if event["event"] in ("transaction.successful", "transaction.failed"):
        settle(event["data"])
        if event["data"]["reference"] in sales:
            sales[event["data"]["reference"]]["events"].append(event["event"])
    deliveries.add(event["delivery_id"])


def settle(transaction: dict) -> None:
    """Final are "successful" and "failed"; "pending" changes nothing."""
    sale = sales.get(transaction["reference"])
    if sale is not None and sale["status"] == "pending":
        sale["status"] = transaction["status"]
