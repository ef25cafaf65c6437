"""The library names options in its messages as the command line has them; here they become arguments of Python."""

from __future__ import annotations

import re

#: Options without a value.
SWITCHES = {
    "cubic",
    "editable",
    "exact",
    "keep-time",
    "keep-constant",
    "lenient",
    "lossy",
    "motion-only",
    "partial",
    "raw",
    "replace",
    "replace-unencodable",
    "shift",
    "show-bones",
    "skip-first",
    "snap",
    "sort",
    "travel",
    "unlit",
}
#: Options of another name, and what they are given where they have no value.
OTHERS = {"force": "overwrite=True", "map": "names=…", "names": "language=…", "raise": "raise_=…", "m": "model=…"}
#: Options with a value.
VALUED = {
    "arm-space",
    "assume",
    "bake",
    "between-frames",
    "clip",
    "contacts",
    "floor",
    "fps",
    "from",
    "hands",
    "ik",
    "into",
    "max-frames",
    "model",
    "onto",
    "person",
    "range",
    "rest",
    "scale",
    "space",
    "times",
    "to",
    "tolerance",
    "vocabulary",
}

_FACTS = r"(?P<facts>[a-z]+=[^\s,;)]+(?:,[a-z]+=[^\s,;)]+)*)"
_VALUES = re.compile(rf"(?<![\w-])(?:--assume {_FACTS}|-m (?P<model>standard)|--space (?P<space>model|local))")
_NAMES = re.compile(r"(?<![\w-])(?:--(?P<long>[a-z]+(?:-[a-z]+)*)|-(?P<short>m))(?![\w-])")


def spoken(text: str) -> str:
    """A message with arguments of Python for options of the command line."""
    return _NAMES.sub(_named, _VALUES.sub(_valued, text)) if "-" in text else text


def _valued(match: re.Match[str]) -> str:
    if match["model"]:
        return 'model="standard"'
    if match["space"]:
        return f'space="{match["space"]}"'
    # A full stop ends the sentence and not the value.
    facts = match["facts"].rstrip(".")
    pairs = (fact.split("=", 1) for fact in facts.split(","))
    said = ", ".join(f'"{word}": {value}' for word, value in pairs)
    return f"assume={{{said}}}" + "." * (len(match["facts"]) - len(facts))


def _named(match: re.Match[str]) -> str:
    option = match["long"] or match["short"]
    word = option.replace("-", "_")
    if option in OTHERS:
        return OTHERS[option]
    if option in SWITCHES:
        return f"{word}=True"
    return f"{word}=…" if option in VALUED else match[0]
