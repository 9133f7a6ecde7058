"""Request bodies: JSON, forms, multipart, lines of JSON, text and bytes."""

from __future__ import annotations

import os
import re
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any, TypeAlias
from urllib.parse import parse_qsl

from .content import Content, codec_of, concrete_type, declared_content, essence
from .errors import Issue
from .json_text import json_copy, step, write_json
from .serialize import deep_fields, form_encode, has_bracket_in_key, plain, plain_fields, serialize_parameter, shared_delimiter


@dataclass(frozen=True, slots=True)
class File:
    """A file to send, with its name and its media type."""

    content: bytes | os.PathLike[str] | IO[bytes]
    name: str | None = None
    type: str | None = None


FileInput: TypeAlias = "File | bytes | os.PathLike[str] | IO[bytes]"
"""A file to send: its bytes, its path, or an open file."""


class Download(bytes):
    """The bytes of a response, with the name and the media type that the server gave them."""

    name: str | None = None
    media_type: str = ""


@dataclass(slots=True)
class Body:
    """A body to send. `stream` can be sent only once."""

    content: bytes | None
    content_type: str
    stream: Iterable[bytes] | None = None


def is_file(value: Any) -> bool:
    """Whether a value is a file to send."""
    return isinstance(value, (File, bytes, bytearray, memoryview, os.PathLike)) or hasattr(value, "read")


def choose_content(contents: Sequence[Content], wanted: str | None, body: Any) -> tuple[str, Content | None, str]:
    """The type that a body is sent as, its declared content, and its codec."""
    preferred = next((one for one in contents if one["codec"] == "json"), contents[0])
    asked = wanted or preferred["type"]
    own = body.type if isinstance(body, File) else None
    media_type = concrete_type(asked, body, own) or concrete_type("*/*", body, own) or asked
    known = declared_content(contents, media_type)
    codec = known["codec"] if known and known["codec"] != "any" else codec_of(media_type)
    return media_type, known, codec


def sendable(body: Any, codec: str, encoding: Mapping[str, Any]) -> tuple[Any, list[Any], list[Issue]]:
    """The body as it is sent, the values that its schema has to accept, and what cannot be represented."""
    if codec == "json" or (codec in ("lines", "sequence", "form", "multipart") and isinstance(body, (list, tuple))):
        copied, issues = json_copy(body)
        return copied, [copied], issues
    if codec not in ("form", "multipart") or not isinstance(body, Mapping):
        return body, [], []
    members: dict[str, Any] = {key: one for key, one in dict(body).items() if one is not None}
    files = {key: one for key, one in members.items() if any(map(is_file, _items(one)))}
    shown = {key: _without_files(one) for key, one in members.items()}
    copied, issues = json_copy(shown)
    if issues:
        return body, [], issues
    sent = {**copied, **files}
    write = _form_parts if codec == "multipart" else _form_fields
    present = {key: one for key, one in copied.items() if write({key: sent[key]}, encoding)}
    return sent, [copied, present] if len(present) < len(copied) else [copied], []


def _items(value: Any) -> Sequence[Any]:
    return value if isinstance(value, (list, tuple)) else [value]


def _without_files(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return ["" if is_file(one) else one for one in _items(value)]
    return "" if is_file(value) else value


def write_body(body: Any, media_type: str, codec: str, encoding: Mapping[str, Any]) -> Body:
    """Writes a body. Raises TypeError for one that the media type cannot represent."""
    if codec == "json":
        return Body(write_json(body).encode(), media_type)
    if codec in ("form", "multipart") and not is_file(body) and not isinstance(body, str):
        if not isinstance(body, dict):
            raise TypeError("must be an object, because it is sent as a form")
        fields: dict[str, Any] = body
        for name, one in encoding.items():
            if one.get("style") == "deepObject" and has_bracket_in_key(fields.get(name)):
                raise TypeError(f"{name} has a key with a bracket, which deepObject cannot write")
            delimiter = shared_delimiter(_query(name, one), fields.get(name)) if one.get("style") else None
            if delimiter is not None:
                raise TypeError(f"{name} contains '{delimiter}', which separates values here")
        if codec == "multipart":
            return _write_parts(_form_parts(fields, encoding), "multipart/form-data")
        return Body("&".join(_form_fields(fields, encoding)).encode(), media_type)
    if codec in ("lines", "sequence") and isinstance(body, list):
        items: list[Any] = body
        start = "\u001e" if codec == "sequence" else ""
        return Body("".join(f"{start}{write_json(one)}\n" for one in items).encode(), media_type)
    if codec == "parts" and isinstance(body, (list, tuple)):
        parts = [
            _part(None, one, encoding.get(str(at)) or encoding.get("*") or {}, "text/plain; charset=utf-8")
            for at, one in enumerate(_items(body))
        ]
        return _write_parts(parts, re.sub(r";\s*boundary=[^;]*", "", media_type, flags=re.I))
    if is_file(body):
        content = _content(body)
        return Body(content, media_type) if isinstance(content, bytes) else Body(None, media_type, _chunks(content))
    if isinstance(body, (dict, list, tuple)):
        raise TypeError(f"must be text or bytes, because it is sent as {essence(media_type)}")
    return Body(plain(body).encode("utf-8", "surrogatepass"), media_type)


def _content(value: Any) -> bytes | IO[bytes]:
    inner = value.content if isinstance(value, File) else value
    if isinstance(inner, (bytearray, memoryview)):
        return bytes(inner)
    return open(inner, "rb") if isinstance(inner, os.PathLike) else inner


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while chunk := file.read(65_536):
            yield chunk


def _form_fields(body: Mapping[str, Any], encoding: Mapping[str, Any]) -> list[str]:
    fields: list[str] = []
    for name, value in body.items():
        own = encoding.get(name) or {}
        style = own.get("style")
        if value is None:
            continue
        if style is None and codec_of(own.get("contentType", "")) == "json":
            fields.append(form_encode(name, write_json(value)))
        elif style is None or style == "deepObject":
            pairs = deep_fields(name, value) if style else plain_fields(name, value)
            fields += [form_encode(key, text) for key, text in pairs]
        else:
            text = serialize_parameter(_query(name, own), value)
            fields += [] if text is None else [text]
    return fields


def _query(name: str, own: Mapping[str, Any]) -> dict[str, Any]:
    reserved = own.get("allowReserved", False)
    return {"name": name, "in": "query", "style": own["style"], "explode": own.get("explode", False), "allowReserved": reserved}


_Part = tuple[str, "bytes | IO[bytes]"]
"""The head of a part, and its content."""


def _form_parts(body: Mapping[str, Any], encoding: Mapping[str, Any]) -> list[_Part]:
    parts: list[_Part] = []
    for name, value in body.items():
        own = encoding.get(name) or encoding.get("*") or {}
        style = own.get("style")
        if value is None:
            continue
        if style is not None:
            pairs = deep_fields(name, value) if style == "deepObject" else _styled(name, value, own)
            parts += [(_head(key, None, None, own), text.encode()) for key, text in pairs]
            continue
        content_type: str = own.get("contentType", "")
        whole = not isinstance(value, list) or codec_of(content_type) == "json"
        items = [value] if whole else [one for one in _items(value) if one is not None]
        parts += [_part(name, one, own, None) for one in items]
    return parts


def _styled(name: str, value: Any, own: Mapping[str, Any]) -> list[tuple[str, str]]:
    text = serialize_parameter(_query(name, {**own, "allowReserved": False}), value)
    return parse_qsl(text or "", keep_blank_values=True)


def _part(name: str | None, value: Any, own: Mapping[str, Any], usual: str | None) -> _Part:
    first = own.get("contentType", "").partition(",")[0].strip()
    declared = first if first and "*" not in first else None
    if is_file(value):
        kind = (value.type if isinstance(value, File) else None) or declared or "application/octet-stream"
        return _head(name, _file_name(value), kind, own), _content(value)
    is_json = declared is not None and codec_of(declared) == "json"
    text = write_json(value) if is_json or isinstance(value, (dict, list)) or value is None else plain(value)
    kind = declared or ("application/json" if isinstance(value, (dict, list)) else usual)
    return _head(name, None, kind, own), text.encode("utf-8", "replace")


def _file_name(value: Any) -> str:
    inner = value.content if isinstance(value, File) else value
    name = (value.name if isinstance(value, File) else None) or getattr(inner, "name", None)
    if name is None and isinstance(inner, os.PathLike):
        name = os.fspath(inner)
    return os.path.basename(name) if isinstance(name, str) and name else "blob"


def _head(name: str | None, file: str | None, kind: str | None, own: Mapping[str, Any]) -> str:
    lines: list[str] = []
    if name is not None:
        named = "" if file is None else f'; filename="{_quoted(file)}"'
        lines.append(f'Content-Disposition: form-data; name="{_quoted(name)}"{named}')
    if kind is not None:
        lines.append(f"Content-Type: {_one_line(kind)}")
    lines += [f"{_one_line(key)}: {_one_line(text)}" for key, text in own.get("headers", {}).items()]
    return "\r\n".join(lines)


def _quoted(text: str) -> str:
    return re.sub(r"\r\n?|\n", "%0D%0A", text).replace('"', "%22")


def _one_line(text: str) -> str:
    return re.sub(r"[\r\n]+", " ", text)


def _write_parts(parts: Sequence[_Part], media_type: str) -> Body:
    boundary = f"twinspec-{uuid.uuid4()}"
    content_type = f"{media_type}; boundary={boundary}"

    def pieces() -> Iterator[bytes]:
        for head, content in parts:
            yield f"--{boundary}\r\n{head}\r\n\r\n".encode("utf-8", "replace")
            yield from [content] if isinstance(content, bytes) else _chunks(content)
            yield b"\r\n"
        yield f"--{boundary}--\r\n".encode()

    if all(isinstance(content, bytes) for _, content in parts):
        return Body(b"".join(pieces()), content_type)
    return Body(None, content_type, pieces())


def pointer(place: str, name: str) -> str:
    """The place of a parameter in an input."""
    return f"/{place}{step(name)}"


