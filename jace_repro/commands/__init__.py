"""The commands of ``jace-repro``, a module each."""
