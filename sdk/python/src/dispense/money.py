"""Amounts of naira without floats."""

from __future__ import annotations

import re

_shape = re.compile(r"(-?)([0-9]{1,15})(?:\.([0-9]{1,2}))?")


def to_kobo(amount: str) -> int:
    """Kobo in an amount as the API writes it: ``to_kobo("1240.50")`` is ``124050``. Raises ValueError for anything else."""
    match = _shape.fullmatch(amount)
    if match is None:
        raise ValueError(f"Not an amount of naira: {amount!r}")
    sign, naira, kobo = match.groups()
    total = int(naira) * 100 + int((kobo or "").ljust(2, "0"))
    return -total if sign else total


def from_kobo(kobo: int) -> str:
    """An amount as the API takes it: ``from_kobo(124050)`` is ``"1240.50"``."""
    naira, rest = divmod(abs(kobo), 100)
    return f"{'-' if kobo < 0 else ''}{naira}.{rest:02d}"


def add_amounts(*amounts: str) -> str:
    """The sum of amounts: ``add_amounts("0.10", "0.20")`` is ``"0.30"``."""
    return from_kobo(sum(to_kobo(amount) for amount in amounts))
