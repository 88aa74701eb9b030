"""What is sent, which tries are safe, and what their answers mean."""

from __future__ import annotations

import json
import logging
import os
import random
import re
import secrets
import time
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Callable, Dict, Iterator, Literal, Mapping, Optional, Tuple, Union

import httpx

from .answer import Answer, Bounds, Unanswered, cause_of, read_answer
from .errors import Charged, DispenseError, NoAnswerError, error_class_of
from .mask import mask_body

VERSION = "1.0.0"

#: ``purchase`` has a reference, and is sent again under it. ``lookup`` asks about one. ``verify`` waits for a supplier.
Kind = Literal["purchase", "lookup", "verify", "other"]

#: Seconds for each try, by the contract.
USUAL_TIMEOUTS: Dict[Kind, float] = {"purchase": 75.0, "lookup": 10.0, "verify": 20.0, "other": 10.0}
_WAITS = (0.5, 1.5, 4.0)
#: Nobody is held for longer by one Retry-After: what takes longer is the caller's to wait for.
_RETRY_AFTER_MAX = 30.0
#: So many references whose end is unknown are remembered.
_UNKNOWN_MAX = 10_000


@dataclass(frozen=True)
class Call:
    """What an operation is, as ``generated/operations.py`` has it from the API's document."""

    operation: str
    method: str
    path: str
    kind: Kind
    query: Optional[Mapping[str, Any]] = None
    body: Optional[Mapping[str, Any]] = None
    #: Of a ``lookup``: what it asks about.
    reference: Optional[str] = None
    #: What its answer always has: what has none of it was not written by the service.
    fields: Tuple[str, ...] = ()
    #: Seconds for each try, tries in all, and seconds for the whole call, tries and waits.
    timeout: Optional[float] = None
    attempts_max: Optional[int] = None
    deadline: Optional[float] = None


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
    deadline: float = float("inf")
    logger: logging.Logger = field(default_factory=lambda: logging.getLogger("dispense"))
    new_reference: Callable[[], str] = new_reference
    random: Callable[[], float] = random.random
    #: References that a call left unknown, the oldest first: a later call's refusal says nothing about it.
    unknown: Dict[str, None] = field(default_factory=dict)

    def timeout_of(self, kind: Kind) -> float:
        """Seconds for each try."""
        other = self.timeouts.get("other") if kind == "lookup" else None
        return self.timeouts.get(kind) or other or USUAL_TIMEOUTS[kind]


def settings_of(key: Optional[str], url: Optional[str], **others: Any) -> Settings:
    """Checks what a client is made with. Raises ValueError."""
    known_key = key or os.environ.get("DISPENSE_KEY") or ""
    known_url = url or os.environ.get("DISPENSE_URL") or ""
    if re.fullmatch(r"ds_(test|live)_\w+", known_key, re.ASCII) is None:
        raise ValueError("No API key. Set key or DISPENSE_KEY to one that begins with ds_test_ or ds_live_.")
    if re.match(r"https?://", known_url) is None:
        raise ValueError("No address. Set url or DISPENSE_URL, such as https://api.example.com.")
    httpx.URL(known_url)
    given = {name: value for name, value in others.items() if value is not None}
    return Settings(key=known_key, url=known_url.rstrip("/"), **given)


class Tries:
    """Decides after each try: answer, error, or how long to wait. Sends nothing itself."""

    def __init__(self, settings: Settings, call: Call) -> None:
        self._settings = settings
        self._reference = call.reference
        if call.kind == "purchase":
            self._reference = str((call.body or {}).get("reference") or settings.new_reference())
            call = replace(call, body={**(call.body or {}), "reference": self._reference})
        self._call = call
        # What can't be written is no purchase yet.
        self._content = None if call.body is None else json.dumps(call.body, allow_nan=False).encode()
        self._attempt = 0
        self._attempts_max = call.attempts_max or settings.attempts_max
        self._until = time.monotonic() + (call.deadline or settings.deadline)
        self._is_repeatable = call.method != "POST" or call.kind != "other"
        # Once an answer stayed away, a later refusal says nothing about the try before it.
        self._is_unknown = call.kind == "lookup" or self._reference in settings.unknown
        self._was_unknown = self._is_unknown
        self.bounds = Bounds(0)

    def purchase(self) -> Optional[PurchaseToSend]:
        if self._call.kind != "purchase" or self._reference is None:
            return None
        return PurchaseToSend(self._reference, self._call.operation, self._call.body or {})

    def request(self) -> Dict[str, Any]:
        self._attempt += 1
        call, settings = self._call, self._settings
        self._log("request", call.body)
        query = {name: _text(value) for name, value in (call.query or {}).items() if value is not None}
        seconds = min(call.timeout or settings.timeout_of(call.kind), self._until - time.monotonic())
        self.bounds = Bounds(max(seconds, 0.001))
        # While a try is under way nobody knows.
        self._was_unknown = self._is_unknown
        self._is_unknown = self._is_unknown or self._reference is not None
        return {
            "method": call.method,
            "url": f"{settings.url}/api/v1/merchant{call.path}",
            "params": query or None,
            "content": self._content,
            "headers": {
                "authorization": f"Bearer {settings.key}",
                "accept": "application/json",
                "cache-control": "no-cache",
                "user-agent": f"dispense-python/{VERSION}",
                **({} if self._content is None else {"content-type": "application/json"}),
            },
            "timeout": self.bounds.seconds,
        }

    def failed(self, error: Union[httpx.HTTPError, Unanswered]) -> float:
        """No answer. How long to wait; raises NoAnswerError after the last try."""
        call = self._call
        self._settings.logger.warning("no answer to %s, try %d: %s", call.operation, self._attempt, error)
        why = str(error) if isinstance(error, Unanswered) else cause_of(error, self.bounds.seconds)
        retry_after = error.retry_after if isinstance(error, Unanswered) else None
        if self._is_repeatable:
            seconds = self._wait(retry_after)
            if seconds is not None:
                return seconds
        body = {"code": "NO_ANSWER", "message": f"No answer: {why}.{self._advice()}"}
        raise self._error(NoAnswerError, body, None, retry_after) from error

    def answered(self, response: httpx.Response, text: bytes) -> Union[float, Answer]:
        """The answer, or as a float how long to wait. Raises DispenseError, and Unanswered for no answer of ours."""
        answer = read_answer(response, text, self._reference, self._call.fields)
        status = answer.status
        self._log(f"answer {status} to {answer.request_id}", answer)
        if not answer.is_error:
            if self._reference is not None:
                self._settings.unknown.pop(self._reference, None)
            return answer
        error_class = error_class_of(status)
        is_again = self._is_repeatable
        if error_class is not NoAnswerError:
            self._is_unknown = self._was_unknown
            is_again = status in (429, 503)
        seconds = self._wait(answer.retry_after) if is_again else None
        if seconds is not None:
            return seconds
        raise self._error(error_class, answer, status, answer.retry_after)

    @contextmanager
    def keeping(self) -> Iterator[None]:
        """Whatever ends the call, KeyboardInterrupt and a cancellation too, has ``reference`` and ``charged``."""
        try:
            yield
        except BaseException as error:
            unknown = self._settings.unknown
            if self._is_unknown and self._call.kind == "purchase" and self._reference is not None:
                unknown[self._reference] = None
                if len(unknown) > _UNKNOWN_MAX:
                    unknown.pop(next(iter(unknown)), None)
            if not isinstance(error, DispenseError):
                keep_facts(error, self._reference, self._charged())
            raise

    def _error(self, kind: Any, body: Mapping[str, Any], status: Optional[int], retry_after: Optional[float]) -> DispenseError:
        facts: Dict[str, Any] = {"charged": self._charged(), "reference": self._reference, "retry_after": retry_after}
        error: DispenseError = kind(body, status=status, **facts)
        return error

    def _advice(self) -> str:
        if not self._is_unknown or self._reference is None:
            return ""
        return f" {self._reference} may have been bought: ask for it before you sell again or give money back."

    def _log(self, what: str, body: Any) -> None:
        if self._settings.logger.isEnabledFor(logging.DEBUG):
            masked = mask_body(body)
            self._settings.logger.debug("%s of %s, try %d: %s", what, self._call.operation, self._attempt, masked)

    def _charged(self) -> Charged:
        return "unknown" if self._is_unknown else "no"

    def _wait(self, retry_after: Optional[float]) -> Optional[float]:
        """None: no further try. Half of a wait is chance, so that callers who failed together don't come back together."""
        usual = _WAITS[min(self._attempt, len(_WAITS)) - 1]
        seconds = (usual / 2 if retry_after is None else retry_after) + self._settings.random() * usual / 2
        is_late = (retry_after or 0) > _RETRY_AFTER_MAX or time.monotonic() + seconds >= self._until
        return None if is_late or self._attempt >= self._attempts_max else seconds


def keep_facts(error: BaseException, reference: Optional[str], charged: Charged) -> None:
    """What stops a call from outside is raised as it is, with these two."""
    error.reference, error.charged = reference, charged  # type: ignore[attr-defined]
    if charged == "unknown" and hasattr(error, "add_note"):
        error.add_note(f"{reference} may have been bought: ask for it before you sell again or give money back.")


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
