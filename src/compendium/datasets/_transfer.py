"""One file from an address to this machine: never larger than it should be, never longer than it may take."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import closing
from pathlib import Path

import requests
import urllib3.exceptions

from compendium.datasets._errors import CorruptData
from compendium.datasets._limits import Limits

_CHUNK = 2**16
_MAX_REDIRECTS = 5
_PASSING = {429, 500, 502, 503, 504}


class TransferFailed(Exception):
    """The file could not be had; the message says why."""


def transfer(url: str, file: Path, size: int, limits: Limits) -> None:
    """Write what an address answers to a file, from its beginning in each attempt.

    Parameters
    ----------
    url : str
        The address.
    file : Path
        Where to write; what is there is overwritten.
    size : int
        Bytes that the file must have: an answer that is longer is refused without being read.
    limits : Limits
        How long to try.
    """
    end = time.monotonic() + limits.deadline
    pause = limits.pause
    for attempt in range(1, limits.attempts + 1):
        try:
            return _attempt(url, file, size, limits, end)
        except _Passing as failure:
            wait = max(pause, failure.wait)
            if attempt == limits.attempts or time.monotonic() + wait > end:
                tried = f" ({attempt} attempts)" if attempt > 1 else ""
                raise TransferFailed(f"{failure}{tried}") from failure
            time.sleep(wait)
            pause *= 2


class _Passing(Exception):
    """What may go better the next time, and how long the server asks to wait."""

    def __init__(self, reason: object, wait: float = 0.0) -> None:
        super().__init__(str(reason))
        self.wait = wait


def _attempt(url: str, file: Path, size: int, limits: Limits, end: float) -> None:
    read = 0
    with closing(_body(url, limits, end)) as chunks, file.open("wb") as part:
        for chunk in chunks:
            read += len(chunk)
            if read > size:
                raise CorruptData(f"{url} sends more than the {size} bytes that the file has")
            part.write(chunk)


def _body(url: str, limits: Limits, end: float) -> Generator[bytes]:
    """Yield what an address answers, piece by piece; nothing is raised here by what becomes of a piece."""
    # As it lies on the server: an answer that is packed once more is not unpacked, however small it looks.
    headers = {"Accept-Encoding": "identity"}
    try:
        with requests.Session() as session:
            session.max_redirects = _MAX_REDIRECTS
            timeout = max(0.001, min(limits.silence, end - time.monotonic()))
            with session.get(url, timeout=timeout, stream=True, headers=headers) as answer:
                if answer.status_code in _PASSING:
                    raise _Passing(f"{answer.status_code} {answer.reason}", _asked_wait(answer))
                if answer.status_code != requests.codes.ok:
                    raise TransferFailed(f"{answer.status_code} {answer.reason}")
                while chunk := answer.raw.read1(_CHUNK, decode_content=False):
                    yield chunk
                    if time.monotonic() > end:
                        raise TransferFailed(f"it takes longer than {limits.deadline:g} seconds")
    except (requests.ConnectionError, requests.Timeout, urllib3.exceptions.HTTPError) as error:
        raise _Passing(error) from error
    except requests.RequestException as error:
        raise TransferFailed(str(error)) from error


def _asked_wait(answer: requests.Response) -> float:
    """Return the seconds that a server asks to wait; a date, which it may give instead, counts as none."""
    text = answer.headers.get("Retry-After", "")
    return float(text) if text.isdecimal() else 0.0
