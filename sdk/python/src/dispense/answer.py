"""What came back from a try: an answer of the service, or none."""

from __future__ import annotations

import email.utils
import json
import re
import socket
import ssl
import threading
import time
from contextlib import contextmanager
from typing import Any, AsyncIterator, Dict, Iterator, Mapping, Optional, Sequence

import httpx

#: The largest answer has some hundred kilobytes.
_BODY_BYTES_MAX = 5 * 1024 * 1024
#: No Retry-After is believed beyond it.
_RETRY_AFTER_MAX = 86_400.0


class Unanswered(Exception):
    """No answer of the service: why, and when its sender wants to be asked again."""

    def __init__(self, why: str, retry_after: Optional[float] = None) -> None:
        super().__init__(why)
        self.retry_after = retry_after


class Answer(dict):  # type: ignore[type-arg]
    """An answer's body, with what stood around it."""

    status: int
    is_error: bool
    retry_after: Optional[float]
    request_id: Optional[str]


def request_id_of(answer: Mapping[str, Any]) -> Optional[str]:
    """The id of the request that an answer came by, as our log has it; None for anything else."""
    return getattr(answer, "request_id", None)


def read_answer(response: httpx.Response, text: bytes, reference: Optional[str], fields: Sequence[str]) -> Answer:
    """What the service said, of the purchase that was asked for, or with what such an answer always has.

    Raises Unanswered where the service did not write it, or wrote it about another purchase.
    """
    status = response.status_code
    retry_after = _retry_after(response)
    try:
        body = json.loads(text)
    except ValueError:
        body = None
    answer = Answer(body if isinstance(body, dict) else {})
    is_named = re.fullmatch(r"[A-Z][A-Z0-9_]*", str(answer.get("code"))) is not None
    answer.is_error = status >= 400 and answer.get("status") == "error" and is_named
    # A proxy's own page says nothing about what the service did, whatever its status.
    is_result = (200 <= status < 300 or status == 422) and all(
        name in answer for name in (fields if reference is None else ("status",))
    )
    if not (answer.is_error or (answer and is_result)):
        raise Unanswered(f"HTTP {status}, not written by the service", retry_after)
    if not answer.is_error and reference not in (None, answer.get("reference"), answer.get("transaction_id")):
        raise Unanswered("the answer is about another purchase", retry_after)
    answer.status, answer.retry_after = status, retry_after
    answer.request_id = response.headers.get("x-request-id")
    return answer


def _retry_after(response: httpx.Response) -> Optional[float]:
    """Seconds, said as seconds or as a date, by the service or by a proxy before it."""
    text = response.headers.get("retry-after", "")
    if re.fullmatch(r"[0-9]+(\.[0-9]+)?", text):
        return min(float(text), _RETRY_AFTER_MAX)
    then = _seconds(text)
    if then is None:
        return None
    now = _seconds(response.headers.get("date", "")) or time.time()
    return min(max(then - now, 0.0), _RETRY_AFTER_MAX)


def _seconds(date: str) -> Optional[float]:
    try:
        return email.utils.parsedate_to_datetime(date).timestamp()
    except (TypeError, ValueError, IndexError, OverflowError):
        return None


class Bounds:
    """How long one try lasts in all, and how much of an answer is read. httpx bounds each read alone."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._until = time.monotonic() + seconds

    def left(self) -> float:
        left = self._until - time.monotonic()
        if left <= 0:
            raise Unanswered(f"TIMEOUT, none within {self.seconds:g} s")
        return left

    def read(self, chunks: Iterator[bytes]) -> bytes:
        text = bytearray()
        for chunk in chunks:
            self._take(text, chunk)
        return bytes(text)

    async def read_async(self, chunks: AsyncIterator[bytes]) -> bytes:
        text = bytearray()
        async for chunk in chunks:
            self._take(text, chunk)
        return bytes(text)

    def _take(self, text: bytearray, chunk: bytes) -> None:
        self.left()
        text += chunk
        if len(text) > _BODY_BYTES_MAX:
            raise Unanswered("longer than 5 MiB")


#: `bounds`: of the try that a thread is at. Others may read from the same connections, unbounded by us.
_present = threading.local()


@contextmanager
def bounded(bounds: Bounds) -> Iterator[Dict[str, Any]]:
    """httpx's extensions with which each read of this thread's try ends when the try does, headers that drip in as well."""
    _present.bounds = bounds
    try:
        yield {"trace": _bound_new_connection}
    finally:
        _present.bounds = None


def _bound_new_connection(event: str, info: Mapping[str, Any]) -> None:
    if not event.endswith(("connect_tcp.complete", "start_tls.complete")):
        return
    stream = info["return_value"]
    read = stream.read

    def read_in_time(max_bytes: int, timeout: Optional[float] = None) -> bytes:
        bounds = getattr(_present, "bounds", None)
        if bounds is None:
            return read(max_bytes, timeout)
        return read(max_bytes, min(bounds.left(), timeout or bounds.seconds))

    stream.read = read_in_time


def cause_of(error: Optional[BaseException], seconds: float) -> str:
    """Why a try had no answer, with the name that people search for."""
    first = error
    names = {
        socket.gaierror: "ENOTFOUND",
        ConnectionRefusedError: "ECONNREFUSED",
        ConnectionResetError: "ECONNRESET",
        ssl.SSLError: "TLS",
    }
    while error is not None:
        if isinstance(error, (httpx.TimeoutException, TimeoutError)):
            return f"TIMEOUT, none within {seconds:g} s"
        for kind, name in names.items():
            if isinstance(error, kind):
                return f"{name}, {error}"
        several = getattr(error, "exceptions", None)
        error = several[0] if several else error.__cause__ or error.__context__
    return str(first) or type(first).__name__
