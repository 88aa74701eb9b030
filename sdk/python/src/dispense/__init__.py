"""Client for the Dispense merchant API."""

from .answer import request_id_of
from .client import AsyncDispense, Dispense
from .errors import (
    AccessError,
    ConflictError,
    DispenseError,
    InsufficientBalanceError,
    InvalidRequestError,
    NoAnswerError,
    RateLimitError,
    UnavailableError,
)
from .money import add_amounts, from_kobo, to_kobo
from .tries import PurchaseToSend, new_reference
from .webhooks import WebhookVerificationError, sign_webhook, test_secret, verify_webhook

__all__ = [
    "AccessError",
    "AsyncDispense",
    "ConflictError",
    "Dispense",
    "DispenseError",
    "InsufficientBalanceError",
    "InvalidRequestError",
    "NoAnswerError",
    "PurchaseToSend",
    "RateLimitError",
    "UnavailableError",
    "WebhookVerificationError",
    "add_amounts",
    "from_kobo",
    "new_reference",
    "request_id_of",
    "sign_webhook",
    "test_secret",
    "to_kobo",
    "verify_webhook",
]
