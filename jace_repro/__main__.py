"""``python -m jace_repro`` is the ``jace-repro`` command."""

from __future__ import annotations

from jace_repro.cli import main

if __name__ == "__main__":
    main()
