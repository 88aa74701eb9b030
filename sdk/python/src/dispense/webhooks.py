"""Verifying webhooks, and signing some for tests."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import re
import time
import uuid
from typing import Any, Dict, Iterable, Literal, Mapping, Optional, Tuple, Union, cast

from .generated.types import WebhookEvent

#: Base64 in whole groups of four: what was cut, or copied with a blank, is no secret.
_SECRET = re.compile(r"whsec_((?:[A-Za-z0-9+/]{4}){4,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)")

Reason = Literal["headers", "timestamp", "signature", "body", "secret"]


class WebhookVerificationError(Exception):
    """A message that is not one of ours; ``reason`` says why."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def verify_webhook(
    body: Union[bytes, str],
    headers: Mapping[str, str],
    secrets: Union[str, Iterable[str]],
    *,
    tolerance_seconds: float = 300,
    now: Optional[float] = None,
) -> WebhookEvent:
    """The event in a webhook, once its signature is verified over the raw bytes.

    ``secrets`` is the endpoint's secret, or during a rotation both. Skip what you have seen: ``delivery_id`` is the same
    on every try, ``event_id`` at every endpoint. Raises WebhookVerificationError.
    """
    if not isinstance(body, (bytes, str)):
        raise WebhookVerificationError("body", "The body was parsed already. Hand over its raw bytes.")
    raw = body.encode() if isinstance(body, str) else body
    by_name = {name.lower(): value for name, value in headers.items()}
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    message_id, timestamp, signatures = (by_name.get(name, "") for name in names)
    if not (message_id and timestamp and signatures):
        raise WebhookVerificationError("headers", "webhook-id, webhook-timestamp or webhook-signature is missing.")
    _check_age(timestamp, tolerance_seconds, time.time() if now is None else now)
    given = [text.encode() for text in signatures.split(" ")]
    known = [secrets] if isinstance(secrets, str) else list(secrets)
    expected = [signature_of(secret, message_id, timestamp, raw).encode() for secret in known]
    if not any(hmac.compare_digest(one, other) for one in given for other in expected):
        raise WebhookVerificationError(
            "signature",
            "No signature matches. Use the endpoint's present secret, and the raw bytes of the body as they came.",
        )
    try:
        event = json.loads(raw)
    except ValueError:
        event = None
    if not isinstance(event, dict):
        raise WebhookVerificationError("body", "The body is signed, but it isn't a JSON object.")
    return cast(WebhookEvent, event)


def _check_age(timestamp: str, tolerance: float, now: float) -> None:
    if re.fullmatch(r"[0-9]{1,12}", timestamp) is None:
        raise WebhookVerificationError("timestamp", "webhook-timestamp isn't a number of seconds.")
    off = now - int(timestamp)
    if abs(off) > tolerance:
        word = "old" if off > 0 else "early"
        raise WebhookVerificationError(
            "timestamp", f"The message is {round(abs(off))} seconds {word}. Check this machine's clock."
        )


def signature_of(secret: str, message_id: str, timestamp: str, body: bytes) -> str:
    """One signature, ``v1,…``. Raises WebhookVerificationError for what is no secret."""
    match = _SECRET.fullmatch(secret)
    if match is None:
        raise WebhookVerificationError("secret", "A webhook secret is whsec_ and base64, whole and without blanks.")
    key = base64.b64decode(match.group(1))
    digest = hmac.new(key, f"{message_id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    return "v1," + base64.b64encode(digest).decode()


def test_secret() -> str:
    """A secret of the right shape, for tests."""
    return "whsec_" + base64.b64encode(os.urandom(32)).decode()


test_secret.__test__ = False  # type: ignore[attr-defined]  # pytest takes it for a test otherwise


def sign_webhook(event: Mapping[str, Any], secret: str, *, now: Optional[float] = None) -> Tuple[bytes, Dict[str, str]]:
    """Body and headers as the service would send them, for the tests of your receiver; what you leave out is made up."""
    at = time.time() if now is None else now
    message_id = str(event.get("delivery_id") or uuid.uuid4())
    made_up = {
        "mode": "test",
        "event_id": "evt_" + message_id.replace("-", "")[:14],
        "sent_at": time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime(at)),
    }
    body = json.dumps({**made_up, **event, "delivery_id": message_id}).encode()
    timestamp = str(int(at))
    return body, {
        "content-type": "application/json",
        "webhook-id": message_id,
        "webhook-timestamp": timestamp,
        "webhook-signature": signature_of(secret, message_id, timestamp, body),
    }
