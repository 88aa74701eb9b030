"""HTTP clients, one for each process."""

from __future__ import annotations

import os
from typing import Callable, Generic, List, Optional, TypeVar

Client = TypeVar("Client")


class Connections(Generic[Client]):
    """The client of this process. After a fork both would read each other's answers from the connections that were open."""

    def __init__(self, given: Optional[Client], make: Callable[[], Client]) -> None:
        self._make = None if given is not None else make
        self._client = make() if given is None else given
        self._process = os.getpid()
        self._is_used = False
        #: Those of the processes before: closing them here would end connections that are used there.
        self._inherited: List[Client] = []

    def client(self) -> Client:
        if self._process != os.getpid() and self._is_used:
            if self._make is None:
                raise RuntimeError("This process was forked after its http client was used. Make Dispense with a new one.")
            self._inherited.append(self._client)
            self._client = self._make()
        self._process = os.getpid()
        self._is_used = True
        return self._client

    def own(self) -> Optional[Client]:
        """What this process may close."""
        return self._client if self._process == os.getpid() else None
