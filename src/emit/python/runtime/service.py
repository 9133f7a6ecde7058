"""What the clients of one package share: the data of operations.json, its schemas and the generated types."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import resources
from typing import Any

from .records import Convert, Shapes
from .schemas import Schemas


class Service:
    """One package. Nothing is read before the first client is made."""

    def __init__(
        self, package: str, types: Mapping[str, Any], results: Mapping[str, str], errors: Mapping[str, type[Exception]]
    ) -> None:
        self._package = package
        self._results = results
        self.errors = errors
        self._document: dict[str, Any] | None = None
        self._schemas: Schemas | None = None
        self.shapes = Shapes(types, lambda: self.schemas)
        types["Record"]._shapes = self.shapes

    @property
    def document(self) -> dict[str, Any]:
        """The content of operations.json."""
        if self._document is None:
            text = resources.files(self._package).joinpath("operations.json").read_text(encoding="utf-8")
            self._document = document = json.loads(text)
            return document
        return self._document

    @property
    def schemas(self) -> Schemas:
        """The validators of its schemas."""
        if self._schemas is None:
            self._schemas = Schemas(self.document)
        return self._schemas

    def converter(self, key: str) -> Convert:
        """Makes a typed value of the result of an operation: `getOrder`, or `getOrder.item` of its stream."""
        return self.shapes.converter(self._results[key])
