"""For the reference: the sections of a docstring, which follow one another without blank lines here."""

import re
from typing import Any

import griffe

HEADING = re.compile(r"(?<!\n)\n(?=(?:Args|Returns|Yields|Raises|Attributes):\n)")


class Sections(griffe.Extension):
    """Puts the blank line before each section that griffe knows one by."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = HEADING.sub("\n\n", obj.docstring.value)
