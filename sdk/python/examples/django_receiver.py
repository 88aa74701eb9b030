# Sells airtime and receives webhooks with Django, in one file. In a project the views belong to an app of yours.
#
#   pip install ./dispense-1.0.0-py3-none-any.whl django
#   export DISPENSE_URL=http://127.0.0.1:8080 DISPENSE_KEY=ds_test_… DISPENSE_WEBHOOK_SECRET=whsec_…
#   python3 django_receiver.py runserver --noreload 8000
#   curl http://127.0.0.1:8000/sales --json '{"reference":"sale-1","phone":"08031234567","amount":"100.00"}'
#   curl http://127.0.0.1:8000/sales/sale-1
#
# Sales and deliveries are in memory here: tables of your database take their place.
import json
import os
import sys
import threading

from django.conf import settings
from django.core.management import execute_from_command_line
from django.http import Http404, HttpResponse, JsonResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST

from dispense import Dispense, DispenseError, WebhookVerificationError, verify_webhook

settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["127.0.0.1"], SECRET_KEY=os.urandom(32).hex())

dispense = Dispense()  # one for all requests and threads
sales = {}
deliveries = set()
lock = threading.Lock()


# `request.body` is the bytes that came. Read nothing of `request.POST` before it, and under Django REST Framework nothing of
# `request.data`: what was parsed and written again has other bytes than those that were signed.
@csrf_exempt  # the service has no token of your forms; its signature proves more
@require_POST
def webhook(request):
    try:
        event = verify_webhook(request.body, request.headers, os.environ["DISPENSE_WEBHOOK_SECRET"])
    except WebhookVerificationError as error:
        return JsonResponse({"reason": error.reason}, status=401)
    receive(event)
    return HttpResponse(status=204)


@csrf_exempt  # only for trying by curl
@require_POST
def sell(request):
    wish = json.loads(request.body)
    reference = wish["reference"]
    with lock:
        if reference in sales:
            return JsonResponse(sales[reference])
        sale = sales[reference] = {"reference": reference, "status": "pending", "events": []}  # before anything is sent
    try:
        settle(dispense.buy_airtime(reference=reference, network="MTN", phone=wish["phone"], amount=wish["amount"]))
    except DispenseError as error:
        # "unknown" stays pending, for it may have been bought: docs/shops shows how to ask for it later.
        if error.charged == "no":
            sale["status"] = "failed"
    return JsonResponse(sale)


@require_GET
def look(request, reference):
    if reference not in sales:
        raise Http404
    return JsonResponse(sales[reference])


def receive(event):
    """Quick work only, in one transaction with the delivery's id: the service waits 15 seconds for an answer."""
    with lock:
        # The same delivery comes again where our answer was lost. Both modes share the address.
        if event["delivery_id"] in deliveries or not os.environ["DISPENSE_KEY"].startswith(f"ds_{event['mode']}_"):
            return
        if event["event"] in ("transaction.successful", "transaction.failed"):
            settle(event["data"])
            if event["data"]["reference"] in sales:
                sales[event["data"]["reference"]]["events"].append(event["event"])
        deliveries.add(event["delivery_id"])


def settle(transaction):
    """Final are "successful" and "failed"; "pending" changes nothing."""
    sale = sales.get(transaction["reference"])
    if sale is not None and sale["status"] == "pending":
        sale["status"] = transaction["status"]


urlpatterns = [path("webhooks/dispense", webhook), path("sales", sell), path("sales/<str:reference>", look)]

if __name__ == "__main__":
    execute_from_command_line(sys.argv)
