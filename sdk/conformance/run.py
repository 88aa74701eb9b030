import json
import os
import pathlib
import threading

from dispense import Dispense, DispenseError

scenario = json.loads((pathlib.Path(__file__).parent / "scenario.json").read_text())
sales = iter(range(int(os.environ.get("SALES", "100"))))
lock = threading.Lock()


def sell(dispense, n):
    """What became of a sale, however often its answer stays away."""
    phone = scenario["phones"][n % len(scenario["phones"])]
    wish = {"network": scenario["network"], "amount": scenario["amount"], "phone": phone, "metadata": {"n": n}}
    while True:
        try:
            sale = dispense.buy_airtime(**wish)
            return waited(dispense, sale["reference"]) if sale["status"] == "pending" else sale
        except DispenseError as error:
            # Whether it was bought is not known, or it was not: the same reference again is safe both times.
            wish["reference"] = error.reference


def waited(dispense, reference):
    while True:
        try:
            return dispense.wait_for(reference)
        except DispenseError:
            pass


def sell_on():
    with Dispense(timeouts={"purchase": 1.5, "other": 1.5}) as dispense:
        while True:
            with lock:
                n = next(sales, None)
            if n is None:
                return
            sale = sell(dispense, n)
            line = {"n": n, **{name: sale[name] for name in ("reference", "status", "total_deducted")}}
            with lock:
                print(json.dumps(line), flush=True)


threads = [threading.Thread(target=sell_on) for _ in range(scenario["concurrency"])]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
