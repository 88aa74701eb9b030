"""Sending calls with the tries that are safe: once for programs that wait, once for asyncio."""

from __future__ import annotations

import asyncio
import logging
import os
import random
import re
import secrets
import time
from dataclasses import dataclass, field, replace
from typing import Any, Awaitable, Callable, Dict, Literal, Mapping, Optional, Union

import httpx

from .errors import Charged, DispenseError, NoAnswerError, error_class_of
from .mask import mask_body

VERSION = "1.0.0"

Kind = Literal["purchase", "verify", "other"]

#: Seconds for each try, by the contract.
USUAL_TIMEOUTS: Dict[Kind, float] = {"purchase": 75.0, "verify": 20.0, "other": 10.0}
_WAITS = (0.5, 1.5, 4.0)
#: Nobody is held for longer by one Retry-After: what takes longer is the caller's to wait for.
_RETRY_AFTER_MAX = 30.0


@dataclass(frozen=True)
class Call:
    """What an operation is, as ``generated/operations.py`` has it from the API's document."""

    operation: str
    method: str
    path: str
    kind: Kind
    query: Optional[Mapping[str, Any]] = None
    body: Optional[Mapping[str, Any]] = None
    timeout: Optional[float] = None


@dataclass(frozen=True)
class PurchaseToSend:
    """What is about to be bought. Keep it before it is sent: whatever crashes, the reference is still there."""

    reference: str
    operation: str
    body: Mapping[str, Any]


def new_reference() -> str:
    """A reference nobody else has: the time, then chance."""
    return f"ref-{int(time.time() * 1000):x}-{secrets.token_hex(8)}"


@dataclass(frozen=True)
class Settings:
    """See ``Dispense``."""

    key: str
    url: str
    attempts_max: int = 4
    timeouts: Mapping[str, float] = field(default_factory=dict)
    logger: logging.Logger = field(default_factory=lambda: logging.getLogger("dispense"))
    new_reference: Callable[[], str] = new_reference
    random: Callable[[], float] = random.random


def settings_of(key: Optional[str], url: Optional[str], **others: Any) -> Settings:
    """Checks what a client is made with. Raises ValueError."""
    known_key = key or os.environ.get("DISPENSE_KEY", "")
    known_url = url or os.environ.get("DISPENSE_URL", "")
    if re.match(r"ds_(test|live)_", known_key) is None:
        raise ValueError("No API key. Set key or DISPENSE_KEY to one that begins with ds_test_ or ds_live_.")
    if re.match(r"https?://", known_url) is None:
        raise ValueError("No address. Set url or DISPENSE_URL, such as https://api.example.com.")
    given = {name: value for name, value in others.items() if value is not None}
    return Settings(key=known_key, url=known_url.rstrip("/"), **given)


class _Tries:
    """Decides after each try: answer, error, or how long to wait. Sends nothing itself."""

    def __init__(self, settings: Settings, call: Call) -> None:
        self.settings = settings
        self.reference: Optional[str] = None
        if call.kind == "purchase":
            body = dict(call.body or {})
            self.reference = str(body.get("reference") or settings.new_reference())
            body["reference"] = self.reference
            call = replace(call, body=body)
        self.call = call
        self.attempt = 0
        # Once an answer stayed away, a later refusal says nothing about the try before it.
        self.is_unknown = False
        self.is_repeatable = call.method != "POST" or call.kind != "other"

    def purchase(self) -> Optional[PurchaseToSend]:
        if self.reference is None:
            return None
        return PurchaseToSend(self.reference, self.call.operation, self.call.body or {})

    def request(self) -> Dict[str, Any]:
        self.attempt += 1
        call, settings = self.call, self.settings
        self._log("request", call.body)
        query = {name: _text(value) for name, value in (call.query or {}).items() if value is not None}
        return {
            "method": call.method,
            "url": f"{settings.url}/api/v1/merchant{call.path}",
            "params": query or None,
            "json": call.body,
            "headers": {
                "authorization": f"Bearer {settings.key}",
                "accept": "application/json",
                "user-agent": f"dispense-python/{VERSION}",
            },
            "timeout": call.timeout or settings.timeouts.get(call.kind) or USUAL_TIMEOUTS[call.kind],
            "follow_redirects": False,
        }

    def failed(self, error: Exception) -> float:
        """No answer. How long to wait; raises NoAnswerError after the last try."""
        self.settings.logger.warning("no answer to %s, try %d: %s", self.call.operation, self.attempt, error)
        self.is_unknown = self.is_unknown or self.reference is not None
        if not self._is_last() and self.is_repeatable:
            return self._wait(None)
        advice = (
            f" {self.reference} may have been bought: ask for it before you sell again or give money back."
            if self.is_unknown
            else ""
        )
        body = {"code": "NO_ANSWER", "message": f"No answer: {error or type(error).__name__}.{advice}"}
        raise NoAnswerError(body, status=None, charged=self._charged(), reference=self.reference) from error

    def answered(self, response: httpx.Response) -> Union[float, Any]:
        """The answer's body, or as a float how long to wait. Raises DispenseError, and ValueError for no answer of ours."""
        status = response.status_code
        body = _body_of(response)
        self._log(f"answer {status}", body)
        if status < 400 or status == 422:
            return body
        retry_after = _retry_after(response)
        if error_class_of(status) is NoAnswerError:
            self.is_unknown = self.is_unknown or self.reference is not None
            is_again = self.is_repeatable
        else:
            is_again = status in (429, 503) and (retry_after or 0) <= _RETRY_AFTER_MAX
        if is_again and not self._is_last():
            return self._wait(retry_after)
        raise error_class_of(status)(
            body, status=status, charged=self._charged(), reference=self.reference, retry_after=retry_after
        )

    def _log(self, what: str, body: Any) -> None:
        if self.settings.logger.isEnabledFor(logging.DEBUG):
            self.settings.logger.debug("%s of %s, try %d: %s", what, self.call.operation, self.attempt, mask_body(body))

    def _is_last(self) -> bool:
        return self.attempt >= self.settings.attempts_max

    def _charged(self) -> Charged:
        return "unknown" if self.is_unknown else "no"

    def _wait(self, retry_after: Optional[float]) -> float:
        """Half of a wait is chance, so that callers who failed together don't come back together."""
        usual = _WAITS[min(self.attempt, len(_WAITS)) - 1]
        return (usual / 2 if retry_after is None else retry_after) + self.settings.random() * usual / 2


def _body_of(response: httpx.Response) -> Any:
    """A proxy's own error says nothing about what the service did: every error of the service has a code of letters."""
    try:
        body = response.json()
    except ValueError:
        body = None
    if isinstance(body, dict) and (response.status_code < 400 or isinstance(body.get("code"), str)):
        return body
    raise ValueError(f"HTTP {response.status_code}, not written by the service")


def _retry_after(response: httpx.Response) -> Optional[float]:
    text = response.headers.get("retry-after", "")
    return float(text) if re.fullmatch(r"[0-9]{1,6}", text) else None


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


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
        self._settings = settings
        self._before_purchase = before_purchase
        self._http = http or httpx.Client()
        self.sleep = sleep

    def send(self, call: Call) -> Any:
        tries = _Tries(self._settings, call)
        purchase = tries.purchase()
        if purchase is not None and self._before_purchase is not None:
            self._before_purchase(purchase)
        while True:
            try:
                outcome = tries.answered(self._http.request(**tries.request()))
            except DispenseError:
                raise
            except (httpx.HTTPError, ValueError) as error:
                outcome = tries.failed(error)
            if not isinstance(outcome, float):
                return outcome
            self.sleep(outcome)

    def close(self) -> None:
        self._http.close()


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
        self._settings = settings
        self._before_purchase = before_purchase
        self._http = http or httpx.AsyncClient()
        self.sleep = sleep

    async def send(self, call: Call) -> Any:
        tries = _Tries(self._settings, call)
        purchase = tries.purchase()
        if purchase is not None and self._before_purchase is not None:
            await self._before_purchase(purchase)
        while True:
            try:
                outcome = tries.answered(await self._http.request(**tries.request()))
            except DispenseError:
                raise
            except (httpx.HTTPError, ValueError) as error:
                outcome = tries.failed(error)
            if not isinstance(outcome, float):
                return outcome
            await self.sleep(outcome)

    async def close(self) -> None:
        await self._http.aclose()
