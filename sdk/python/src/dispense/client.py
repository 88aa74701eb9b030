"""The clients."""

from __future__ import annotations

import logging
from typing import Any, Awaitable, Callable, Mapping, Optional

import httpx

from .errors import DispenseError
from .generated.operations import AsyncOperations, Operations
from .generated.types import TransactionDetails
from .sender import AsyncSender, Sender
from .tries import PurchaseToSend, keep_facts, settings_of
from .waiting import Waiting


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
        deadline: Optional[float] = None,
        before_purchase: Optional[Callable[[PurchaseToSend], None]] = None,
        logger: Optional[logging.Logger] = None,
        http: Optional[httpx.Client] = None,
        **inner: Any,
    ) -> None:
        settings = settings_of(
            key, url, attempts_max=attempts_max, timeouts=timeouts, deadline=deadline, logger=logger
        )
        super().__init__(Sender(settings, before_purchase=before_purchase, http=http, **inner))

    def wait_for(self, reference: str, *, timeout: float = 600) -> TransactionDetails:
        """Asks until a transaction is final, at the times that its answers name, and goes on asking where it is not known
        yet or no answer comes.

        Raises DispenseError, ``charged == "unknown"``: still not known after ``timeout`` seconds in all, or the key may not
        ask. After ``PENDING`` go on waiting for its webhook.
        """
        waiting = Waiting(reference, timeout, self._sender.settings.timeout_of("lookup"))
        while True:
            try:
                transaction = self.get_transaction(reference, attempts_max=1, timeout=waiting.question_timeout())
                if waiting.is_over(transaction):
                    return transaction
            except DispenseError as error:
                waiting.failed(error)
            seconds = waiting.pause()
            try:
                self._sender.sleep(seconds)
            except BaseException as error:
                keep_facts(error, reference, "unknown")
                raise

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
        deadline: Optional[float] = None,
        before_purchase: Optional[Callable[[PurchaseToSend], Awaitable[None]]] = None,
        logger: Optional[logging.Logger] = None,
        http: Optional[httpx.AsyncClient] = None,
        **inner: Any,
    ) -> None:
        settings = settings_of(
            key, url, attempts_max=attempts_max, timeouts=timeouts, deadline=deadline, logger=logger
        )
        super().__init__(AsyncSender(settings, before_purchase=before_purchase, http=http, **inner))

    async def wait_for(self, reference: str, *, timeout: float = 600) -> TransactionDetails:
        """See ``Dispense.wait_for``."""
        waiting = Waiting(reference, timeout, self._sender.settings.timeout_of("lookup"))
        while True:
            try:
                transaction = await self.get_transaction(reference, attempts_max=1, timeout=waiting.question_timeout())
                if waiting.is_over(transaction):
                    return transaction
            except DispenseError as error:
                waiting.failed(error)
            seconds = waiting.pause()
            try:
                await self._sender.sleep(seconds)
            except BaseException as error:
                keep_facts(error, reference, "unknown")
                raise

    async def close(self) -> None:
        """Closes the connections."""
        await self._sender.close()

    async def __aenter__(self) -> "AsyncDispense":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

