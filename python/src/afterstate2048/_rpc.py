"""Requests in the protocol of docs/protocol.md."""

from __future__ import annotations

import json
from typing import Any

from ._library import Call, library

_TIME, _MEMORY, _INTERNAL = -32000, -32003, -32603


def call(method: str, **params: Any) -> Any:
    """Returns the result of a request; params that are None are omitted.

    Raises ValueError for invalid requests, TimeoutError if no move was found in time,
    MemoryError without enough memory or disk space, and RuntimeError if the player failed.
    """
    given = {key: value for key, value in params.items() if value is not None}
    request = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": given})
    lib = library()
    work = Call(lib)
    lib.check(lib.rpc(work.handle, request.encode()))
    text = work.result()
    assert text is not None
    answer = json.loads(lib.take(text))
    if "error" not in answer:
        return answer["result"]
    message: str = answer["error"]["message"]
    match answer["error"]["code"]:
        case code if code == _TIME:
            raise TimeoutError(message)
        case code if code == _MEMORY:
            raise MemoryError(message.removeprefix(method + ": "))
        case code if code == _INTERNAL:
            raise RuntimeError(message)
    raise ValueError(message.removeprefix(method + ": "))
