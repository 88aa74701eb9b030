"""Sending calls: once for programs that wait, once for asyncio."""

from __future__ import annotations

import asyncio
import time
from typing import Any, Awaitable, Callable, Optional, Tuple, Union

import httpx

from .answer import Answer, Bounds, Unanswered, bounded
from .connections import Connections
from .tries import Call, PurchaseToSend, Settings, Tries


class Sender:
    """Sends calls and waits for their answers."""

    def __init__(
        self,
        settings: Settings,
        *,
        before_purchase: Optional[Callable[[PurchaseToSend], None]] = None,
        http: Optional[httpx.Client] = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.settings = settings
        self._before_purchase = before_purchase
        self._connections = Connections(http, httpx.Client)
        self.sleep = sleep

    def send(self, call: Call) -> Any:
        tries = Tries(self.settings, call)
        purchase = tries.purchase()
        if purchase is not None and self._before_purchase is not None:
            self._before_purchase(purchase)
        with tries.keeping():
            while True:
                try:
                    outcome = self._once(tries)
                except (httpx.HTTPError, Unanswered) as error:
                    outcome = tries.failed(error)
                if not isinstance(outcome, float):
                    return outcome
                self.sleep(outcome)

    def _once(self, tries: Tries) -> Union[float, Answer]:
        http = self._connections.client()
        wish = tries.request()
        with bounded(tries.bounds) as extensions:
            request = http.build_request(**wish, extensions=extensions)
            response = http.send(request, stream=True, follow_redirects=False)
            try:
                text = tries.bounds.read(response.iter_bytes())
            finally:
                response.close()
        return tries.answered(response, text)

    def close(self) -> None:
        http = self._connections.own()
        if http is not None:
            http.close()


class AsyncSender:
    """The same for asyncio."""

    def __init__(
        self,
        settings: Settings,
        *,
        before_purchase: Optional[Callable[[PurchaseToSend], Awaitable[None]]] = None,
        http: Optional[httpx.AsyncClient] = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.settings = settings
        self._before_purchase = before_purchase
        self._connections = Connections(http, httpx.AsyncClient)
        self.sleep = sleep

    async def send(self, call: Call) -> Any:
        tries = Tries(self.settings, call)
        purchase = tries.purchase()
        if purchase is not None and self._before_purchase is not None:
            await self._before_purchase(purchase)
        with tries.keeping():
            while True:
                try:
                    outcome = await self._once(tries)
                except (httpx.HTTPError, Unanswered) as error:
                    outcome = tries.failed(error)
                if not isinstance(outcome, float):
                    return outcome
                await self.sleep(outcome)

    async def _once(self, tries: Tries) -> Union[float, Answer]:
        http = self._connections.client()
        request = http.build_request(**tries.request())
        try:
            response, text = await asyncio.wait_for(self._exchange(http, request, tries.bounds), tries.bounds.seconds)
        except asyncio.TimeoutError:
            raise Unanswered(f"TIMEOUT, none within {tries.bounds.seconds:g} s") from None
        return tries.answered(response, text)

    @staticmethod
    async def _exchange(http: httpx.AsyncClient, request: httpx.Request, bounds: Bounds) -> Tuple[httpx.Response, bytes]:
        response = await http.send(request, stream=True, follow_redirects=False)
        try:
            return response, await bounds.read_async(response.aiter_bytes())
        finally:
            await response.aclose()

    async def close(self) -> None:
        http = self._connections.own()
        if http is not None:
            await http.aclose()
