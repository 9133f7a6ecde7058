"""Validates the options of clients and calls."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from typing import Any

from .exchange import lower
from .options import CallOptions, Settings


def make_settings(options: Mapping[str, Any], handlers: Mapping[str, Any] | None = None) -> Settings:
    """The options of a client with their defaults. Raises TypeError for invalid ones."""
    given: dict[str, Any] = {name: value for name, value in options.items() if value is not None or name == "timeout"}
    known = {one.name for one in dataclasses.fields(Settings)} - {"handlers"}
    for name in given:
        if name not in known:
            raise TypeError(f"there is no option {name}")
    own = {name: one for name, one in (handlers or {}).items() if one is not None}
    return _checked(Settings(**given, handlers=own))


def _checked(settings: Settings) -> Settings:
    """Settings whose values are allowed."""
    if settings.timeout is not None and not settings.timeout >= 0:
        raise TypeError("timeout must be a number of seconds, or None")
    if settings.retry.attempts < 1:
        raise TypeError("retry.attempts must be a number from 1")
    if settings.validate_request not in ("strict", "off"):
        raise TypeError("validate_request must be strict or off")
    if settings.validate_response not in ("tolerant", "strict", "off"):
        raise TypeError("validate_response must be tolerant, strict or off")
    package = settings.client_package
    if package is not None and not re.fullmatch(r"(?:@[\w.-]{1,214}/)?[\w.-]{1,214}/[\w.+-]{1,50}", package):
        raise TypeError("client_package must be a name and a version: acme-shop/1.4.2")
    headers = lower(settings.headers) | ({} if package is None else {"x-client-package": package})
    return dataclasses.replace(settings, headers=headers)


def changed_settings(settings: Settings, options: CallOptions) -> Settings:
    """Settings with other options."""
    headers = {**settings.headers, **lower(options.get("headers", {}))}
    given: dict[str, Any] = {**options, "headers": headers}
    return _checked(dataclasses.replace(settings, **given))
