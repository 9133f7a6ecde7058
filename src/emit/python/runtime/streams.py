"""Divides the text of a stream into its items: events, lines of JSON, or JSON texts after record separators."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping
from typing import Any

from .json_text import parse_json

LONGEST_ITEM = 64 * 1_048_576
"""The maximum length of an item in characters; an endless item would use all memory."""


class Piece(dict[str, Any]):
    """The text of an item as an event: `data`, and of an event `event`, `id` and `retry`."""

    cut_off = False


class Splitter:
    """The items of one body. An event stream follows WHATWG HTML, 9.2.6."""

    def __init__(self, kind: str, last_id: str = "") -> None:
        self._kind = kind
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._rest = ""
        self._size = 0
        self._after_cr = False
        self._event: dict[str, Any] = {}
        self._data: list[str] = []
        self.last_id = last_id
        self.retry: float | None = None

    def push(self, chunk: bytes) -> list[Piece]:
        """The items that end in a chunk."""
        return self._push(self._decoder.decode(chunk))

    def end(self) -> list[Piece]:
        """The items that the end of the body ends."""
        found = self._push(self._decoder.decode(b"", True))
        if self._kind != "events":
            found += self._text(self._rest)
            self._rest = ""
        return found

    def pending(self) -> str | None:
        """The data of an event that is incomplete at the end."""
        if self._rest:
            self._line(self._rest)
            self._rest = ""
        return "\n".join(self._data) if self._data else None

    def waiting(self) -> int:
        """The number of characters of an incomplete item."""
        return len(self._rest) + self._size

    def _push(self, text: str) -> list[Piece]:
        found: list[Piece] = []
        if self._kind != "events":
            *whole, self._rest = (self._rest + text).split("\u001e" if self._kind == "sequence" else "\n")
            return [piece for one in whole for piece in self._text(one)]
        # The line feed of a pair whose carriage return ended the chunk before.
        if self._after_cr and text.startswith("\n"):
            text = text[1:]
        if text:
            self._after_cr = text.endswith("\r")
        *lines, self._rest = re.split("\r\n|\r|\n", self._rest + text) if re.search("[\r\n]", text) else [self._rest + text]
        for line in lines:
            if line:
                self._line(line)
            else:
                found += self._ended()
        return found

    def _line(self, line: str) -> None:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
            self._size += len(value)
        elif name == "event" and value:
            self._event["event"] = value
        elif name == "id" and "\0" not in value:
            self._event["id"] = value
        elif name == "retry" and re.fullmatch("[0-9]+", value):
            self._event["retry"] = int(value)
            self.retry = int(value) / 1000

    def _ended(self) -> list[Piece]:
        event, data = self._event, self._data
        self._event, self._data, self._size = {}, [], 0
        self.last_id = event.get("id", self.last_id)
        return [Piece(data="\n".join(data), **event)] if data else []

    def _text(self, text: str) -> list[Piece]:
        data = text.strip()
        if not data:
            return []
        piece = Piece(data=data)
        # RFC 7464, 2.4: a number without a line feed after it may be the beginning of a longer one.
        piece.cut_off = self._kind == "sequence" and bool(re.match(r"[-\w]", data)) and not text[-1].isspace()
        return [piece]


def item_of(piece: Piece, stream: Mapping[str, Any]) -> Any:
    """The item of a piece. Raises ValueError if its data must be JSON and is not."""
    text, kind = piece["data"], stream["data"]
    data: Any = text
    if kind == "json":
        if piece.cut_off:
            raise ValueError("truncated")
        data = parse_json(text)
    elif kind == "either" and re.match(r"\s*[\[{]", text):
        try:
            data = parse_json(text)
        except ValueError:
            data = text
    return data if stream["item"] == "data" else {**piece, "data": data}
