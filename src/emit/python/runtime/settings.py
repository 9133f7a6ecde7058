"""Validates the options of clients and calls."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping
from typing import Any

from .exchange import lower
from .options import CallOptions, Clock, Retry, Settings


def make_settings(options: Mapping[str, Any], handlers: Mapping[str, Any] | None = None) -> Settings:
    """The options of a client with their defaults. Raises TypeError for invalid ones."""
    given: dict[str, Any] = {name: value for name, value in options.items() if value is not None or name == "timeout"}
    known = {one.name for one in dataclasses.fields(Settings)} - {"handlers"}
    _check_names(given, known)
    own = {name: one for name, one in (handlers or {}).items() if one is not None}
    return _checked(Settings(**given, handlers=own))


def _check_names(given: Iterable[str], known: Iterable[str]) -> None:
    for name in given:
        if name not in known:
            raise TypeError(f"there is no option {name}: the options are {', '.join(sorted(known))}")


def is_duration(value: Any) -> bool:
    """Whether a value is a number of seconds from 0."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0


def _expect(name: str, is_right: bool, expected: str) -> None:
    if not is_right:
        raise TypeError(f"{name} must be {expected}")


def check_poll(interval: Any, timeout: Any) -> None:
    """Raises TypeError for invalid arguments of a poll."""
    _expect("interval", interval is None or callable(interval) or is_duration(interval), "a number of seconds, or a function")
    _expect("timeout", timeout is None or is_duration(timeout), "a number of seconds, or None")


def _checked(settings: Settings) -> Settings:
    """Settings whose values are allowed."""
    given: Any = settings
    _expect("timeout", given.timeout is None or is_duration(given.timeout), "a number of seconds, or None")
    _expect("retry", isinstance(given.retry, Retry), "a Retry, such as Retry(attempts=2)")
    _expect("retry.attempts", isinstance(given.retry.attempts, int) and given.retry.attempts >= 1, "a number from 1")
    for name in ("delay", "longest"):
        _expect(f"retry.{name}", is_duration(getattr(given.retry, name)), "a number of seconds")
    _expect("clock", isinstance(given.clock, Clock), "a Clock")
    _expect("max_response_bytes", is_duration(given.max_response_bytes), "a number of bytes")
    for name in ("headers", "variables"):
        value: Any = getattr(given, name)
        _expect(name, isinstance(value, Mapping) and all(isinstance(one, str) for each in value.items() for one in each), "a dict of texts")
    for name in ("on_warning", "on_request", "on_response"):
        _expect(name, getattr(given, name) is None or callable(getattr(given, name)), "a function")
    _expect("client_package", given.client_package is None or isinstance(given.client_package, str), "a name and a version: acme-shop/1.4.2")
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
    _check_names(options, CallOptions.__annotations__)
    _expect("headers", isinstance(options.get("headers", {}), Mapping), "a dict of texts")
    headers = {**settings.headers, **lower(options.get("headers", {}))}
    given: dict[str, Any] = {**options, "headers": headers}
    return _checked(dataclasses.replace(settings, **given))
