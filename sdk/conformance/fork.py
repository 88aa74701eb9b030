import json
import os

from dispense import Dispense, DispenseError

# A connection is open when the process is forked, as where a web server loads a program before its workers.
dispense = Dispense(timeouts={"purchase": 3, "other": 3}, attempts_max=2)
dispense.get_wallet_balance()


def sell(who):
    for n in range(int(os.environ["SALES"])):
        asked = f"{who}-{n}"
        try:
            answered = dispense.buy_airtime(reference=asked, network="MTN", phone="08031234567", amount="100")["reference"]
        except DispenseError as error:
            answered = error.charged
        os.write(1, (json.dumps([asked, answered]) + "\n").encode())


children = []
for child in range(int(os.environ["CHILDREN"])):
    process = os.fork()
    if process == 0:
        sell(f"child{child}")
        os._exit(0)
    children.append(process)
sell("parent")
for process in children:
    os.waitpid(process, 0)
