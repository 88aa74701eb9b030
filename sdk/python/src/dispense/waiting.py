"""How long ``wait_for`` asks, and how often."""

from __future__ import annotations

import time
from typing import Any, Optional, cast

from .errors import DispenseError, NoAnswerError
from .generated.types import TransactionDetails


class Waiting:
    """Decides after each question: the end, an error, or how long to wait. Asks nothing itself."""

    def __init__(self, reference: str, timeout: float, usual_timeout: float) -> None:
        self._reference = reference
        self._timeout = timeout
        self._usual_timeout = usual_timeout
        self._started = time.monotonic()
        self._slept = 0.0
        self._asked = 0
        self._last: Optional[DispenseError] = None
        self._seconds = 0.0

    def _left(self) -> float:
        """All time counts: that of the questions too, and of the sleeps where a test has others than the clock's."""
        return self._timeout - max(time.monotonic() - self._started, self._slept)

    def question_timeout(self) -> float:
        self._asked += 1
        return min(self._usual_timeout, max(self._left(), 1.0))

    def is_over(self, transaction: TransactionDetails) -> bool:
        self._last = None
        self._seconds = float(cast(Any, transaction).get("next_check_after") or 10)
        return transaction["status"] in ("successful", "failed")

    def failed(self, error: DispenseError) -> None:
        """Raises what would be answered again: the service may not know the purchase yet, or not be there now."""
        if not (error.status in (None, 404, 429) or (error.status or 0) >= 500):
            raise error
        self._last = error
        self._seconds = min(2.0**self._asked, 10.0) if error.retry_after is None else error.retry_after

    def pause(self) -> float:
        """Seconds until the next question. Raises DispenseError where the time is up."""
        seconds = min(max(self._seconds, 0.1), self._left())
        if seconds > 0:
            self._slept += seconds
            return seconds
        if self._last is not None:
            raise self._last
        message = f"{self._reference} is still pending after {round(self._timeout)} seconds. Don't sell it again."
        body = {"code": "PENDING", "message": message}
        raise NoAnswerError(body, status=None, charged="unknown", reference=self._reference)
