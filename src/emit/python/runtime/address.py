"""The address of calls, with its credentials."""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from .effects import Await, Effect
from .options import Settings
from .redact import header_secrets, hide_in_logs, url_secrets

Credentials = Mapping[str, Any]
"""Name -> a text, or user and password."""

_VARIABLE = re.compile(r"\{([^{}]+)\}")
_ADDRESS = re.compile(r"/|[a-z][a-z\d+.-]*://", re.I)


def template_names(template: str) -> list[str]:
    """The names within `{}`."""
    return _VARIABLE.findall(template)


@dataclass(slots=True)
class Address:
    """Where a call goes. `secrets` are texts that no error may contain."""

    url: str
    credentials: Credentials
    secrets: list[str] = field(default_factory=list[str])

    def __repr__(self) -> str:
        return "Address()"


@dataclass(slots=True)
class Place:
    """The server of an operation, chosen once. `names` are the credentials that its requests contain."""

    url: str
    variables: Mapping[str, Mapping[str, Any]]
    is_documented: bool
    names: Sequence[str]
    schemes: str = "http"
    """Of its URL: `http` or `ws`, and the same with TLS."""
    kept: tuple[Settings, Address] | None = None
    """The address for some settings, if no function has a part of it."""

    def __repr__(self) -> str:
        return "Place()"


def choose_place(servers: Sequence[Mapping[str, Any]], choice: str | None, path: str, names: Sequence[str]) -> Place:
    """
    The server that `choice` selects by its name, or an address to which the documented path is appended. Raises TypeError for an
    unknown name.
    """
    if not (choice is None or isinstance(choice, str)):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError("server must be text: the name of a server, or a URL")
    found = next((one for one in servers if choice is None or one["name"] == choice), None)
    if found is not None:
        variables: Mapping[str, Mapping[str, Any]] = found["variables"]
        return Place(found["url"], variables, True, [*names, *_secret_names(found["url"], variables)])
    if choice is None:
        raise TypeError("the document declares no server: give a URL")
    if not _ADDRESS.match(choice):
        known = ", ".join(dict.fromkeys(f"'{one['name']}'" for one in servers))
        shown = f"'{choice}'" if re.fullmatch(r"[\w.-]{1,15}", choice) else "as given"
        raise TypeError(f"no server is named {shown}: give a URL{known and f' or one of {known}'}")
    declared: dict[str, Mapping[str, Any]] = {}
    for one in reversed(servers):
        declared.update(one["variables"])
    url = with_path(choice, path)
    return Place(url, declared, False, [*names, *_secret_names(url, declared)])


def without_origin(url: str) -> str:
    """A URL, or the template of one, without its scheme, host and port."""
    return re.sub(r"^[^/?#]*//[^/?#]*", "", url)


def with_path(address: str, path: str) -> str:
    """Appends a documented path to an address, unless it already ends with it; a variable matches any one segment."""
    found = re.match(r"([^?#]*)(.*)", address, re.S)
    written, rest = (found[1], found[2]) if found else (address, "")
    base, documented = written.rstrip("/"), path.rstrip("/")
    pattern = "[^/?#]+".join(map(re.escape, re.split(r"\{[^{}]+\}", documented)))
    return base + rest if re.search(f"{pattern}$", without_origin(base)) else base + documented + rest


def is_secret_variable(declared: Mapping[str, Any] | None) -> bool:
    """Whether a variable is secret; an undeclared one may be a key."""
    return declared is None or declared.get("secret") is True


def _secret_names(url: str, variables: Mapping[str, Mapping[str, Any]]) -> list[str]:
    return [name for name in template_names(url) if is_secret_variable(variables.get(name))]


def find_address(place: Place, auth: Credentials, settings: Settings) -> Generator[Effect, Any, Address]:
    """Fills in the address; calls the functions among the credentials. Raises TypeError for a missing or invalid value."""
    if place.kept is not None and place.kept[0] is settings:
        return place.kept[1]
    credentials: dict[str, Any] = {}
    for name in dict.fromkeys(place.names):
        secret = auth.get(name)
        if secret is not None:
            value = (yield Await(secret)) if callable(secret) else secret
            check_secret(name, value)
            credentials[name] = value
    address = Address(_fill(place, settings.variables, credentials), credentials)
    secrets = url_secrets(place.url) + header_secrets(settings.headers.items())
    secrets += [settings.variables[name] for name in place.names if name in settings.variables]
    for value in credentials.values():
        secrets += [value] if isinstance(value, str) else [value[1], f"{value[0]}:{value[1]}"]
    if not place.is_documented and without_origin(address.url):
        secrets.append(address.url)
    address.secrets = secrets
    hide_in_logs(secrets)
    if not any(callable(auth.get(name)) for name in place.names):
        place.kept = (settings, address)
    return address


def check_secret(name: str, value: Any) -> None:
    """Raises TypeError for a secret that no request can contain."""
    parts: list[Any] = list(value) if isinstance(value, tuple) else [value]
    for part in parts:
        if not isinstance(part, str) or re.search("[\r\n\0\ud800-\udfff]", part):
            raise TypeError(f"{name} must be text without line breaks and halves of surrogate pairs")
    if value in ("", ".", ".."):
        # As a segment of a path, it would lead to another address.
        raise TypeError(f"{name} must not be empty, . or ..: leave it out, or pass the secret")


def _fill(place: Place, variables: Mapping[str, str], credentials: Credentials) -> str:
    def value_of(found: re.Match[str]) -> str:
        name = found[1]
        declared = place.variables.get(name)
        if is_secret_variable(declared):
            secret = credentials.get(name, variables.get(name))
            if secret is not None:
                check_secret(name, secret)
                return quote(secret, safe="!'()*")
        value = variables.get(name) or (declared or {}).get("default")
        if value is None:
            raise TypeError(f"the server URL needs a value for '{name}'")
        allowed = (declared or {}).get("enum")
        if allowed is not None and value not in allowed:
            raise TypeError(f"server variable '{name}' must be one of {', '.join(map(repr, allowed))}")
        return value

    url = _VARIABLE.sub(value_of, place.url)
    scheme = place.schemes
    if not re.match(rf"{scheme}s?://[^/?#]", url, re.I):
        raise TypeError(f"the server is no {scheme}:// or {scheme}s:// URL: choose another, or give a URL")
    return with_path(url, "")
