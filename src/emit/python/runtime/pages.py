"""How a page determines the parameters of the next one (`x-pagination`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from .json_text import write_json

Current = Callable[[str], Any]


class PageTurner:
    """Turns the pages of one list. A page that leads back to an earlier one would never end: `fail` makes its error."""

    def __init__(self, pages: Mapping[str, Any], fail: Callable[[str], Exception]) -> None:
        self._pages = pages
        self._fail = fail
        self._seen: set[str] = set()

    def items(self, body: Any) -> list[Any]:
        """The items of a page; none if its body has no list at the place."""
        found = value_at(self._pages.get("items", ""), body)
        return found if isinstance(found, list) else []

    def turn(self, body: Any, headers: Mapping[str, str], current: Current) -> dict[str, Any] | None:
        """Parameter -> its value for the next page; None if this page is the last one."""
        pages = self._pages
        items = self.items(body)
        following: dict[str, Any] = {}
        if "page" in pages:
            following[pages["page"]] = int(_or(current(pages["page"]), 1)) + 1
        if "offset" in pages:
            following[pages["offset"]] = int(_or(current(pages["offset"]), 0)) + len(items)
        # A list that is paged by a counter ends with the first page without items.
        if following and not items:
            return None
        for name, place in pages.get("next", {}).items():
            header = re.match(r"\$response\.header\.(.+)$", place)
            value = headers.get(header[1]) if header else value_at(place, body)
            if value is None or value == "":
                return None
            following[name] = value
        if "more" in pages and value_at(pages["more"], body) is not True:
            return None
        if all(current(name) == value for name, value in following.items()):
            return None
        self._seen.add(write_json([current(name) for name in following]))
        if write_json(list(following.values())) in self._seen:
            raise self._fail(f"the next page, by {' and '.join(following)}, was already read")
        return following


def _or(value: Any, usual: int) -> Any:
    return usual if value is None else value


def value_at(pointer: str, body: Any) -> Any:
    """The value at a JSON pointer, in which `-1` is the last item of a list; None if there is none."""
    found = body
    for step in pointer.removeprefix("/").split("/") if pointer else []:
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(found, list):
            items: list[Any] = found
            at = int(key) if re.fullmatch(r"-?\d+", key) else len(items)
            found = items[at] if -len(items) <= at < len(items) else None
        elif isinstance(found, dict):
            members: dict[str, Any] = found
            found = members.get(key)
        else:
            return None
    return found
