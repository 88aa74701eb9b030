"""What can go wrong, a class for each kind."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Mapping, Optional, Type

Charged = Literal["no", "unknown"]


class DispenseError(Exception):
    """Any call that did not work out.

    ``charged`` is ``"no"`` where this call charged nothing and its reference may be used again, and ``"unknown"`` where an
    attempt, or a question about a purchase, had no answer: it may have been bought. Then neither sell it again under another reference nor give
    money back; ask for ``reference``.
    """

    def __init__(
        self,
        body: Mapping[str, Any],
        *,
        status: Optional[int],
        charged: Charged,
        reference: Optional[str],
        retry_after: Optional[float] = None,
    ) -> None:
        message = str(body.get("message") or f"HTTP {status}")
        super().__init__(message)
        self.message = message
        #: The API's own code, such as ``INSUFFICIENT_BALANCE``; ``NO_ANSWER`` where there was none.
        self.code: str = str(body.get("code") or f"HTTP_{status}")
        self.status = status
        self.request_id: Optional[str] = body.get("request_id")
        self.doc_url: Optional[str] = body.get("doc_url")
        self.charged = charged
        #: Of the purchase that the call made or asked about; None where it is about none.
        self.reference = reference
        #: Sentences by field.
        self.fields: Dict[str, List[str]] = dict(body.get("errors") or {})
        #: Numbers that help, such as ``required`` and ``balance``.
        self.meta: Dict[str, Any] = dict(body.get("meta") or {})
        #: Seconds after which it is worth trying again.
        self.retry_after = retry_after


class InvalidRequestError(DispenseError):
    """400, 404, 405, 413, 415: the request itself is wrong. Sending it again changes nothing."""


class AccessError(DispenseError):
    """401 and 403: the key, the address, the account or what it may do."""


class InsufficientBalanceError(DispenseError):
    """402: the wallet holds less than the purchase costs."""


class ConflictError(DispenseError):
    """409: the reference belongs to another purchase, the price changed, the thing exists."""


class RateLimitError(DispenseError):
    """429, after every retry."""


class UnavailableError(DispenseError):
    """502 and 503, after every retry: not now."""


class NoAnswerError(DispenseError):
    """500, or no answer at all, after every retry. For a purchase ``charged`` is ``"unknown"``."""


_by_status: Dict[int, Type[DispenseError]] = {
    401: AccessError,
    402: InsufficientBalanceError,
    403: AccessError,
    409: ConflictError,
    429: RateLimitError,
    502: UnavailableError,
    503: UnavailableError,
}


def error_class_of(status: int) -> Type[DispenseError]:
    """The class of an answer by its status."""
    return _by_status.get(status, InvalidRequestError if status < 500 else NoAnswerError)
