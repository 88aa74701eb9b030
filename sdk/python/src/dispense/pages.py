"""Lists, item by item."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, AsyncIterator, Iterator, Mapping, Optional

from .sender import AsyncSender, Sender
from .tries import Call


def _next_query(page: Mapping[str, Any], items: str) -> Optional[Mapping[str, Any]]:
    """What asks for the next page; None after the last."""
    if "has_more" in page:
        found = page[items]
        return {"after": found[-1]["id"]} if page["has_more"] and found else None
    current, last = page["meta"]["current_page"], page["meta"]["last_page"]
    return {"page": current + 1} if current < last else None


def each(sender: Sender, call: Call, items: str) -> Iterator[Any]:
    """Every item of every page."""
    more: Optional[Mapping[str, Any]] = {}
    while more is not None:
        page = sender.send(replace(call, query={**(call.query or {}), **more}))
        yield from page[items]
        more = _next_query(page, items)


async def each_async(sender: AsyncSender, call: Call, items: str) -> AsyncIterator[Any]:
    """Every item of every page."""
    more: Optional[Mapping[str, Any]] = {}
    while more is not None:
        page = await sender.send(replace(call, query={**(call.query or {}), **more}))
        for item in page[items]:
            yield item
        more = _next_query(page, items)
