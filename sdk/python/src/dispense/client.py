"""The clients."""

from __future__ import annotations

import logging
from typing import Any, Awaitable, Callable, Mapping, Optional, Tuple, cast

import httpx

from .errors import NoAnswerError
from .generated.operations import AsyncOperations, Operations
from .generated.types import TransactionDetails
from .sender import AsyncSender, PurchaseToSend, Sender, settings_of


class Dispense(Operations):
    """The merchant API. One method an operation, in snake case.

    A purchase without a ``reference`` gets one; it is sent again under it where there was no answer, and never under
    another. What is answered with 422 is no error but a transaction whose ``status`` is ``failed``: its money is back in
    the wallet. ``before_purchase`` is called before a purchase is sent for the first time.
    """

    def __init__(
        self,
        *,
        key: Optional[str] = None,
        url: Optional[str] = None,
        attempts_max: Optional[int] = None,
        timeouts: Optional[Mapping[str, float]] = None,
        before_purchase: Optional[Callable[[PurchaseToSend], None]] = None,
        logger: Optional[logging.Logger] = None,
        http: Optional[httpx.Client] = None,
        **inner: Any,
    ) -> None:
        settings = settings_of(key, url, attempts_max=attempts_max, timeouts=timeouts, logger=logger)
        super().__init__(Sender(settings, before_purchase=before_purchase, http=http, **inner))

    def wait_for(self, reference: str, *, timeout: float = 600) -> TransactionDetails:
        """Asks until a transaction is final, at the times that its answers name.

        Raises NoAnswerError, ``charged == "unknown"``, where it is still pending after ``timeout`` seconds: go on waiting
        for its webhook.
        """
        waited = 0.0
        while True:
            transaction = self.get_transaction(reference)
            if transaction["status"] != "pending":
                return transaction
            seconds, waited = _next_wait(transaction, waited, timeout)
            self._sender.sleep(seconds)

    def close(self) -> None:
        """Closes the connections."""
        self._sender.close()

    def __enter__(self) -> "Dispense":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncDispense(AsyncOperations):
    """``Dispense`` for asyncio."""

    def __init__(
        self,
        *,
        key: Optional[str] = None,
        url: Optional[str] = None,
        attempts_max: Optional[int] = None,
        timeouts: Optional[Mapping[str, float]] = None,
        before_purchase: Optional[Callable[[PurchaseToSend], Awaitable[None]]] = None,
        logger: Optional[logging.Logger] = None,
        http: Optional[httpx.AsyncClient] = None,
        **inner: Any,
    ) -> None:
        settings = settings_of(key, url, attempts_max=attempts_max, timeouts=timeouts, logger=logger)
        super().__init__(AsyncSender(settings, before_purchase=before_purchase, http=http, **inner))

    async def wait_for(self, reference: str, *, timeout: float = 600) -> TransactionDetails:
        """See ``Dispense.wait_for``."""
        waited = 0.0
        while True:
            transaction = await self.get_transaction(reference)
            if transaction["status"] != "pending":
                return transaction
            seconds, waited = _next_wait(transaction, waited, timeout)
            await self._sender.sleep(seconds)

    async def close(self) -> None:
        """Closes the connections."""
        await self._sender.close()

    async def __aenter__(self) -> "AsyncDispense":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


def _next_wait(transaction: TransactionDetails, waited: float, timeout: float) -> Tuple[float, float]:
    seconds = min(float(cast(Any, transaction).get("next_check_after") or 10), timeout - waited)
    if seconds > 0:
        return seconds, waited + seconds
    reference = transaction["reference"]
    message = f"{reference} is still pending after {round(timeout)} seconds. Don't sell it again."
    body = {"code": "PENDING", "message": message}
    raise NoAnswerError(body, status=None, charged="unknown", reference=reference)
