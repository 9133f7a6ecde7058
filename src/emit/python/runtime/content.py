"""Media types: the codec of a type, and the declared content of a body."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import unquote_to_bytes

Content = Mapping[str, Any]
"""A media type of a body in operations.json: type, codec, schema, encoding, stream."""

_LINES = {
    f"application/{prefix}{name}" for prefix in ("", "x-") for name in ("jsonl", "ndjson", "jsonlines", "json-lines")
}
_TEXT = re.compile(r"^(text/[^/\s]+|[^/\s]+/([^/\s]+\+)?(xml|yaml|javascript))$")


def essence(media_type: str) -> str:
    """The media type in lower case, without parameters."""
    return media_type.partition(";")[0].strip().lower()


def codec_of(media_type: str) -> str:
    """The codec of a media type, or of a range."""
    name = essence(media_type)
    if re.fullmatch(r"[^/\s]+/([^/\s]+\+)?json", name):
        return "json"
    if name in ("*/*", "application/*"):
        return "any"
    if name == "text/event-stream":
        return "events"
    if name in _LINES:
        return "lines"
    if re.fullmatch(r"application/([^/\s]+\+)?json-seq", name):
        return "sequence"
    if name == "application/x-www-form-urlencoded":
        return "form"
    if name.startswith("multipart/"):
        return "multipart" if name == "multipart/form-data" else "parts"
    return "text" if _TEXT.match(name) else "bytes"


def response_codec(media_type: str) -> str:
    """The codec of a response body of an undeclared type: a form is text, other multipart bodies are bytes."""
    codec = codec_of(media_type)
    return {"form": "text", "multipart": "bytes", "parts": "bytes"}.get(codec, codec)


_SUFFIX = 3
_CERTAIN = 1_000_000


def declared_content(contents: Sequence[Content], sent: str | None) -> Content | None:
    """
    The declared content that describes a body with a Content-Type: the same type, then one without parameters, then a range. None
    if no declared type is meant, or if several are alike.
    """
    if sent is None or not sent.strip():
        return contents[0] if len(contents) == 1 else None
    for one in contents:
        if one["type"] == sent:
            return one
    name = _parse(sent)
    best: Content | None = None
    most = 0
    for one in contents:
        fit = _fit(_parse(one["type"]), name)
        if fit == most and _SUFFIX < fit < _CERTAIN:
            best = None
        if fit > most:
            most, best = fit, one
    return best


def concrete_type(media_type: str, body: Any, own: str | None) -> str | None:
    """The type to send a body as: the declared one, or a type that its range includes. `own` is that of a file."""
    if "*" not in media_type:
        return media_type
    target: Content = {"type": media_type}
    if own:
        return own if declared_content([target], own) else None
    is_bytes = not isinstance(body, (str, bool, int, float, list, dict)) and body is not None
    is_raw = isinstance(body, str) or is_bytes
    known = ["application/octet-stream", "text/plain"] if is_bytes else [*(["text/plain"] if is_raw else []), "application/json"]
    for one in known:
        if declared_content([target], one):
            return one
    return media_type.replace("*", "x") if is_raw or codec_of(media_type) == "json" else None


def _parse(text: str) -> tuple[str, list[str]]:
    name, *parameters = (re.sub(r'[\s"]', "", part) for part in _split_quoted(text.lower()))
    # The boundary says nothing about the content, and JSON has no charset.
    without = ("boundary=", "charset=") if name.endswith("json") else ("boundary=",)
    return name, [one for one in parameters if one and not one.startswith(without)]


def _split_quoted(text: str) -> list[str]:
    return re.findall(r'(?:[^;"]|"[^"]*"?)+', text) or [""]


def _fit(declared: tuple[str, list[str]], sent: tuple[str, list[str]]) -> int:
    name, parameters = sent
    missing = [one for one in declared[1] if one not in parameters]
    for one in missing:
        if any(other.startswith(f"{one.partition('=')[0]}=") for other in parameters):
            return 0
    if declared[0] == name:
        return _CERTAIN + len(declared[1]) if not missing else _CERTAIN - len(missing)
    kind, _, subtype = declared[0].partition("/")
    if (kind, subtype) == ("*", "*"):
        return 1
    if not subtype.startswith("*") or not name.startswith(f"{kind}/"):
        return 0
    return 2 if subtype == "*" else _SUFFIX if name.endswith(subtype[1:]) else 0


def header_parameter(header: str, name: str) -> str | None:
    """A parameter of a header value, without its quotes."""
    for found in re.finditer(r';\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]*))', header):
        if found[1].lower() == name:
            return found[3] if found[2] is None else re.sub(r'\\(["\\])', r"\1", found[2])
    return None


def file_name(disposition: str) -> str | None:
    """The file name of a Content-Disposition: only the last part of its path, because a sender must not choose the folder."""
    encoded = re.match(r"utf-8'[^']*'(.*)$", header_parameter(disposition, "filename*") or "", re.I)
    written = header_parameter(disposition, "filename")
    if encoded:
        written = unquote_to_bytes(encoded[1]).decode("utf-8", "replace")
    if written is None:
        return None
    name = re.sub(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]", "", re.split(r"[\\/]", written)[-1])
    return name if name not in ("", ".", "..") else None


def text_of(body: bytes, content_type: str | None) -> str:
    """The text of a body in the charset of its Content-Type; in UTF-8 where that is not known. JSON is UTF-8."""
    kind = content_type or ""
    charset = None if codec_of(kind) == "json" else header_parameter(kind, "charset")
    try:
        text = body.decode(charset or "utf-8", "replace")
    except LookupError:
        text = body.decode("utf-8", "replace")
    return text.removeprefix("\ufeff")
