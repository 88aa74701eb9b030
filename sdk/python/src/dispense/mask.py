"""Bodies for the log."""

from __future__ import annotations

from typing import Any

#: Names of what is worth money, or opens something, wherever it stands.
_SECRET_NAMES = frozenset(
    "token token_formatted value pin code lpa qr_code matching_id claim_url load_code secret".split()
)


def mask_body(body: Any) -> Any:
    """What could be used by whoever reads it is ``***``."""
    if isinstance(body, list):
        return [mask_body(each) for each in body]
    if not isinstance(body, dict):
        return body
    is_error = body.get("status") == "error"
    return {
        name: "***"
        if name in _SECRET_NAMES and isinstance(value, str) and not (is_error and name == "code")
        else mask_body(value)
        for name, value in body.items()
    }
