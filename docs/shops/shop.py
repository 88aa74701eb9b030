# A shop in one file. Each customer gets the data bundle that was paid for, or the money back, and neither twice.
#
#   export DISPENSE_URL=http://127.0.0.1:8080 DISPENSE_KEY=ds_test_… DISPENSE_WEBHOOK_SECRET=whsec_…
#   pip install ./dispense-1.0.0-py3-none-any.whl && python3 shop.py   (the SDK, as its README says: /docs/sdk/python)
#   curl http://127.0.0.1:9000/orders -d '{"reference":"order-1","product_id":1001,"phone":"08031234567"}'
#   curl http://127.0.0.1:9000/orders/order-1
#
# Orders are files in SHOP_FOLDER: your database takes their place. Python 3.9 or newer, with the SDK.
import json
import os
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from dispense import Dispense, DispenseError, WebhookVerificationError, verify_webhook

FOLDER = os.environ.get("SHOP_FOLDER", "orders")
# The service answers within 75 seconds. A shorter time is as safe: no answer is not a failure, see sell().
TIMEOUT_SECONDS = float(os.environ.get("SHOP_TIMEOUT", 75))
# So long after an order nothing that sell() sent can still be under way.
GIVE_UP_SECONDS = float(os.environ.get("SHOP_GIVE_UP", 600))
LOCK = threading.RLock()
DISPENSE = Dispense(timeouts={"purchase": TIMEOUT_SECONDS})  # DISPENSE_URL and DISPENSE_KEY

# ---- Selling


def sell(reference, product_id, phone):
    """Call it when the customer has paid."""
    with LOCK:
        known = load(reference)
        if known is not None:
            return known
        # Written down before anything is sent: whatever crashes, the order and its reference are still there.
        save({"reference": reference, "product_id": product_id, "phone": phone,
              "state": "waiting", "note": "", "created_at": time.time()})
    try:
        return settle(reference, DISPENSE.buy_data(product_id=product_id, phone=phone, reference=reference))
    except DispenseError as error:
        # "unknown": a try had no answer, so it may have been bought; check() finds out. The SDK tried four times under
        # the same reference, which is never bought twice.
        return end(reference, "refunded", error.code) if error.charged == "no" else load(reference)


def check(reference):
    """What became of an order that waits. Call it when somebody looks, and every few minutes for all that wait."""
    order = load(reference)
    if order is None or order["state"] != "waiting":
        return order
    try:
        return settle(reference, DISPENSE.get_transaction(reference))
    except DispenseError as error:
        is_over = error.code == "TRANSACTION_NOT_FOUND" and time.time() - order["created_at"] > GIVE_UP_SECONDS
        return end(reference, "refunded", "never bought") if is_over else order


def settle(reference, transaction):
    """What a transaction says, whoever told it: an answer, a question or a webhook."""
    if transaction["status"] == "successful":
        return end(reference, "delivered", transaction["transaction_id"])
    if transaction["status"] == "failed":
        return end(reference, "refunded", transaction["error_code"])
    return load(reference)  # pending: wait. Neither buy it again nor give the money back.


def end(reference, state, note):
    """The only door to an end, which an order passes once. In a database this is one transaction."""
    with LOCK:
        order = load(reference)
        if order is None or order["state"] != "waiting":
            return order
        if state == "refunded":
            give_money_back(order)
        return save({**order, "state": state, "note": note})


def give_money_back(order):
    with open(FOLDER + "/refunds.txt", "a") as refunds:
        refunds.write(order["reference"] + "\n")  # your payment provider's refund


# ---- Webhooks


def receive(headers, body):
    try:
        event = verify_webhook(body, headers, os.environ["DISPENSE_WEBHOOK_SECRET"])
    except WebhookVerificationError:
        return 401
    # Sandbox events come here as well, and end no order of a live key. Duplicates do no harm, see end().
    is_ours = event["mode"] == ("live" if os.environ["DISPENSE_KEY"].startswith("ds_live_") else "test")
    if is_ours and event["event"] in ("transaction.successful", "transaction.failed"):
        settle(event["data"]["reference"], event["data"])
    return 204


# ---- Orders, one file each


def file_of(reference):
    return f"{FOLDER}/{reference}.json" if re.fullmatch(r"[A-Za-z0-9_:-][A-Za-z0-9._:-]{0,99}", reference) else None


def load(reference):
    file = file_of(reference)
    if file is None or not os.path.exists(file):
        return None
    with open(file) as stored:
        return json.load(stored)


def save(order):
    file = file_of(order["reference"])
    with open(file + ".new", "w") as stored:
        json.dump(order, stored)
    os.replace(file + ".new", file)
    return order


# ---- The shop's own web server


class Shop(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        order = check(self.path[len("/orders/"):]) if self.path.startswith("/orders/") else None
        self.answer(404 if order is None else 200, order)

    def do_POST(self):
        length = int(self.headers.get("Content-Length", 0))
        if length > 65536:
            self.close_connection = True
            return self.answer(413)
        body = self.rfile.read(length)
        if self.path == "/webhooks/dispense":
            return self.answer(receive(self.headers, body))
        if self.path != "/orders":
            return self.answer(404)
        order = json.loads(body)
        if file_of(order["reference"]) is None:
            return self.answer(400)
        self.answer(200, sell(order["reference"], order["product_id"], order["phone"]))

    def answer(self, status, body=None):
        text = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        if status != 204:
            self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *words):
        pass


if __name__ == "__main__":
    os.makedirs(FOLDER, exist_ok=True)
    ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("SHOP_PORT", 9000))), Shop).serve_forever()
